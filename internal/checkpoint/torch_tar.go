package checkpoint

import (
	"bytes"
	"context"
	"slices"
)

// openTar refuses a tar archive. PyTorch wrote such files before version 0.1.10,
// with the members sys_info, pickle, tensors and storages.
func openTar(_ context.Context, b *blob, _ Limits) (*File, error) {
	name, err := b.bytes(0, min(b.size, 100))
	if err != nil {
		return nil, err
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	if slices.Contains([]string{"sys_info", "pickle", "tensors", "storages"}, string(name)) {
		return nil, unsupported("a PyTorch file from before 0.1.10 (a tar archive)", "load and save it with a later PyTorch: torch.save(torch.load(old), new)")
	}
	return nil, unsupported("a tar archive", "unpack it, and name the model's file")
}
