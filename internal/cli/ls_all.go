package cli

import (
	"context"
	"io"

	"poslens/internal/report"
	"poslens/internal/tensor"
)

// header is one line of ls --all: a tensor as the file's header tells it.
type header struct {
	Source string `json:"source"`
	Tensor string `json:"tensor"`
	DType  string `json:"dtype"`
	Shape  []int  `json:"shape"`
	Bytes  *int64 `json:"bytes"` // null when the type's size is not known
}

// listAll lists every tensor of every operand.
func (a *app) listAll(ctx context.Context, operands []string, limits *limitFlags, out *outputFlags) error {
	var rows []header
	partial := a.forEach(operands, func(raw string) error {
		op := parseOperand(raw, isPlace)
		file, err := a.openPlace(ctx, op.place, limits)
		if err != nil {
			return err
		}
		defer file.Close()
		a.tellFile(op, file)
		for _, i := range file.Tensors() {
			rows = append(rows, header{loaded{op: op}.base(), i.Name, dtypeOf(i), i.Shape, bytesOf(i)})
		}
		return nil
	})
	if len(rows) == 0 && partial != nil {
		return partial
	}
	if err := a.emit(ctx, out, headerProduct(rows)); err != nil {
		return err
	}
	return partial
}

// bytesOf is the size of a tensor's values, without gaps.
func bytesOf(i tensor.Info) *int64 {
	if i.DType == tensor.Invalid {
		return nil
	}
	n := int64(1)
	for _, d := range i.Shape {
		n *= int64(d)
	}
	size := i.DType.Bytes(n)
	return &size
}

func headerProduct(rows []header) *product {
	table := func() *report.Table {
		t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "tensor"}, {Name: "dtype"}, {Name: "shape"}, {Name: "bytes", Numeric: true}}}
		for _, r := range rows {
			var bytes any
			if r.Bytes != nil {
				bytes = int(*r.Bytes)
			}
			t.Rows = append(t.Rows, []any{r.Source, r.Tensor, r.DType, joinInts(r.Shape, "x"), bytes})
		}
		return t
	}
	return &product{
		command: "ls",
		table:   table,
		results: func() []any { return each(rows) },
		text:    func(w io.Writer, s screen) error { return report.WriteText(w, table(), s.width) },
	}
}
