package checkpoint

import (
	"context"
	"io/fs"
	"path/filepath"
)

// Bounds on an index of shards.
const (
	maxIndex        = 64 << 20 // bytes
	maxShards       = 1 << 14
	maxShardTensors = 1 << 19
)

// weightMap is the name under which an index has its tensors.
const weightMap = "weight_map"

// shardIndex is the index of a model in several files, its shards: which of them
// each tensor is in (huggingface_hub, serialization/_base.py).
type shardIndex struct {
	shards  []indexedShard // in the order of the index
	tensors int
	at      map[string]int // a shard's place among shards
}

// indexedShard is a shard, and the tensors that are said to be in it.
type indexedShard struct {
	name    string
	tensors []string
}

// readShardIndex reads {"weight_map": {tensor: file, ...}, ...}. Names of files
// that lead out of the index's folder are UnsafePath.
func readShardIndex(ctx context.Context, b *blob, l Limits) (*shardIndex, error) {
	if b.size > maxIndex {
		return nil, fault(TooLarge, -1, "an index of %d bytes, and at most %d are read", b.size, int64(maxIndex))
	}
	r, base, err := openUTF8(ctx, b, l)
	if err != nil {
		return nil, err
	}
	s := &jsonScan{r: r, base: base}
	x := &shardIndex{at: map[string]int{}}
	if err := s.opening('{', "the index"); err != nil {
		return nil, err
	}
	seen := false
	err = s.entries(func(name string) error {
		switch {
		case name != weightMap:
			return s.skip(nil)
		case seen:
			return s.fault(DuplicateName, "the name %s stands twice in the index", quoted(name))
		}
		seen = true
		if err := s.opening('{', weightMap); err != nil {
			return err
		}
		return s.entries(func(tensor string) error { return x.add(s, tensor) })
	})
	if err == nil {
		err = s.end()
	}
	switch {
	case err != nil:
		return nil, err
	case x.tensors == 0:
		return nil, fault(NotFound, -1, "is the index of a checkpoint in several files, and names no tensor")
	}
	return x, nil
}

// add takes a tensor's entry, behind its name.
func (x *shardIndex) add(s *jsonScan, tensor string) error {
	if c, err := s.peek(); err != nil || c != '"' {
		if err == nil {
			err = s.fault(Corrupt, "%q where the name of a shard belongs", c)
		}
		return err
	}
	start := s.off()
	name, cut, err := s.str()
	switch {
	case err != nil:
		return err
	case cut || !localName(name):
		return fault(UnsafePath, start, "the shard %s is no file of the index's folder", quoted(name))
	}
	i, known := x.at[name]
	if !known {
		i = len(x.shards)
		if i == maxShards {
			return fault(TooLarge, start, "an index of over %d shards", maxShards)
		}
		x.at[name] = i
		x.shards = append(x.shards, indexedShard{name: name})
	}
	if x.tensors++; x.tensors > maxShardTensors {
		return fault(TooLarge, start, "an index of over %d tensors", maxShardTensors)
	}
	x.shards[i].tensors = append(x.shards[i].tensors, tensor)
	return nil
}

// localName tells a name, of a file, that stays inside the folder from which it
// is named, on every system.
func localName(name string) bool {
	return name != "." && fs.ValidPath(name) && filepath.IsLocal(filepath.FromSlash(name))
}
