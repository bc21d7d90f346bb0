package posemb_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// previous is a T5 bias of 32 buckets and 4 heads that attends to the token before:
// bucket 1 of head 0 holds it, as offset -1 falls there.
func previous(bucket, head int) float32 {
	if bucket == 1 && head == 0 {
		return 3
	}
	return float32(bucket%5)/10 - float32(head)/7
}

// Whatever a container does with the order of a tensor's numbers, a head that attends
// to the token before peaks at offset -1: rows first or columns first, dimensions
// reversed, views by strides, heads first or last, either byte order.
func TestPreviousTokenThroughContainers(t *testing.T) {
	const buckets, heads = 32, 4
	const hf, t5x, gguf = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", "target/encoder/relpos_bias/rel_embedding", "enc.blk.0.attn_rel_b.weight"
	little, big := binary.ByteOrder(binary.LittleEndian), binary.ByteOrder(binary.BigEndian)
	bucketsFirst := numbers(little, buckets, heads, func(i, j int) float32 { return previous(i, j) })
	headsFirst := numbers(little, heads, buckets, func(i, j int) float32 { return previous(j, i) })
	byRule := posemb.ReadOptions{Buckets: &posemb.BucketRule{Name: posemb.T5Both, Buckets: buckets, MaxDistance: 128}}
	for name, c := range map[string]struct {
		file string
		data []byte
		opt  posemb.ReadOptions
	}{
		"npy":                          {"a.npy", npy("<f4", false, buckets, heads, bucketsFirst), byRule},
		"npy, columns first":           {"a.npy", npy("<f4", true, buckets, heads, headsFirst), byRule},
		"npy, the other byte order":    {"a.npy", npy(">f4", false, buckets, heads, numbers(big, buckets, heads, func(i, j int) float32 { return previous(i, j) })), byRule},
		"npy, heads first":             {"a.npy", npy("<f4", false, heads, buckets, headsFirst), byRule},
		"safetensors":                  {"a.safetensors", safetensors(hf, buckets, heads, bucketsFirst), posemb.ReadOptions{}},
		"safetensors of T5X":           {"a.safetensors", safetensors(t5x, heads, buckets, headsFirst), posemb.ReadOptions{}},
		"safetensors, HF heads first":  {"a.safetensors", safetensors(hf, heads, buckets, headsFirst), posemb.ReadOptions{}},
		"GGUF, dimensions reversed":    {"a.gguf", ggufOf(gguf, heads, buckets, bucketsFirst), posemb.ReadOptions{}},
		"PyTorch":                      {"a.pt", torch(t, hf, buckets, heads, heads, 1, bucketsFirst), posemb.ReadOptions{}},
		"PyTorch, a transposed view":   {"a.pt", torch(t, hf, buckets, heads, 1, buckets, headsFirst), posemb.ReadOptions{}},
		"PyTorch, T5X's way by a view": {"a.pt", torch(t, t5x, heads, buckets, 1, heads, bucketsFirst), posemb.ReadOptions{}},
		"text":                         {"a.csv", []byte(text(buckets, heads)), byRule},
		"JSON":                         {"a.json", jsonOf(hf, buckets, heads), posemb.ReadOptions{}},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := checkpoint.Open(t.Context(), fstest.MapFS{c.file: {Data: c.data}}, c.file, checkpoint.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			found, err := posemb.Choose(f, posemb.Choice{}, c.opt)
			if err != nil || len(found) != 1 {
				t.Fatalf("%v, %v", found, err)
			}
			table, err := posemb.Load(t.Context(), f, found[0], c.opt)
			if err != nil {
				t.Fatal(err)
			}
			b := table.(*posemb.Bias)
			n, h := b.Scores.Dims()
			if h != heads || n != 257 {
				t.Fatalf("%d offsets, %d heads; %q", n, h, b.Notes)
			}
			for i := range n {
				if k := b.Axes[0].Min + i; (b.Scores.At(i, 0) == 3) != (k == -1) {
					t.Errorf("score %v at offset %d; %q", b.Scores.At(i, 0), k, b.Notes)
				}
			}
		})
	}
}

// numbers are a matrix's values in row order, four bytes each.
func numbers(order binary.ByteOrder, rows, cols int, at func(i, j int) float32) []byte {
	var b bytes.Buffer
	for i := range rows {
		for j := range cols {
			_ = binary.Write(&b, order, at(i, j))
		}
	}
	return b.Bytes()
}

func npy(dtype string, fortran bool, rows, cols int, data []byte) []byte {
	order := map[bool]string{true: "True", false: "False"}[fortran]
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }\n", dtype, order, rows, cols)
	return append(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8)), append([]byte(header), data...)...)
}

func safetensors(name string, rows, cols int, data []byte) []byte {
	header := fmt.Sprintf(`{%q:{"dtype":"F32","shape":[%d,%d],"data_offsets":[0,%d]}}`, name, rows, cols, len(data))
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), append([]byte(header), data...)...)
}

// ggufOf writes the dimensions with the fastest first.
func ggufOf(name string, fastest, slowest int, data []byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("GGUF"), 3)
	b = le.AppendUint64(b, 1)
	b = le.AppendUint64(b, 0)
	b = append(le.AppendUint64(b, uint64(len(name))), name...)
	b = le.AppendUint32(b, 2)
	b = le.AppendUint64(le.AppendUint64(b, uint64(fastest)), uint64(slowest))
	b = le.AppendUint64(le.AppendUint32(b, 0), 0)
	for len(b)%32 != 0 {
		b = append(b, 0)
	}
	return append(b, data...)
}

// torch is PyTorch's archive with one tensor, a view by strides of its storage.
func torch(t *testing.T, name string, rows, cols, rowStride, colStride int, data []byte) []byte {
	t.Helper()
	word := func(s string) string { return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s }
	number := func(n int) string { return "M" + string(binary.LittleEndian.AppendUint16(nil, uint16(n))) }
	pickle := "\x80\x02}" + word(name) +
		"ctorch._utils\n_rebuild_tensor_v2\n(" +
		"(" + word("storage") + "ctorch\nFloatStorage\n" + word("0") + word("cpu") + number(len(data)/4) + "tQ" +
		number(0) + number(rows) + number(cols) + "\x86" + number(rowStride) + number(colStride) + "\x86" +
		"\x89ccollections\nOrderedDict\n)RtRs."
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, member := range []struct {
		name string
		data []byte
	}{{"archive/data.pkl", []byte(pickle)}, {"archive/data/0", data}, {"archive/version", []byte("3\n")}} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: member.name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(member.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func text(rows, cols int) string {
	var s strings.Builder
	for i := range rows {
		for j := range cols {
			fmt.Fprintf(&s, "%v,", previous(i, j))
		}
		s.WriteByte('\n')
	}
	return strings.ReplaceAll(s.String(), ",\n", "\n")
}

func jsonOf(name string, rows, cols int) []byte {
	table := make([][]float32, rows)
	for i := range table {
		for j := range cols {
			table[i] = append(table[i], previous(i, j))
		}
	}
	b, err := json.Marshal(map[string]any{name: table})
	if err != nil {
		panic(err) // a bug: these are plain numbers
	}
	return b
}
