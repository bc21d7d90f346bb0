package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"poslens/internal/posemb"
)

// Rows that were trained a little are no random ones, though each may look so: there is
// a change point, and where they are wide enough nothing else.
func TestCheckHalfTrained(t *testing.T) {
	for _, d := range []int{64, 512} {
		for _, r := range []int{64, 128, 300} {
			a, err := posemb.Smooth(posemb.SmoothOptions{N: 512, D: d})
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(3, 3))
			for i := r; i < 512; i++ {
				for j := range d {
					a.Table.Set(i, j, a.Table.At(i, j)+1.4*random.NormFloat64())
				}
			}
			got := check(t, a, CheckOptions{})
			if got.Errors > 0 {
				t.Errorf("%d components, from %d: %s", d, r, got.summary())
			}
			last := got.Findings[len(got.Findings)-1]
			if d == 512 && (len(got.Findings) != 1 || !strings.Contains(last.Text, "falls from 0.90 to 0.31 there; likely trained at length")) {
				t.Errorf("from %d: %s: %s", r, got.summary(), last.Text)
			}
			// The one pair across the seam has a cosine half-way between both levels.
			if last.Code != CodeChangePoint || last.Rows[0].From < r || last.Rows[0].From > r+1 {
				t.Errorf("%d components, from %d: %+v", d, r, last)
			}
		}
	}
}

// Several stretches are told each, in their very rows.
func TestCheckChangePoints(t *testing.T) {
	for _, c := range []struct {
		name  string
		noise map[Span]float64 // beside rows of length sqrt(64)
		want  string
		says  string
	}{
		{"a block in the middle", map[Span]float64{{200, 259}: 4}, "200..259", "is 0.06 there, 0.90 before and 0.90 after"},
		{"two blocks", map[Span]float64{{100, 139}: 4, {300, 379}: 4}, "100..139; 300..379", "trained less than others"},
		{"front and end", map[Span]float64{{0, 59}: 4, {440, 511}: 4}, "0..59; 440..511", "padded in front"},
		{"a front of two stages", map[Span]float64{{0, 59}: 8, {60, 159}: 0.8}, "0..59; 60..159", "and 0.54 after"},
		{"a tail of two stages", map[Span]float64{{300, 399}: 0.8, {400, 511}: 8}, "300..399; 400..511", "likely trained at length 400"},
		{"a tail of three", map[Span]float64{{200, 299}: 0.6, {300, 399}: 1.2, {400, 511}: 8}, "200..299; 300..399; 400..511", "falls from 0.37 to"},
		{"a block and a better end", map[Span]float64{{200, 299}: 8, {300, 511}: 0.8}, "200..299; 300..511", "and 0.90 at its highest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := posemb.Smooth(posemb.SmoothOptions{N: 512, D: 512})
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(3, 3))
			for i := range 512 {
				for span, noise := range c.noise {
					if i < span.From || i > span.To {
						continue
					}
					for j, x := range a.Table.RawRowView(i) {
						a.Table.Set(i, j, x+noise*random.NormFloat64())
					}
				}
			}
			var rows, texts []string
			for _, f := range check(t, a, CheckOptions{}).Findings {
				if f.Code == CodeChangePoint {
					rows = append(rows, joined(f.Rows))
					texts = append(texts, f.Text)
				}
			}
			// A pair across a seam has a cosine between the levels on both sides, and with
			// the nearer of them it may go.
			if got := strings.Join(rows, "; "); !nearly(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
			says(t, texts, c.says)
		})
	}
}

// joined writes spans as summary does.
func joined(spans []Span) string {
	var all []string
	for _, s := range spans {
		all = append(all, s.String())
	}
	return strings.Join(all, " ")
}

// nearly tells whether two lists of spans differ by one row at most at each end.
func nearly(got, want string) bool {
	a, b := strings.Split(got, "; "), strings.Split(want, "; ")
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		var x, y Span
		if _, err := fmt.Sscanf(a[k], "%d..%d", &x.From, &x.To); err != nil {
			return false
		}
		fmt.Sscanf(b[k], "%d..%d", &y.From, &y.To)
		if x.From-y.From < -1 || x.From-y.From > 1 || x.To-y.To < -1 || x.To-y.To > 1 {
			return false
		}
	}
	return true
}

// Rows that are trained less and less fade; where they do so at once they don't.
func TestCheckFading(t *testing.T) {
	for _, c := range []struct {
		name  string
		share func(i int) float64 // of the row that is the smooth table's
		from  Span                // where the finding may begin
		to    Span                // and end
		says  string
	}{
		{"to the end", func(i int) float64 { return 1 - 0.8*max(0, float64(i-256)/256) }, Span{230, 290}, Span{511, 511}, "falls little by little from 0.9"},
		{"throughout", func(i int) float64 { return 1 - 0.8*float64(i)/512 }, Span{1, 120}, Span{511, 511}, "falls little by little"},
		{"and stays", func(i int) float64 { return 1 - 0.7*min(1, max(0, float64(i-100)/150)) }, Span{90, 130}, Span{511, 511}, " at row 2"},
		{"in front", func(i int) float64 { return 0.3 + 0.7*min(1, float64(i)/200) }, Span{0, 0}, Span{170, 230}, "rises little by little"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint32(5) {
				a, err := posemb.Smooth(posemb.SmoothOptions{N: 512, D: 256, Seed: &seed})
				if err != nil {
					t.Fatal(err)
				}
				random := rand.New(rand.NewPCG(4, uint64(seed)))
				for i := range 512 {
					s := c.share(i)
					for j, x := range a.Table.RawRowView(i) {
						a.Table.Set(i, j, s*x+math.Sqrt(1-s*s)*random.NormFloat64())
					}
				}
				var told []Finding
				for _, f := range check(t, a, CheckOptions{}).Findings {
					if f.Code == CodeFading || f.Code == CodeChangePoint {
						told = append(told, f)
					}
				}
				if len(told) != 1 || told[0].Code != CodeFading || len(told[0].Rows) != 1 || told[0].Value > -0.2 {
					t.Fatalf("seed %d: %+v", seed, told)
				}
				got := told[0].Rows[0]
				if got.From < c.from.From || got.From > c.from.To || got.To < c.to.From || got.To > c.to.To || !strings.Contains(told[0].Text, c.says) {
					t.Errorf("seed %d: %+v", seed, told[0])
				}
			}
		})
	}
}
