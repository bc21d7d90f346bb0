package checkpoint

import (
	"context"
	"fmt"
	"io"
	"slices"

	"poslens/internal/tensor"
)

// openText reads a matrix written as text: cells between commas, semicolons, tabs
// or spaces, a row a line. A first line of names and lines that start with # are
// left out. The file's only tensor has no name.
//
// A first column named index, position, offset, or nothing, that counts up by
// one (position by any step) is dropped, and Meta("text.index") has its name. One named offset also
// sets poslens.offsets and poslens.kind, which is bias where all other columns are
// called head_..., and else vectors.
func openText(ctx context.Context, b *blob, l Limits) (*File, error) {
	r, _, err := openUTF8(ctx, b, l)
	if err != nil {
		return nil, err
	}
	m := textMatrix{most: l.MaxElements}
	lines := textLines{r: r}
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := m.line(line, lines.no); err != nil {
			return nil, err
		}
	}
	return m.file()
}

// file makes the matrix a File.
func (m *textMatrix) file() (*File, error) {
	if m.rows == 0 {
		what := "no rows of numbers"
		if m.head.line > 0 {
			what = "a line of names, but no rows of numbers"
		}
		return nil, fault(Empty, -1, "%s", what)
	}
	f := newFile("text")
	switch {
	case m.head.index && m.counts:
		if m.cols == 1 {
			return nil, fault(Empty, -1, "the column %s alone, and no numbers beside it", quoted(m.head.first))
		}
		from := int(m.data[0])
		m.drop()
		f.meta["text.index"] = m.head.first
		if m.head.first == "position" && (from != 0 || m.rows > 1 && m.step != 1) {
			f.meta["poslens.positions"] = fmt.Sprintf("%d:%d", from, int(max(m.step, 1)))
		}
		if m.head.first == "offset" {
			f.meta["poslens.kind"] = "vectors"
			if m.head.heads {
				f.meta["poslens.kind"] = "bias"
			}
			f.meta["poslens.offsets"] = fmt.Sprintf("%d:%d", from, from+m.rows)
		}
	case m.head.must:
		_, why := parseCell(nil)
		return nil, cellFault(m.head.line, 1, why)
	case m.head.index:
		f.warn(Parse, "", fmt.Sprintf("column %s is read as numbers of the table: it does not count up by one (%s)", quoted(m.head.first), m.broken))
	case m.counts && m.rows > 1 && m.cols > 1 && m.head.line > 0:
		f.warn(Parse, "", fmt.Sprintf(`column %s counts up by one but is read as numbers of the table; named "index" it would be left out`, quoted(m.head.first)))
	}
	if m.labels {
		f.warn(Parse, "", fmt.Sprintf("line %d counts 0, 1, 2 ... like names of columns, but is read as a row", m.first))
	}
	if err := f.addNumbers("", []int{m.rows, m.cols}, m.data); err != nil {
		return nil, err
	}
	return f, nil
}

// drop takes the first column out.
func (m *textMatrix) drop() {
	w := m.cols - 1
	for i := range m.rows {
		copy(m.data[i*w:(i+1)*w], m.data[i*m.cols+1:(i+1)*m.cols])
	}
	m.cols = w
	m.data = m.data[:m.rows*w]
}

// addNumbers lists a tensor of a text file, whose numbers are in memory already.
func (f *File) addNumbers(name string, shape []int, data []float64) error {
	info := tensor.Info{Name: name, DType: tensor.F64, Stored: "text", Shape: shape}
	return f.add(info, func(context.Context) (*tensor.Tensor, error) {
		return &tensor.Tensor{Info: info, Data: slices.Clone(data)}, nil
	})
}

// cellFault is the fault of one cell. Lines and columns count from 1.
func cellFault(line, column int, why string) *Error {
	return fault(Parse, -1, "line %d, column %d: %s", line, column, why)
}
