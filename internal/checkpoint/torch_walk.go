package checkpoint

import (
	"math/big"
	"strconv"
	"strings"

	"poslens/internal/pickle"
)

// The bounds of a walk through a pickle's objects. A container is entered once,
// so the steps are no more than the pickle has items, which is bounded there.
const (
	maxTorchDepth   = 1000
	maxTorchTensors = 1 << 20
	maxTorchNames   = 64 << 20 // bytes of all names together
)

// torchName is a tensor that was found and where: the keys joined by dots.
type torchName struct {
	name string
	view *torchView
}

// torchWalk is the state of a walk.
type torchWalk struct {
	t     *torchObjects
	path  []string
	seen  map[pickle.Value]bool // containers, by their pointers
	found []torchName
	bytes int // of the names found
}

// walk finds every tensor below a value. A container that stands in several
// places is entered at the first one; a tensor that does is found in each place
// of the containers entered, so that tied weights have all their names.
func (t *torchObjects) walk(root pickle.Value) ([]torchName, error) {
	w := &torchWalk{t: t, seen: map[pickle.Value]bool{}}
	err := w.value(root)
	return w.found, err
}

// value looks at one value, whose keys are the path.
func (w *torchWalk) value(v pickle.Value) error {
	switch v := v.(type) {
	case *pickle.Dict:
		return w.enter(v, func() error { return w.dict(v) })
	case *pickle.List:
		return w.enter(v, func() error { return w.items(v.Items) })
	case *pickle.Tuple:
		return w.enter(v, func() error { return w.items(v.Items) })
	case *pickle.Object:
		if view := w.t.view(v); view != nil {
			return w.add(view)
		}
		return w.enter(v, func() error { return w.object(v) })
	}
	return nil
}

// enter goes into a container, unless it was there.
func (w *torchWalk) enter(v pickle.Value, into func() error) error {
	if w.seen[v] {
		return nil
	}
	w.seen[v] = true
	if len(w.path) > maxTorchDepth {
		return fault(TooLarge, -1, "the pickle nests containers over %d deep", maxTorchDepth)
	}
	return into()
}

// below looks at a value under one more key.
func (w *torchWalk) below(key string, v pickle.Value) error {
	w.path = append(w.path, key)
	err := w.value(v)
	w.path = w.path[:len(w.path)-1]
	return err
}

func (w *torchWalk) items(items []pickle.Value) error {
	for i, v := range items {
		if !holds(v) {
			continue
		}
		if err := w.below(strconv.Itoa(i), v); err != nil {
			return err
		}
	}
	return nil
}

func (w *torchWalk) dict(d *pickle.Dict) error {
	for _, p := range d.Pairs {
		if !holds(p.Value) {
			continue
		}
		if err := w.below(keyText(p.Key), p.Value); err != nil {
			return err
		}
	}
	return nil
}

// object looks at what an object that was not made would have held: the
// attributes, a dict's keys, a list's items. A module's parameters and modules
// get the names that its state_dict would give them.
func (w *torchWalk) object(o *pickle.Object) error {
	states := []pickle.Value{o.State}
	if t, ok := o.State.(*pickle.Tuple); ok && len(t.Items) == 2 { // attributes and slots
		states = t.Items
	}
	for _, s := range states {
		d, ok := s.(*pickle.Dict)
		if !ok {
			continue
		}
		if err := w.enter(d, func() error { return w.attributes(d) }); err != nil {
			return err
		}
	}
	if o.Dict != nil {
		if err := w.dict(o.Dict); err != nil {
			return err
		}
	}
	return w.items(o.Items)
}

// attributes is dict, but for the three dicts of a module, whose keys stand for
// themselves.
func (w *torchWalk) attributes(d *pickle.Dict) error {
	_, module := d.Get("_parameters")
	for _, p := range d.Pairs {
		if !holds(p.Value) {
			continue
		}
		key := keyText(p.Key)
		inner, ok := p.Value.(*pickle.Dict)
		if module && ok && (key == "_parameters" || key == "_buffers" || key == "_modules") {
			if err := w.enter(inner, func() error { return w.dict(inner) }); err != nil {
				return err
			}
			continue
		}
		if err := w.below(key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// add notes a tensor under the path.
func (w *torchWalk) add(v *torchView) error {
	if len(w.found) >= maxTorchTensors {
		return fault(TooLarge, -1, "over %d tensors", maxTorchTensors)
	}
	for _, key := range w.path {
		if w.bytes += len(key) + 1; w.bytes > maxTorchNames {
			return fault(TooLarge, -1, "the names of the tensors have over %d bytes", maxTorchNames)
		}
	}
	w.found = append(w.found, torchName{strings.Join(w.path, "."), v})
	return nil
}

// holds tells whether a value may hold tensors.
func holds(v pickle.Value) bool {
	switch v.(type) {
	case *pickle.Dict, *pickle.List, *pickle.Tuple, *pickle.Object:
		return true
	}
	return false
}

// keyText is a dict's key as a part of a name.
func keyText(key pickle.Value) string {
	switch k := key.(type) {
	case string:
		return k
	case int64:
		return strconv.FormatInt(k, 10)
	case *big.Int:
		return k.String()
	case float64:
		return strconv.FormatFloat(k, 'g', -1, 64)
	case bool:
		if k {
			return "True"
		}
		return "False"
	case nil:
		return "None"
	case pickle.Bytes:
		return string(k)
	case *pickle.Tuple:
		parts := make([]string, 0, len(k.Items))
		for _, item := range k.Items {
			if _, nested := item.(*pickle.Tuple); nested {
				item = "(...)"
			}
			parts = append(parts, keyText(item))
		}
		return "(" + strings.Join(parts, ",") + ")"
	case *pickle.Global:
		return k.String()
	case *pickle.Object:
		return k.Class
	}
	return "?"
}
