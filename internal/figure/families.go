package figure

// families is a legend in rows: a series, and in columns behind it those that have its
// colour, such as the fit to its data.
type families struct {
	rows   int
	width  float64
	places []familyPlace // of the entries that are shown
}

// familyPlace is where an entry stands.
type familyPlace struct {
	x     float64 // points from the plot's left edge
	row   float64
	cutTo float64 // width of the name
}

// familiesFor arranges the shown entries in families, several in a row where the width
// has room. nil: none belongs to another.
func (k *legend) familiesFor(p *page, width float64) *families {
	if k.ofMany {
		return nil
	}
	family := make([]int, len(k.shown)) // of each entry
	column := make([]int, len(k.shown)) // in its family
	number := map[int]int{}             // of the family of an owner
	members := map[int]int{}
	some := false
	for i, e := range k.shown {
		n, ok := number[e.of]
		if !ok {
			n = len(number)
			number[e.of] = n
		}
		family[i], column[i] = n, members[n]
		members[n]++
		some = some || column[i] > 0
	}
	if !some {
		return nil
	}
	var widths []float64 // of the names in each column
	for i, e := range k.shown {
		if column[i] == len(widths) {
			widths = append(widths, 0)
		}
		widths[column[i]] = max(widths[column[i]], p.width(e.name, k.size))
	}
	extra := k.besides()
	cols := float64(len(widths))
	widths = shares(widths, max(0, width-cols*extra))
	whole := 0.0
	starts := make([]float64, len(widths))
	for i, w := range widths {
		starts[i] = whole
		whole += w + extra
	}
	across := max(1, min(len(number), int((width+entryGap*k.size)/whole)))
	f := &families{rows: (len(number) + across - 1) / across}
	f.width = whole * float64((len(number)+f.rows-1)/f.rows)
	for i := range k.shown {
		f.places = append(f.places, familyPlace{
			x:     float64(family[i]/f.rows)*whole + starts[column[i]],
			row:   float64(family[i] % f.rows),
			cutTo: widths[column[i]],
		})
	}
	return f
}

// shares cuts widths down so that they sum to no more than all: the widest first, down
// to one width for all that are cut.
func shares(widths []float64, all float64) []float64 {
	cut := append([]float64(nil), widths...)
	left, kept := all, make([]bool, len(widths))
	for n := len(widths); n > 0; {
		even := left / float64(n)
		again := false
		for i, w := range widths {
			if !kept[i] && w <= even {
				kept[i], again = true, true
				left -= w
				n--
			}
		}
		if !again {
			for i := range widths {
				if !kept[i] {
					cut[i] = even
				}
			}
			break
		}
	}
	return cut
}
