package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// openShards opens a model in several files by its index b. The headers of all of
// them are read here, and none stays open.
//
// What can't be read of a file does not spoil the others: its tensors are listed
// as far as they are known, and reading one of them says why. Where no tensor can
// be read, opening says so.
func openShards(ctx context.Context, b *blob, l Limits) (*File, error) {
	index, err := readShardIndex(ctx, b, l)
	if err != nil {
		return nil, err
	}
	if b.folder == nil {
		e := fault(Unsupported, -1, "is the index of a checkpoint in several files, and holds no tensor itself")
		e.Hint = "give the folder that it lies in"
		return nil, e
	}
	budget := l.MaxHeader + 2*headBytes*int64(len(index.shards))
	m := &shardedModel{file: newFile("")}
	var held []*shard
	for _, x := range index.shards {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := &shard{name: x.name, path: path.Join(path.Dir(b.name), x.name), folder: b.folder, budget: &budget, size: -1}
		if err := m.add(ctx, s, x.tensors, l); err != nil {
			return nil, err
		}
		held = append(held, s)
	}
	for _, s := range held {
		s.budget = nil
	}
	if err := m.finish(len(index.shards)); err != nil {
		return nil, err
	}
	return m.file, nil
}

// shardedModel is what was found of a model in several files.
type shardedModel struct {
	file    *File
	usable  bool     // a tensor can be read, or is only of a type that is not
	formats []string // of the shards
	broken  int      // shards that can't be read
	spoilt  int      // tensors of theirs
	why     *Error   // what is wrong with the first of them
	lacking []string // tensors that are not in their shards
	first   error    // what is wrong with the first tensor that can't be read
	said    []saying
}

// saying is a warning of shards.
type saying struct {
	kind   Kind
	msg    string
	shards []string
}

// add reads a shard's header and lists the tensors that the index names for it.
func (m *shardedModel) add(ctx context.Context, s *shard, tensors []string, l Limits) error {
	f, err := s.open(ctx, l)
	if err != nil {
		return m.addBroken(s, tensors, err)
	}
	if !slices.Contains(m.formats, f.Format) {
		m.formats = append(m.formats, f.Format)
	}
	for _, w := range f.Warnings() {
		m.hear(s, w)
	}
	f.sortInfos()
	for _, name := range tensors {
		i, ok := slices.BinarySearchFunc(f.infos, name, func(t tensor.Info, name string) int { return cmp.Compare(t.Name, name) })
		if !ok {
			m.lacking = append(m.lacking, name)
			if err := m.list(name, fault(NotFound, -1, "is not in its file %s, though the index says so", quoted(s.name))); err != nil {
				return err
			}
			continue
		}
		m.usable = true
		if err := m.file.add(f.infos[i], s.reading(f.readers[name])); err != nil {
			return err
		}
	}
	return nil
}

// addBroken lists the tensors of a shard that can't be read.
func (m *shardedModel) addBroken(s *shard, tensors []string, err error) error {
	var e *Error
	if !errors.As(err, &e) || *s.budget < 0 {
		return err
	}
	m.broken++
	m.spoilt += len(tensors)
	hint := e.Hint
	if e.Kind == NotFound && hint == "" {
		hint = "it may not be downloaded yet: fetch all files of the model"
	}
	err = inFile(s.name, err)
	if m.why == nil {
		m.why = &Error{Kind: e.Kind, Msg: err.Error(), Hint: hint}
	}
	e = &Error{Kind: e.Kind, Off: -1, Msg: "its file " + err.Error(), Hint: hint}
	for _, name := range tensors {
		if err := m.list(name, e); err != nil {
			return err
		}
	}
	return nil
}

// list lists a tensor that can't be read, and why.
func (m *shardedModel) list(name string, why *Error) error {
	if m.first == nil {
		m.first = at(why, name, -1)
	}
	return m.file.add(tensor.Info{Name: name, Stored: unknownStored}, func(context.Context) (*tensor.Tensor, error) {
		return nil, at(why, name, -1)
	})
}

// hear keeps a warning of a shard. Those that several give are kept once.
func (m *shardedModel) hear(s *shard, w Warning) {
	for i := range m.said {
		if said := &m.said[i]; said.kind == w.Kind && said.msg == w.Msg {
			said.shards = append(said.shards, s.name)
			return
		}
	}
	if len(m.said) < maxSayings {
		m.said = append(m.said, saying{w.Kind, w.Msg, []string{s.name}})
	}
}

// maxSayings bounds the different warnings of shards that are kept.
const maxSayings = 20

// finish adds the warnings of what was found in the n shards.
func (m *shardedModel) finish(n int) error {
	if !m.usable {
		return m.first
	}
	m.file.Format = strings.Join(m.formats, ", ")
	if m.broken > 0 {
		hint := ""
		if m.why.Hint != "" {
			hint = " (" + m.why.Hint + ")"
		}
		m.file.warn(m.why.Kind, "", fmt.Sprintf("%d of the model's %d files can't be read, so %d of its tensors can only be listed; the first is %s%s",
			m.broken, n, m.spoilt, m.why.Msg, hint))
	}
	if len(m.lacking) > 0 {
		m.file.warn(NotFound, "", fmt.Sprintf("%d of the tensors that the index names %s: %s", len(m.lacking), plural(len(m.lacking), "is not in its file", "are not in their files"), quotedList(m.lacking, 3)))
	}
	for _, s := range m.said {
		m.file.warn(s.kind, "", fmt.Sprintf("in %s: %s", quotedList(s.shards, 3), s.msg))
	}
	return nil
}
