package posemb

import (
	"strings"

	"poslens/internal/tensor"
)

// survey is a source's names and shapes, split once.
type survey struct {
	src    Source
	infos  []tensor.Info
	names  [][]string     // segments of each name
	byName map[string]int // joined segments -> index
	model  string         // model_type, or GGUF's architecture; lower case
	kind   string         // poslens.kind, where the source is a table of our own
	opt    ReadOptions    // what the caller says of a tensor: its dimensions, its window
}

// lookOver makes a survey; it reads no data.
func lookOver(src Source) *survey {
	s := &survey{src: src, infos: src.Tensors(), byName: map[string]int{}}
	s.names = make([][]string, len(s.infos))
	for i, t := range s.infos {
		s.names[i] = segments(t.Name)
		s.byName[strings.Join(s.names[i], ".")] = i
	}
	for _, key := range []string{"model_type", "config.model_type", "general.architecture"} {
		if v, ok := src.Meta(key); ok {
			s.model = strings.ToLower(v)
			break
		}
	}
	s.kind, _ = src.Meta("poslens.kind")
	return s
}
