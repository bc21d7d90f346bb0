package cli

// noteCount gathers the notes of many tables, so that one that all layers share
// is told once.
type noteCount struct {
	notes  []string // in the order of their first mention
	tables map[string]int
}

func (n *noteCount) add(notes []string) {
	if n.tables == nil {
		n.tables = map[string]int{}
	}
	for _, note := range notes {
		if n.tables[note] == 0 {
			n.notes = append(n.notes, note)
		}
		n.tables[note]++
	}
}

// tell prints each note, with the number of tables when it is more than one.
func (n *noteCount) tell(a *app, op operand) {
	for _, note := range n.notes {
		if k := n.tables[note]; k > 1 {
			a.tell("%s: %s (%d tables)", inline(op.raw), note, k)
		} else {
			a.tell("%s: %s", inline(op.raw), note)
		}
	}
}
