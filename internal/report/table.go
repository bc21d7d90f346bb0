// Package report shows tables of results: as text for people, and as TSV, CSV
// and JSON for programs. It knows no analysis.
package report

import (
	"fmt"
	"iter"
	"math"
	"strconv"
)

// Table is a result in rows. A cell is a string, int, float64, bool or Spark; nil
// and NaN are undefined.
type Table struct {
	Title string // may be empty
	Cols  []Column
	Rows  [][]any  // each as long as Cols
	Notes []string // sentences under the table, in text only

	// Behind, where it is not nil, gives more rows, behind those of Rows. TSV and CSV
	// write each before they ask for the next one, so that it may be the same slice
	// again; text, which aligns its columns, leaves them out.
	Behind iter.Seq[[]any]
}

// Column is one column of a Table.
type Column struct {
	Name    string
	Numeric bool // text puts its cells to the right
	Digits  int  // significant digits in text; 0 is 6
	Joined  bool // it says nothing without the column before, and in text stands beside it
	Wrap    bool // text breaks its words into lines where it finds no room, and does not shorten them

	// Spark: the cells are small curves, of type Spark or nil. Text alone has the column,
	// behind the others, where there is room for it.
	Spark bool
	Note  string // a sentence under the table where the column is shown, in text only; may be empty
}

// undefined is how a value that does not exist is written.
const undefined = "NA"

// check refuses a row that is not as long as the columns, and curves that are none.
func (t *Table) check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Cols) {
			return fmt.Errorf("row %d of the table has %d cells for %d columns", i, len(row), len(t.Cols))
		}
		for j, cell := range row {
			if _, is := cell.(Spark); is != t.Cols[j].Spark && cell != nil {
				return fmt.Errorf("row %d of the table has a %T in the column %q", i, cell, t.Cols[j].Name)
			}
		}
	}
	return nil
}

// exact writes a cell so that no digit is lost. The second result says that it
// is a word, which a format may have to quote.
func exact(cell any) (string, bool) {
	switch v := cell.(type) {
	case nil:
		return undefined, false
	case float64:
		return number(v), false
	case int:
		return strconv.Itoa(v), false
	case bool:
		return strconv.FormatBool(v), false
	case string:
		return v, true
	}
	return fmt.Sprint(cell), true
}

// number writes a float64 with as many digits as it takes to read the same one
// back.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return undefined
	case math.IsInf(v, 1):
		return "Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
