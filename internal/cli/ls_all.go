package cli

import (
	"cmp"
	"context"
	"io"

	"poslens/internal/posemb"
	"poslens/internal/report"
	"poslens/internal/tensor"
)

// header is one line of ls --all: a tensor as the file's header tells it.
type header struct {
	Source string `json:"source"`
	Tensor string `json:"tensor"`
	DType  string `json:"dtype"`  // what its elements are read as; the file's word where they can't be
	Stored string `json:"stored"` // the dtype in the file's own words
	Shape  []int  `json:"shape"`
	Bytes  *int64 `json:"bytes"` // null when the type's size is not known
}

// listAll lists every tensor of every operand, or those that its name or glob
// means.
func (a *app) listAll(ctx context.Context, operands []string, read *readingFlags, out *outputFlags) error {
	var rows []header
	partial := a.forEach(operands, func(raw string) error {
		op := parseOperand(raw, isPlace)
		file, err := a.openPlace(ctx, op.place, &read.limits)
		if err != nil {
			return err
		}
		defer file.Close()
		a.tellFile(op, file)
		infos, err := posemb.Named(file.Tensors(), cmp.Or(op.tensor, read.tensor))
		if err != nil {
			return err
		}
		for _, i := range infos {
			rows = append(rows, header{loaded{op: op}.base(), i.Name, dtypeOf(i), i.Stored, i.Shape, bytesOf(i)})
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

// bytesOf is the size of a tensor's values in the type that the file has them in,
// without gaps. Text counts as what it is read as.
func bytesOf(i tensor.Info) *int64 {
	t := i.DType
	if t == tensor.Invalid {
		return nil
	}
	if whole, ok := quantizedOf(i.Stored); ok {
		t = whole
	}
	n := int64(1)
	for _, d := range i.Shape {
		n *= int64(d)
	}
	size := t.Bytes(n)
	return &size
}

// quantizedOf is the type of the numbers that a quantised tensor is made of, by
// the words of PyTorch and ONNX. A tensor that is not quantised is of that type
// itself.
func quantizedOf(stored string) (tensor.DType, bool) {
	switch stored {
	case "QINT8", "INT8":
		return tensor.I8, true
	case "QUINT8", "UINT8":
		return tensor.U8, true
	case "INT16":
		return tensor.I16, true
	case "UINT16":
		return tensor.U16, true
	case "QINT32", "INT32":
		return tensor.I32, true
	case "FLOAT8E4M3FN":
		return tensor.F8_E4M3, true
	case "FLOAT8E5M2":
		return tensor.F8_E5M2, true
	}
	return tensor.Invalid, false
}

// dtype is the type for tables, with the file's word beside it where that is of
// another type.
func (h header) dtype() string {
	whole, ok := quantizedOf(h.Stored)
	if ok && whole.String() != h.DType && h.Stored != h.DType || h.Stored == "text" {
		return h.DType + " (" + h.Stored + ")"
	}
	return h.DType
}

func headerProduct(rows []header) *product {
	table := func() *report.Table {
		t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "tensor"}, {Name: "dtype"}, {Name: "shape"}, {Name: "bytes", Numeric: true}}}
		for _, r := range rows {
			var bytes any
			if r.Bytes != nil {
				bytes = int(*r.Bytes)
			}
			t.Rows = append(t.Rows, []any{r.Source, r.Tensor, r.dtype(), joinInts(r.Shape, "x"), bytes})
		}
		return t
	}
	return &product{
		command: "ls",
		table:   table,
		results: func() []any { return each(rows) },
		// Names are whole, however wide the screen, so that they can be copied.
		text: func(w io.Writer, s screen) error {
			s.width = 0
			return s.table(w, table())
		},
	}
}
