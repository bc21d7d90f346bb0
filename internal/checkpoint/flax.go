package checkpoint

import (
	"context"
	"fmt"

	"poslens/internal/tensor"
)

// openFlax opens what Flax's to_bytes writes, its save_checkpoint too: a
// MessagePack value whose maps, and lists, hold arrays as extensions. An array's
// name is the keys that lead to it, joined by "/".
//
//	https://github.com/google/flax, flax/serialization.py
func openFlax(ctx context.Context, b *blob, l Limits) (*File, error) {
	w := &flaxWalk{in: newMsgpackReader(ctx, b, l.MaxHeader), names: min(maxNames, 1<<20+64*b.size)}
	root, err := w.in.token()
	if err != nil {
		return nil, err
	}
	if err := w.value(root); err != nil {
		return nil, err
	}
	if left := b.size - w.in.off; left > 0 {
		return nil, fault(Corrupt, w.in.off, "%d %s the msgpack value", left, plural(int(left), "byte follows", "bytes follow"))
	}
	if len(w.found) == 0 {
		return nil, w.nothing(root)
	}
	f := newFile("flax")
	for _, a := range w.found {
		info := a.info
		err := f.add(info, func(ctx context.Context) (*tensor.Tensor, error) { return b.parts(ctx, info, a.parts, l) })
		if err != nil {
			return nil, at(err, info.Name, a.off)
		}
	}
	if w.elsewhere > 0 {
		f.warn(Unsupported, "", fmt.Sprintf("%d more %s not in this file, but in files beside it that are not read", w.elsewhere, plural(w.elsewhere, "array is", "arrays are")))
	}
	return f, nil
}

// nothing is the Error of a file without an array: it says what there is instead.
func (w *flaxWalk) nothing(root msgpackToken) error {
	e := fault(NotFound, -1, "a msgpack file without arrays: it holds %v", root.kind)
	switch {
	case len(w.first) == 0:
	case root.n > int64(len(w.first)):
		e.Msg += fmt.Sprintf(" of %d keys, the first of them %s", root.n, quotedList(w.first, len(w.first)))
	default:
		e.Msg += " of the keys " + quotedList(w.first, len(w.first))
	}
	switch {
	case w.elsewhere > 0:
		e.Msg = fmt.Sprintf("none of %d %s is in this file: it only says which files beside it hold them", w.elsewhere, plural(w.elsewhere, "array", "arrays"))
		e.Hint = "restore the checkpoint with Orbax or T5X and save the weights as .safetensors or .npz"
	case w.numpy:
		e.Hint = "the arrays seem to be written by msgpack-numpy: save them as .npz instead"
	default:
		e.Hint = "Flax writes arrays with flax.serialization.to_bytes(params)"
	}
	return e
}
