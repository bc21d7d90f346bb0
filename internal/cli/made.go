package cli

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"poslens/internal/posemb"
	"poslens/internal/tensor"
)

// generateSpec makes the table of an operand gen:KIND,key=value,...
func generateSpec(spec string) (posemb.Table, error) {
	kind, rest, _ := strings.Cut(spec, ",")
	values := map[string]string{}
	for rest != "" {
		var item string
		item, rest, _ = strings.Cut(rest, ",")
		key, value, ok := strings.Cut(item, "=")
		if !ok || key == "" {
			return nil, usagef("gen:%s: %q is not key=value", spec, item)
		}
		if _, dup := values[key]; dup {
			return nil, usagef("gen:%s: %s is given twice", spec, key)
		}
		values[key] = value
	}
	return posemb.Generate(kind, values)
}

// inMemory is a table as a file with one tensor would hold it.
type inMemory struct {
	tensor tensor.Tensor
	meta   map[string]string
}

func (m *inMemory) Tensors() []tensor.Info { return []tensor.Info{m.tensor.Info} }
func (m *inMemory) Tensor(context.Context, string) (*tensor.Tensor, error) {
	return &m.tensor, nil
}
func (m *inMemory) Meta(key string) (string, bool) { v, ok := m.meta[key]; return v, ok }

// reread applies the reading options to a generated table, as if it were read
// from a file that says what the table is. Without any it is the table itself.
func reread(ctx context.Context, t posemb.Table, opt posemb.ReadOptions) (posemb.Table, error) {
	opt.Relative = false // said of bare matrices alone
	if reflect.DeepEqual(opt, posemb.ReadOptions{}) {
		return t, nil
	}
	f := flatten(t)
	n, d := f.values.Dims()
	info := tensor.Info{DType: tensor.F64, Shape: []int{n, d}}
	src := &inMemory{tensor.Tensor{Info: info, Data: f.values.RawMatrix().Data}, f.meta}
	found, err := posemb.Choose(src, posemb.Choice{}, opt)
	if err != nil {
		return nil, err
	}
	again, err := posemb.Load(ctx, src, found[0], opt)
	if err != nil {
		return nil, err
	}
	switch again := again.(type) { // no file holds it
	case *posemb.Absolute:
		again.Notes, again.Stored = append(slices.Clone(t.Remarks()), again.Notes...), nil
	case *posemb.Vectors:
		again.Notes, again.Stored = append(slices.Clone(t.Remarks()), again.Notes...), nil
	case *posemb.Bias:
		again.Notes, again.Stored = append(slices.Clone(t.Remarks()), again.Notes...), nil
	}
	return again, nil
}

// madeHere is a generated table with the info of a tensor that holds it.
func madeHere(op operand, t posemb.Table) loaded {
	n, d := flatten(t).values.Dims()
	info := tensor.Info{DType: tensor.F64, Shape: []int{n, d}}
	return loaded{op, t, info, posemb.Match{Kind: t.Kind(), Info: info, Layer: -1, Item: -1}}
}
