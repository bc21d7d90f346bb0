package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"poslens/internal/posemb"
)

// label names every table for tables, titles and the column source: the
// operand's LABEL, else its file's name. Where that does not tell two apart, the
// tensor's name follows.
func (a *app) label(all []loaded) {
	a.labels = map[string]tableName{}
	tensors := map[string]map[string]bool{}
	for _, l := range all {
		base := l.base()
		if tensors[base] == nil {
			tensors[base] = map[string]bool{}
		}
		tensors[base][l.table.From().Tensor] = true
	}
	taken := map[string]bool{}
	for _, l := range all {
		base := l.base()
		name := base
		if tensor := l.table.From().Tensor; len(tensors[name]) > 1 && tensor != "" {
			name += "#" + tensor
		}
		for n, first := 2, name; taken[name]; n++ {
			name = fmt.Sprintf("%s (%d)", first, n)
		}
		taken[name] = true
		a.labels[name] = tableName{source: name}
		if tensor, ok := strings.CutPrefix(name, base+"#"); ok {
			a.labels[name] = tableName{base, tensor}
		}
		l.table.From().Label = name
	}
}

// legend names tables for one figure. When all are of one source, that is the
// title, and the names are what tells their tensors apart; of several sources each
// name has its source in front. A single table is named by the title alone.
func legend(of []posemb.Origin) (title string, names []string) {
	if len(of) == 1 {
		return of[0].Label, []string{""}
	}
	sources := map[string][]int{} // which tables are of a source with others
	for i, o := range of {
		if source, ok := sourceOf(o); ok {
			sources[source] = append(sources[source], i)
		}
	}
	for _, o := range of {
		names = append(names, o.Label)
	}
	for source, which := range sources {
		if len(which) == 1 {
			continue
		}
		var tensors []string
		for _, i := range which {
			tensors = append(tensors, of[i].Tensor)
		}
		parts := distinctParts(tensors)
		if len(which) == len(of) {
			if shared := sharedHead(tensors[0], parts[0]); shared != "" {
				source += ", " + shared
			}
			return source, parts
		}
		for k, i := range which {
			if parts[k] != "" {
				names[i] = source + ", " + parts[k]
			}
		}
	}
	return "", names
}

// sharedHead is what stands in a tensor's name before the part that tells it
// apart, such as the tower of a model whose layers are shown.
func sharedHead(tensor, part string) string {
	first, _, _ := strings.Cut(part, "..")
	head, _, found := strings.Cut(tensor, first)
	if first == "" || !found {
		return ""
	}
	return strings.TrimRight(head, "./")
}

// sourceOf is the label without the tensor's name that label put behind it.
func sourceOf(o posemb.Origin) (string, bool) {
	return strings.CutSuffix(o.Label, "#"+o.Tensor)
}

// distinctParts shortens names to what tells them apart: the segments that
// differ, each with the word before it when it is a number. What is left out in
// between becomes "..". Names that are all alike become empty.
func distinctParts(names []string) []string {
	out := make([]string, len(names))
	var split [][]string
	for _, name := range names {
		segs := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '/' })
		split = append(split, segs)
		if len(segs) != len(split[0]) { // not of one pattern
			return middles(names)
		}
	}
	keep := make([]bool, len(split[0]))
	for j := range keep {
		for _, segs := range split {
			if segs[j] != split[0][j] {
				keep[j] = true
				if j > 0 && isNumber(segs[j]) {
					keep[j-1] = true
				}
			}
		}
	}
	for i, segs := range split {
		last := -1
		for j, seg := range segs {
			if !keep[j] {
				continue
			}
			switch {
			case last < 0:
			case last < j-1:
				out[i] += ".."
			default:
				out[i] += "."
			}
			out[i] += seg
			last = j
		}
	}
	return out
}

// middles leaves out the first and last segments that all names share.
func middles(names []string) []string {
	cut := func(name string) []string {
		return strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '/' })
	}
	head, tail := len(cut(names[0])), len(cut(names[0]))
	for _, name := range names {
		a, b := cut(names[0]), cut(name)
		i, j := 0, 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		for j < min(len(a), len(b)) && a[len(a)-1-j] == b[len(b)-1-j] {
			j++
		}
		head, tail = min(head, i), min(tail, j)
	}
	out := make([]string, len(names))
	for i, name := range names {
		segs := cut(name)
		if head+tail >= len(segs) {
			return names // one is a part of another
		}
		out[i] = strings.Join(segs[head:len(segs)-tail], ".")
	}
	return out
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// base is the label of a table without regard to others.
func (l loaded) base() string {
	switch {
	case l.op.label != "":
		return seen(l.op.label)
	case l.op.place == "-":
		return "stdin"
	case strings.HasPrefix(l.op.place, "gen:"):
		kind, _, _ := strings.Cut(l.op.place[len("gen:"):], ",")
		return kind
	}
	return seen(withoutSuffixes(filepath.Base(filepath.Clean(l.op.place))))
}

// withoutSuffixes cuts off a file's name what tells its container: how it is
// packed, which file of a TensorFlow checkpoint it is, and its last suffix. The
// step of a run, as in model.ckpt-900, is none.
func withoutSuffixes(name string) string {
	for _, packed := range []string{".gz", ".gzip", ".zst", ".zstd"} {
		if inner, ok := strings.CutSuffix(name, packed); ok && inner != "" {
			name = inner
			break
		}
	}
	if prefix, ok := tfPrefix(name); ok {
		name = prefix
	}
	ext := filepath.Ext(name)
	if step, ok := strings.CutPrefix(ext, ".ckpt-"); ok && isNumber(step) || len(ext) == len(name) || len(ext) > len(".safetensors") {
		return name
	}
	return strings.TrimSuffix(name, ext)
}
