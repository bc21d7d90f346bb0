package checkpoint

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// openedJSON opens a string as JSON, whatever it looks like.
func openedJSON(t testing.TB, text string) (*File, error) {
	t.Helper()
	f, err := openJSON(t.Context(), memory([]byte(text)), defaults)
	if (f == nil) != (err != nil) {
		t.Fatalf("the file %v with the error %v", f, err)
	}
	if f != nil {
		f.sortInfos()
	}
	return f, err
}

// array is a tensor that a test wants.
type array struct {
	shape []int
	data  []float64
}

func TestJSON(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	square := array{[]int{2, 2}, []float64{1, 2, 3, 4}}
	for _, c := range []struct {
		name, text string
		want       map[string]array
		meta       map[string]string
	}{
		{name: "matrix", text: "[[1,2],[3,4]]", want: map[string]array{"": square}},
		{name: "space everywhere", text: " [ [ 1 , 2 ] ,\r\n\t[ 3 , 4 ] ] \n", want: map[string]array{"": square}},
		{name: "byte order mark", text: "\xef\xbb\xbf[[1,2],[3,4]]", want: map[string]array{"": square}},
		{name: "vector", text: "[1e3,-0.5,-0,1e-320]", want: map[string]array{"": {[]int{4}, []float64{1000, -0.5, math.Copysign(0, -1), 1e-320}}}},
		{name: "deep", text: "[[[[1],[2]]]]", want: map[string]array{"": {[]int{1, 1, 2, 1}, []float64{1, 2}}}},
		{name: "as deep as may be", text: strings.Repeat("[", jsonDepth) + "7" + strings.Repeat("]", jsonDepth), want: map[string]array{"": {slices.Repeat([]int{1}, jsonDepth), []float64{7}}}},
		{name: "Python's words", text: "[NaN,Infinity,-Infinity,null]", want: map[string]array{"": {[]int{4}, []float64{nan, inf, -inf, nan}}}},
		{name: "shape and data", text: `{"shape":[2,2],"data":[1,2,3,4]}`, want: map[string]array{"": square}},
		{name: "data and shape", text: `{"data":[1,2,3,4],"dtype":"float32","shape":[2,2]}`, want: map[string]array{"": square}, meta: map[string]string{"dtype": "float32"}},
		{name: "nested data", text: `{"shape":[2,2],"data":[[1,2],[3,4]]}`, want: map[string]array{"": square}},
		{name: "no rows", text: `{"shape":[0,5],"data":[]}`, want: map[string]array{"": {[]int{0, 5}, nil}}},
		{name: "scalar", text: `{"shape":[],"data":[5]}`, want: map[string]array{"": {[]int{}, []float64{5}}}},
		{name: "names", text: `{"b":[[1,2],[3,4]],"a":[5]}`, want: map[string]array{"a": {[]int{1}, []float64{5}}, "b": square}},
		{name: "names of shape and data", text: `{"w":{"shape":[2,2],"data":[1,2,3,4]}, "other":{"x":{"y":{"z":[{}]}}}}`, want: map[string]array{"w": square}},
		{name: "escaped name", text: `{"\u0061\/\"\ud83d\ude00\n":[5]}`, want: map[string]array{"a/\"😀\n": {[]int{1}, []float64{5}}}},
		{name: "metadata", text: `{"poslens.kind":"vectors","n":2,"yes":true,"no":null,"w":[[1,2],[3,4]]}`, want: map[string]array{"w": square},
			meta: map[string]string{"poslens.kind": "vectors", "n": "2", "yes": "true"}},
		{name: "an empty list among others", text: `{"a":[],"b":[[1,2],[3,4]]}`, want: map[string]array{"a": {[]int{0}, nil}, "b": square}},
		{name: "a matrix named results", text: `{"results":[[1,2],[3,4]]}`, want: map[string]array{"results": square}},
		{name: "a matrix beside model_type", text: `{"model_type":"gpt2","wpe":[[1,2],[3,4]]}`, want: map[string]array{"wpe": square}, meta: map[string]string{"model_type": "gpt2"}},

		{name: "poslens, vectors", text: `{"schema":1,"command":"export","results":[{"source":"m","kind":"vectors","offsets":[-1,0],"reserved":0,"tensor":"rel","table":[[1,2],[3,4]],"x":{"y":["z"]},"words":["a"]}]}`,
			want: map[string]array{"rel": square}, meta: map[string]string{"poslens.kind": "vectors", "poslens.offsets": "-1:1", "poslens.reserved": "0"}},
		{name: "poslens, absolute", text: `{"command":"generate","results":[{"kind":"absolute","tensor":null,"offsets":null,"table":[[1,2],[3,null]]}],"schema":1}`,
			want: map[string]array{"table": {[]int{2, 2}, []float64{1, 2, 3, nan}}}, meta: map[string]string{"poslens.kind": "absolute"}},
		{name: "poslens, a grid", text: `{"schema":1,"command":"export","results":[{"kind":"absolute","arch":"DETR","grid":{"rows":1,"cols":2},"frames":1,"table":[[1,2],[3,4]]}]}`,
			want: map[string]array{"table": square}, meta: map[string]string{"poslens.kind": "absolute", "poslens.arch": "DETR", "poslens.grid": "1x1x2"}},
		{name: "poslens, a grid without sides", text: `{"schema":1,"command":"export","results":[{"kind":"absolute","grid":{},"table":[[1,2],[3,4]]}]}`,
			want: map[string]array{"table": square}, meta: map[string]string{"poslens.kind": "absolute", "poslens.grid": "x"}},
		{name: "poslens, steps", text: `{"schema":1,"command":"export","results":[{"kind":"bias","offsets":[0,1],"beyond":"clipped","heads":["0","a,\"b"],"steps":true,"unused":[16,1e20,0.5],"table":[[1,2],[3,4]]}]}`,
			want: map[string]array{"table": square}, meta: map[string]string{"poslens.kind": "bias", "poslens.offsets": "0:2", "poslens.beyond": "clipped",
				"poslens.heads": `["0","a,\"b"]`, "poslens.steps": "true", "poslens.unused": "16,100000000000000000000,0.5"}},
		{name: "poslens, words that are no lists", text: `{"schema":1,"command":"export","results":[{"heads":[],"unused":["a"],"grid":[2,1],"table":[[1,2],[3,4]]}]}`, want: map[string]array{"table": square}},
		{name: "poslens, raw", text: `{"schema":1,"command":"export","results":[{"source":"m","tensor":"w","shape":[2,2],"data":[1,2,3,4]}]}`, want: map[string]array{"w": square}},
		{name: "poslens, raw scalar", text: `{"schema":1,"command":"export","results":[{"source":"m","tensor":"w","shape":[],"data":[1]}]}`, want: map[string]array{"w": {[]int{}, []float64{1}}}},
		{name: "poslens, two tables", text: `{"schema":1,"command":"export","results":[{"kind":"absolute","tensor":"b","table":[[1,2],[3,4]]},{"kind":"absolute","tensor":"a","table":[[1,2],[3,4]]}]}`,
			want: map[string]array{"a": square, "b": square}, meta: map[string]string{"poslens.kind": "absolute"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := openedJSON(t, c.text)
			if err != nil {
				t.Fatal(err)
			}
			checkListing(t, f)
			if len(f.Tensors()) != len(c.want) {
				t.Errorf("tensors %v, want %d", f.Tensors(), len(c.want))
			}
			for name, w := range c.want {
				got, err := f.Tensor(t.Context(), name)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Shape, w.shape) {
					t.Errorf("%q: shape %v, want %v", name, got.Shape, w.shape)
				}
				wantFloats(t, got.Data, w.data)
			}
			if d := cmp.Diff(c.meta, f.meta, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("metadata: %s", d)
			}
		})
	}
}

func TestJSONErrors(t *testing.T) {
	result := func(s string) string { return `{"schema":1,"command":"export","results":[` + s + `]}` }
	for _, c := range []struct {
		name, text string
		kind       Kind
		msg        string
	}{
		{"nothing", "", Empty, ""},
		{"white space", " \n", Empty, ""},
		{"empty list", "[]", Empty, "shape [0]"},
		{"empty lists", "[[],[]]", Empty, "shape [2 0]"},
		{"empty object", "{}", Empty, ""},
		{"a number", "5", Parse, "'5' where a list or an object belongs (byte 0)"},

		{"short row", "[[1,2,3],[4,5]]", BadShape, "^[1]: items: 2, but the lists before have 3"},
		{"long row", "[[[1],[2]],[[3],[4,5]]]", BadShape, "^[1][1]: items: 2, but the lists before have 1"},
		{"empty row", "[[1],[]]", BadShape, "^[1]: items: 0, but the lists before have 1"},
		{"empty row in front", "[[],[1]]", BadShape, "^[1]: items: 1, but the lists before have 0"},
		{"list among numbers", "[1,[2]]", BadShape, "^[1]: a list where a number belongs"},
		{"number among lists", "[[1],2]", BadShape, "^[1]: a number where a list belongs"},
		{"number behind an empty list", "[[],2]", BadShape, "^[1]: a number where a list belongs"},
		{"lists of lists and of none", "[[[]],[]]", BadShape, ""},
		{"null for a row", "[[1],null]", BadShape, "^[1]: a number where a list belongs"},

		{"string", `[[1,"2"],[3,4]]`, Parse, `^[0][1]: the string "2" where a number belongs`},
		{"string in a named table", `{"a":[1],"b":["x"]}`, Parse, `^tensor "b": [0]: the string "x"`},
		{"records", `[{"a":1}]`, Parse, "^[0]: an object where a number belongs"},
		{"true", "[1,true]", Parse, `^[1]: "true" is not a number`},
		{"small nan", "[nan]", Parse, `"nan" is not a number`},
		{"plus", "[+1]", Parse, `"+1" is not a number`},
		{"leading zero", "[01]", Parse, `"01" is not a number`},
		{"bare point", "[1.]", Parse, ""},
		{"point in front", "[.5]", Parse, ""},
		{"bare exponent", "[1e]", Parse, ""},
		{"hexadecimal", "[0x1]", Parse, ""},
		{"out of range", "[1e400]", Parse, `^[0]: "1e400" does not fit a float64`},
		{"endless number", "[" + strings.Repeat("1", 5000) + "]", Parse, ""},
		{"no comma", "[1 2]", Parse, "'2' where a comma or ']' belongs (byte 3)"},
		{"two commas", "[1,,2]", Parse, "',' where a value belongs (byte 3)"},
		{"comma at the end", "[1,]", Parse, "a comma before ']'"},
		{"comma in front", "[,1]", Parse, ""},
		{"wrong bracket", "[1}", Parse, ""},
		{"two values", "[1]\n[2]", Parse, "'[' after the end of the value (byte 4)"},
		{"no colon", `{"a" [1]}`, Parse, ""},
		{"no name", `{[1]}`, Parse, ""},
		{"no quotes", `{a:[1]}`, Parse, ""},
		{"bad escape", `{"\x":[1]}`, Parse, ""},
		{"newline in a name", "{\"a\nb\":[1]}", Parse, ""},
		{"word for a value", `{"a":word}`, Parse, ""},
		{"not UTF-8", "{\"a\xff\":[1]}", Corrupt, "not UTF-8"},
		{"half a pair", `{"\ud83d":[1]}`, Corrupt, "surrogate"},
		{"wrong pair", `{"\ud83d\u0041":[1]}`, Corrupt, "surrogate"},

		{"cut in a list", "[[1,2],[3", Truncated, "(byte 9)"},
		{"cut in a string", `{"ab`, Truncated, ""},
		{"cut in an escape", `{"\u00`, Truncated, ""},
		{"cut behind a name", `{"a":`, Truncated, ""},
		{"cut behind a fault", `[["x",[`, Truncated, ""},

		{"deep", strings.Repeat("[", 100_000), Corrupt, "nested deeper than 32"},
		{"deep objects", strings.Repeat(`{"a":`, 100_000), Corrupt, "nested deeper than 32"},
		{"deep behind a fault", `["x",` + strings.Repeat("[", 100_000), Corrupt, "nested deeper than 32"},
		{"deep in turns", strings.Repeat(`[{"a":`, 100_000), Corrupt, "nested deeper than 32"},

		{"name twice", `{"a":[1],"a":[2]}`, DuplicateName, `"a" stands twice`},
		{"name twice, escaped", `{"a":[1],"\u0061":[2]}`, DuplicateName, ""},
		{"long name", `{"` + strings.Repeat("a", 5000) + `":[1]}`, TooLarge, ""},
		{"many names", manyNames(), NotATable, ""},
		{"many objects", result(strings.Repeat("{},", jsonNames) + "{}"), NotATable, "over 100000 objects and names"},
		{"long string", `["` + strings.Repeat("wörter ", 2000) + `"]`, Parse, `^[0]: the string "wörter wörter`},

		{"shape lies", `{"shape":[3],"data":[1,2]}`, BadShape, "shape [3] needs 3 numbers, and there are 2"},
		{"shape lies grandly", `{"shape":[4294967296,4294967296],"data":[1]}`, BadShape, ""},
		{"shape is negative", `{"shape":[-1,-2],"data":[1,2]}`, BadShape, ""},
		{"shape is no integer", `{"shape":[1.5],"data":[1]}`, BadShape, ""},
		{"shape is null", `{"shape":[null],"data":[1]}`, BadShape, ""},
		{"shape is a matrix", `{"shape":[[1]],"data":[1]}`, BadShape, ""},
		{"shape of other lists", `{"shape":[4],"data":[[1,2],[3,4]]}`, BadShape, ""},
		{"named shape lies", `{"w":{"shape":[3],"data":[1,2]}}`, BadShape, `^tensor "w": `},

		{"config", `{"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_positions":1024}`, NotATable, `is a model's configuration ("gpt2"), not a table`},
		{"config with lists", `{"depths":[2,2],"architectures":["Swin"],"id2label":{"0":{"a":{"b":1}}}}`, NotATable, "is a model's configuration, not a table"},
		{"scalars", `{"hello":1,"world":"x"}`, NotATable, `its first name is "hello"`},
		{"shard index without its folder", `{"metadata":{"total_size":1},"weight_map":{"wpe.weight":"model-1.safetensors"}}`, Unsupported, "index of a checkpoint in several files"},
		{"empty shard index", `{"weight_map":{ }}`, NotFound, "names no tensor"},

		{"result of decay", `{"schema":1,"command":"decay","results":[{"source":"a","mean":[1,2],"words":["x"]}]}`, NotATable, `is a result of poslens's command "decay", not a table`},
		{"no results", result(""), Empty, ""},
		{"results of numbers and objects", `{"schema":1,"command":"x","results":[{},1]}`, Parse, "'1' where a result of poslens belongs"},
		{"later schema", `{"schema":2,"command":"export","results":[]}`, Unsupported, `schema "2"`},
		{"ragged table", result(`{"table":[[1],[2,3]]}`), BadShape, ""},
		{"words in a table", result(`{"table":[["x"]]}`), Parse, ""},
		{"too few offsets", result(`{"offsets":[0],"table":[[1],[2]]}`), BadShape, "offsets of shape [1] beside a table of shape [2 1]"},
		{"offsets beside a scalar", result(`{"offsets":[0],"shape":[],"data":[1]}`), BadShape, ""},
		{"raw shape lies", result(`{"shape":[2],"data":[1]}`), BadShape, ""},
		{"offsets with a gap", result(`{"offsets":[0,2],"table":[[1],[2]]}`), BadShape, "do not count up by one"},
		{"offsets of two axes", result(`{"offsets":[[0,1],[0,2]],"table":[[1],[2]]}`), BadShape, ""},
		{"offsets of words", result(`{"offsets":["a"],"table":[[1]]}`), Parse, ""},
		{"heads that are no names", result(`{"heads":["a",1],"table":[[1]]}`), Parse, "'1' where a name in quotes belongs"},
		{"an endless name", result(`{"heads":["` + strings.Repeat("a", jsonWord+1) + `"],"table":[[1]]}`), TooLarge, "over 4096 names, or one of over 4096 bytes"},
		{"endless heads", result(`{"heads":["a"` + strings.Repeat(`,"a"`, mostHeads) + `],"table":[[1]]}`), TooLarge, "over 4096 names"},
		{"two grids", result(`{"tensor":"a","grid":{"rows":1,"cols":1},"table":[[1]]},{"tensor":"b","grid":{"rows":2,"cols":1},"table":[[1],[2]]}`), Unsupported, "poslens.grid"},
		{"names of tables", `{"heads":["a"]}`, Parse, ""},
		{"reserved words", result(`{"reserved":"x","table":[[1]]}`), Parse, ""},
		{"two kinds", result(`{"tensor":"a","kind":"vectors","table":[[1]]},{"tensor":"b","kind":"bias","table":[[1]]}`), Unsupported, "poslens.kind"},
		{"a kind and none", result(`{"tensor":"a","kind":"vectors","table":[[1]]},{"tensor":"b","table":[[1]]}`), Unsupported, ""},
		{"one name", result(`{"tensor":"a","table":[[1]]},{"tensor":"a","table":[[1]]}`), DuplicateName, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := openedJSON(t, c.text)
			wantFault(t, err, c.kind, c.msg)
		})
	}
}

// manyNames is an object such as a vocabulary.
func manyNames() string {
	var b strings.Builder
	b.WriteString("{")
	for i := range jsonNames + 1 {
		fmt.Fprintf(&b, `"token %d":%d,`, i, i)
	}
	return b.String() + `"":0}`
}

// TestJSONCut opens every beginning of a text: none is whole.
func TestJSONCut(t *testing.T) {
	for _, text := range []string{
		`[[1.5,NaN],[null,-Infinity]]`,
		`{"a":[[1,2]],"b":"x\u00e9","c":{"shape":[1],"data":[1],"d":{"e":{}}}}`,
		`{"schema":1,"command":"export","results":[{"tensor":"a","offsets":[-1],"table":[[1]]}]}`,
	} {
		if _, err := openedJSON(t, text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for n := 1; n < len(text); n++ {
			if _, err := openedJSON(t, text[:n]); kindOf(err) != Truncated && kindOf(err) != Parse {
				t.Errorf("%s: error %v, want Truncated", text[:n], err)
			}
		}
	}
}

func FuzzJSON(f *testing.F) {
	seedFixtures(f, "text", 1<<14)
	for _, s := range []string{
		`{"schema":1,"command":"export","results":[{"kind":"vectors","offsets":[-1,0],"reserved":0,"table":[[1,2],[3,null]]}]}`,
		`{"w":{"shape":[2],"data":[1,2]},"\ud83d\ude00":[[[]]]}`, `[[1,"x",{"a":[{}]}],NaN,-Infinity]`, `{"weight_map":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzOpen(t, "table.json", data)
		openedJSON(t, string(data))
	})
}

func BenchmarkJSON(b *testing.B) {
	var s strings.Builder
	s.WriteString("[[")
	for i := range 512 * 768 {
		switch {
		case i > 0 && i%768 == 0:
			s.WriteString("], [")
		case i > 0:
			s.WriteString(", ")
		}
		fmt.Fprint(&s, math.Sin(float64(i)))
	}
	s.WriteString("]]")
	text := s.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openedJSON(b, text); err != nil {
			b.Fatal(err)
		}
	}
}
