package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// told keeps what a listener is told: of each stage "what total", and how many are
// missing at the end.
type told struct {
	mu     sync.Mutex
	stages []string
	left   []int64
}

func (l *told) start(what string, total int64) func(int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := len(l.left)
	l.stages, l.left = append(l.stages, fmt.Sprintf("%d %s", total, what)), append(l.left, total)
	return func(more int64) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.left[at] -= more
		if l.left[at] < 0 || more < 1 {
			panic(fmt.Sprintf("%d more done of %s, %d left", more, l.stages[at], l.left[at]))
		}
	}
}

// Long analyses tell what they are made of, all of it comes to be done, and who
// listens changes no result.
func TestProgress(t *testing.T) {
	table := func(n, d int, seed uint32) *posemb.Absolute {
		a, err := posemb.Random(posemb.RandomOptions{N: n, D: d, Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	t5, err := posemb.Generate("t5", nil)
	if err != nil {
		t.Fatal(err)
	}
	bias := t5.(*posemb.Bias)
	a, b := table(200, 8, 1), table(200, 8, 2)
	heads := len(bias.Heads)
	for _, c := range []struct {
		name string
		do   func(ctx context.Context) (any, error)
		want []string
	}{
		{"metrics", func(ctx context.Context) (any, error) {
			return MetricsOf(ctx, a, MetricOptions{Draws: 5, Only: []string{"kendall_tau", "decay_centered_1"}})
		}, []string{"200 rows", "200 rows", "10 draws", "200 rows", "200 rows"}}, // the table's, and the sinusoid's
		{"metrics that one null model can't change", func(ctx context.Context) (any, error) {
			return MetricsOf(ctx, a, MetricOptions{Draws: 5, Only: []string{"norm_slope"}})
		}, []string{"5 draws"}},
		{"metrics without draws", func(ctx context.Context) (any, error) {
			return MetricsOf(ctx, a, MetricOptions{Only: []string{"kendall_tau"}})
		}, []string{"200 rows"}},
		{"metrics of a bias", func(ctx context.Context) (any, error) {
			return MetricsOfBias(ctx, bias, MetricOptions{Draws: 3})
		}, []string{fmt.Sprintf("%d draws", 2*3*heads)}},
		{"probes", func(ctx context.Context) (any, error) {
			return Probes(ctx, a, ProbeOptions{Repeats: 2})
		}, []string{"10 fits of an absolute probe", "10 fits of a relative probe", "10 fits of a relative probe"}},
		{"check", func(ctx context.Context) (any, error) { return Check(ctx, table(300, 64, 3), CheckOptions{}) }, []string{"45150 pairs"}},
		{"similarity", func(ctx context.Context) (any, error) { return Similarity(ctx, a, SimilarityOptions{Single: true}) }, []string{"20100 pairs"}},
		{"compare", func(ctx context.Context) (any, error) { return Compare(ctx, a, b, CompareOptions{}) }, []string{"999 permutations"}},
		{"align", func(ctx context.Context) (any, error) {
			return Align(ctx, []*posemb.Absolute{a, b, table(200, 9, 3)})
		}, []string{"6 pairs of tables"}},
		{"course", func(ctx context.Context) (any, error) {
			return CourseOf(ctx, []*posemb.Absolute{a, b}, []int{1, 2}, CourseOptions{Only: []string{"kendall_tau"}})
		}, []string{"2 checkpoints", "200 rows", "200 rows"}},
		{"compare biases", func(ctx context.Context) (any, error) { return CompareBias(ctx, bias, bias) },
			[]string{fmt.Sprintf("%d heads", heads)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &told{}
			got, err := c.do(progress.With(t.Context(), l.start))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(l.stages, c.want) {
				t.Errorf("told of %q, want %q", l.stages, c.want)
			}
			for i, left := range l.left {
				if left != 0 {
					t.Errorf("%s: %d are left at the end", l.stages[i], left)
				}
			}
			plain, err := c.do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(inJSON(t, plain), inJSON(t, got)); diff != "" {
				t.Errorf("a listener changes the result: %s", diff)
			}
		})
	}
}

func inJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
