package analysis

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
	"poslens/internal/progress"
)

// pair is two rows.
type pair struct{ a, b int }

// probeRelative tells which of two rows stands later.
//
// Published: of the first m = 512 rows, m pairs (a, b) of all m^2, a row with itself
// among them; the features [p_a ; p_b], the label b > a; logistic regression with an
// intercept and the penalty |w|^2 / 2 (C = 1); five folds with as many of each label
// (scikit-learn's StratifiedKFold); the mean of the folds' shares of wrong answers.
//
// Repaired:
//   - The positions of a test fold are in no pair that was fitted. In the published
//     probe most are, in two fitted pairs each, and with more components than pairs the
//     fit can learn by heart which rows were mostly the later ones.
//   - The feature is p_b - p_a, without an intercept. The rule is then antisymmetric
//     by itself, as the question is, and the error of guessing exactly 1/2; a row is
//     not compared with itself.
//   - The mean row is subtracted and one factor makes the mean square of a component
//     1, since a fixed penalty means something else for every size of the table.
//   - All pairs of a test fold are told, and equal scores count half. 512 pairs
//     are fitted, or all there are.
//   - At most 512 rows are taken, evenly from the whole table.
func (r *ProbeResult) probeRelative(ctx context.Context, s *probing, opt ProbeOptions) error {
	first, all := s.firstRows(probeRows), spreadRows(s.whole, probeRows)
	var err error
	r.Relative, err = relativeProbe(ctx, first, opt, func() (func(repeat, fold int) (float64, bool), error) {
		g, err := s.probe(first).products(ctx)
		if !finite(floats.Sum(g)) {
			return nil, err
		}
		return func(repeat, fold int) (float64, bool) {
			return publishedPairs(len(first), repeated(opt.Seed, repeat, forPairs)).wrong(g, fold)
		}, err
	})
	if err != nil {
		return err
	}
	r.RelativeRepaired, err = relativeProbe(ctx, all, opt, func() (func(repeat, fold int) (float64, bool), error) {
		g, err := s.probe(all).standard(ctx, s.rows.D)
		return func(repeat, fold int) (float64, bool) {
			train, test := apart(repeated(opt.Seed, repeat, forDisjoint).Perm(len(all)), fold)
			return disjointWrong(g, len(all), train, test, repeated(opt.Seed, repeat, forFold+fold))
		}, err
	})
	return err
}

// relativeProbe takes every fold of every repeat of a probe that says which share of
// a fold it tells wrongly, and whether the fit found its minimum; nil: products of
// rows overflow.
func relativeProbe(ctx context.Context, which []int, opt ProbeOptions, ready func() (func(repeat, fold int) (float64, bool), error)) (Probe, error) {
	if reason := tooFew(len(which)); reason != "" {
		return undefinedProbe(len(which), reason), nil
	}
	wrong, err := ready()
	if err != nil {
		return Probe{}, err
	}
	if wrong == nil {
		return undefinedProbe(len(which), overflow), nil
	}
	shares, found := make([]float64, opt.Repeats*probeFolds), make([]bool, opt.Repeats*probeFolds)
	done := progress.Start(ctx, "fits of a relative probe", int64(len(shares)))
	err = gram.Parallel(ctx, len(shares), func() func(int) {
		return func(task int) {
			shares[task], found[task] = wrong(task/probeFolds, task%probeFolds)
			done(1)
		}
	})
	if err != nil {
		return Probe{}, err
	}
	if slices.Contains(found, false) {
		return undefinedProbe(len(which), "a logistic regression did not converge"), nil
	}
	p := Probe{Rows: len(which), Guess: 0.5}
	var each []float64
	for fold := range slices.Chunk(shares, probeFolds) {
		each = append(each, floats.Sum(fold)/probeFolds)
	}
	p.over(each)
	return p, nil
}

// labelled are pairs of rows and whether the second is the later.
type labelled struct {
	rows  int
	pairs []pair
	later []bool
	fold  []int // that each is tested in
}

// publishedPairs draws as many pairs as there are rows.
func publishedPairs(rows int, random *rand.Rand) *labelled {
	l := &labelled{rows: rows}
	for _, at := range random.Perm(rows * rows)[:rows] {
		p := pair{at / rows, at % rows}
		l.pairs = append(l.pairs, p)
		l.later = append(l.later, p.b > p.a)
	}
	l.fold = stratified(l.later)
	return l
}

// stratified gives every example its fold, so that each fold has as many of each
// label as can be: the labels, sorted with the first one's in front, are dealt to the
// folds in turn, and of each label every fold gets the next ones in order, as many as
// it was dealt (scikit-learn/scikit-learn, sklearn/model_selection/_split.py).
func stratified(label []bool) []int {
	count := map[bool]int{}
	for _, l := range label {
		count[l]++
	}
	dealt := map[bool][]int{}
	at := 0
	for _, l := range []bool{label[0], !label[0]} {
		share := make([]int, probeFolds)
		for range count[l] {
			share[at%probeFolds]++
			at++
		}
		for k, n := range share {
			dealt[l] = append(dealt[l], slices.Repeat([]int{k}, n)...)
		}
	}
	folds := make([]int, len(label))
	for i, l := range label {
		folds[i], dealt[l] = dealt[l][0], dealt[l][1:]
	}
	return folds
}

// wrong fits all folds but one and gives the share of that one that is told wrongly.
func (l *labelled) wrong(products []float64, fold int) (share float64, ok bool) {
	var train, test []int
	for i, k := range l.fold {
		if k == fold {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	m, n := len(train), l.rows
	t, k := make([]float64, m), make([]float64, m*m)
	for i, p := range train {
		t[i] = -1
		if l.later[p] {
			t[i] = 1
		}
		for j, q := range train {
			k[i*m+j] = products[l.pairs[p].a*n+l.pairs[q].a] + products[l.pairs[p].b*n+l.pairs[q].b]
		}
	}
	says := func(pair) bool { return t[0] > 0 } // of a single label nothing else is learnt
	if slices.Contains(t, -t[0]) {
		f := fitLogistic(k, t, false)
		if !f.ok {
			return 0, false
		}
		first, second := make([]float64, n), make([]float64, n)
		for i, p := range train {
			first[l.pairs[p].a] += f.weight[i]
			second[l.pairs[p].b] += f.weight[i]
		}
		first, second = along(products, first), along(products, second)
		says = func(p pair) bool { return first[p.a]+second[p.b]+f.intercept > 0 }
	}
	wrong := 0
	for _, i := range test {
		if says(l.pairs[i]) != l.later[i] {
			wrong++
		}
	}
	return float64(wrong) / float64(len(test)), true
}

// along is p_i . w for all rows i, w being a sum of rows with weights.
func along(products, weights []float64) []float64 {
	n := len(weights)
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = floats.Dot(products[i*n:(i+1)*n], weights)
	}
	return scores
}

// disjointWrong fits pairs of some rows and gives the share of all pairs of others
// that is told wrongly.
func disjointWrong(products []float64, n int, train, test []int, random *rand.Rand) (share float64, ok bool) {
	pairs := someAhead(train, probeRows, random)
	m := len(pairs)
	t, k := make([]float64, m), make([]float64, m*m)
	for i, p := range pairs {
		t[i] = 1
		a, b := products[p.a*n:(p.a+1)*n], products[p.b*n:(p.b+1)*n]
		for j, q := range pairs {
			k[i*m+j] = (b[q.b] - b[q.a]) - (a[q.b] - a[q.a])
		}
	}
	f := fitLogistic(k, t, true)
	if !f.ok {
		return 0, false
	}
	weights := make([]float64, n)
	for i, p := range pairs {
		weights[p.b] += f.weight[i]
		weights[p.a] -= f.weight[i]
	}
	scores := along(products, weights)
	const rounding = 1e-10 // of the largest score: rows that nothing is known of score alike but for it
	alike := rounding * magnitude(scores)
	wrong := 0.0
	for i, a := range test {
		for _, b := range test[:i] {
			switch ahead := scores[max(a, b)] - scores[min(a, b)]; {
			case math.Abs(ahead) <= alike:
				wrong += 0.5
			case ahead < 0:
				wrong++
			}
		}
	}
	return wrong / float64(len(test)*(len(test)-1)/2), true
}

// someAhead draws so many different pairs a < b of some rows, or takes all.
func someAhead(rows []int, most int, random *rand.Rand) []pair {
	var all []pair
	for i, a := range rows {
		for _, b := range rows[:i] {
			all = append(all, pair{min(a, b), max(a, b)})
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(most, len(all))]
}
