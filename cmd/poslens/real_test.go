//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"poslens/internal/cli"
)

// expectation is one row of the real checkpoints' expected.json, whose figures
// are numpy's in float64.
type expectation struct {
	File   string
	Tensor *string
	Kind   string
	Decay  []float64 `json:"decay_cosine_eps1e-8"`
}

// TestDecayOfRealTables runs the decay command on every absolute table whose
// container is read, and compares it with numpy to 1e-9.
func TestDecayOfRealTables(t *testing.T) {
	data := os.Getenv("POSLENS_DATA")
	if data == "" {
		t.Skip("POSLENS_DATA is not set")
	}
	var all []expectation
	readJSON(t, filepath.Join(data, "real", "expected.json"), &all)
	readable := map[string]bool{".npy": true, ".pth": true, ".pt": true, ".safetensors": true, ".onnx": true, ".index": true, ".msgpack": true}
	ran := 0
	for _, e := range all {
		if e.Kind != "absolute" || !readable[filepath.Ext(e.File)] {
			continue
		}
		ran++
		t.Run(e.File, func(t *testing.T) {
			operand := filepath.Join(data, "real", e.File)
			if e.Tensor != nil {
				operand += "#" + *e.Tensor
			}
			rows := runCSV(t, "decay", operand, "-f", "csv", "--eps", "1e-8", "-q")
			if len(rows) != len(e.Decay) {
				t.Fatalf("%d distances, want %d", len(rows), len(e.Decay))
			}
			for k, row := range rows {
				if got := number(t, row["mean"]); math.Abs(got-e.Decay[k]) > 1e-9 {
					t.Errorf("distance %d: %v, want %v", k, got, e.Decay[k])
				}
			}
		})
	}
	if ran != 10 {
		t.Errorf("%d tables, want 10", ran)
	}
}

// TestLocalityProfile pipes the generated table into the profile command, and
// compares with numpy's profile to 1e-12.
func TestLocalityProfile(t *testing.T) {
	want := []float64{ // numpy 1.24, np.random.seed(42), float64
		0.12646027564402434, 0.09408559196334045, -0.03724859116746418, -0.13025852512398212,
		0.15231975162653405, 0.4941326243454743, 0.2428275451617193, 0.08557959824667931,
		-0.06792084630896222, -0.1439388357812651, 0.024656007486978618,
	}
	var table bytes.Buffer
	poslens(t, nil, &table, "generate", "locality", "-q")
	var out bytes.Buffer
	poslens(t, &table, &out, "profile", "-", "-f", "csv", "-q")
	rows := parseCSV(t, &out)
	if len(rows) != len(want) {
		t.Fatalf("%d offsets, want %d", len(rows), len(want))
	}
	for i, row := range rows {
		if row["offset"] != strconv.Itoa(i-5) {
			t.Errorf("row %d is offset %s", i, row["offset"])
		}
		if got := number(t, row["score"]); math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("offset %s: %v, want %v", row["offset"], got, want[i])
		}
	}
}

// poslens runs a command that must succeed.
func poslens(t *testing.T, in *bytes.Buffer, out *bytes.Buffer, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	env := cli.Env{Out: out, Err: &stderr, Getenv: func(string) string { return "" }, Terminal: func(any) (int, bool) { return 0, false }}
	if in != nil {
		env.In = in
	}
	if code := cli.Main(context.Background(), args, env); code != 0 {
		t.Fatalf("poslens %q: status %d\n%s", args, code, stderr.String())
	}
}

func runCSV(t *testing.T, args ...string) []map[string]string {
	t.Helper()
	var out bytes.Buffer
	poslens(t, nil, &out, args...)
	return parseCSV(t, &out)
}

// parseCSV gives the rows of a table by the names of its header.
func parseCSV(t *testing.T, out *bytes.Buffer) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for j, name := range lines[0] {
			row[name] = line[j]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
}
