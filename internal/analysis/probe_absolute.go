package analysis

import (
	"context"
	"math"

	"poslens/internal/gram"
	"poslens/internal/progress"
)

// foldErrors are the errors of one fold of an absolute probe.
type foldErrors struct {
	rounded float64 // mean |round(prediction) - position| of the minimum-norm fit
	ridge   float64 // sum of |prediction - position| of the ridge fit
	ok      bool
}

// probeAbsolute fits positions to rows.
//
// Published: the first 512 rows in a random order, least squares with an intercept,
// five folds, the mean of the folds' mean |round(prediction) - position|. (It is called
// mse there, and is a mean absolute error of rounded predictions.) With 410 rows to
// fit and more components many fits are exact, of which the one of least norm is
// taken. numpy's rounding: halves to even. scikit-learn fits a float32 table in
// float32; here all is float64.
//
// Repaired:
//   - The minimum-norm fit goes through every row, noise and all, so that noise is told
//     worse than by guessing (180 to 190 for 512 Gaussian rows of 768, where the middle is
//     off by 128).
//     A ridge penalty is chosen instead among 33, from what leaves no slope to next to
//     none, by generalised cross-validation; no row of the test fold has a say.
//   - Predictions are not rounded: a spread below half a position counts too.
//   - All rows count alike; the mean of folds of unlike sizes does not.
//   - At most 512 rows are taken, from the whole table and not from its beginning, and
//     the error is divided by that of always guessing the middle, which is n/4 for n
//     positions in a row. That makes tables of different lengths comparable.
//
// In both, most neighbours of a position are among the rows to fit: positions between
// known ones are read, not ones beyond them.
func (r *ProbeResult) probeAbsolute(ctx context.Context, s *probing, opt ProbeOptions) error {
	first, all := s.firstRows(publishedRows(opt)), spreadRows(s.whole, probeRows)
	published, err := absoluteErrors(ctx, s, first, opt)
	if err != nil {
		return err
	}
	repaired := published
	if len(first) != len(s.whole) || len(all) != len(s.whole) {
		if repaired, err = absoluteErrors(ctx, s, all, opt); err != nil {
			return err
		}
	}
	r.Absolute = published.probe(func(folds []foldErrors) float64 {
		sum := 0.0
		for _, f := range folds {
			sum += f.rounded
		}
		return sum / float64(len(folds))
	})
	r.AbsoluteRepaired = repaired.probe(func(folds []foldErrors) float64 {
		sum := 0.0
		for _, f := range folds {
			sum += f.ridge
		}
		return sum / float64(len(repaired.at))
	})
	return nil
}

// absoluteFolds are the folds of all repeats, one repeat after the other.
type absoluteFolds struct {
	at    []float64
	folds []foldErrors
}

// absoluteErrors fits every fold of every repeat; none where there are too few rows.
func absoluteErrors(ctx context.Context, s *probing, which []int, opt ProbeOptions) (*absoluteFolds, error) {
	all := &absoluteFolds{at: make([]float64, len(which))}
	if tooFew(len(which)) != "" {
		return all, nil
	}
	p := s.probe(which)
	all.at = p.at
	all.folds = make([]foldErrors, opt.Repeats*probeFolds)
	done := progress.Start(ctx, "fits of an absolute probe", int64(len(all.folds)))
	err := gram.Parallel(ctx, len(all.folds), func() func(int) {
		return func(task int) {
			order := repeated(opt.Seed, task/probeFolds, forOrder).Perm(len(which))
			train, test := apart(order, task%probeFolds)
			all.folds[task] = p.foldErrors(train, test)
			done(1)
		}
	})
	return all, err
}

// foldErrors fits some rows and tests others.
func (p *probed) foldErrors(train, test []int) foldErrors {
	f, ok := p.fit(train, test)
	if !ok {
		return foldErrors{}
	}
	e := foldErrors{ok: true}
	plain, ridge := f.predict(0), f.predict(f.penalty())
	for k, i := range test {
		e.rounded += math.Abs(math.RoundToEven(plain[k]) - p.at[i])
		e.ridge += math.Abs(ridge[k] - p.at[i])
	}
	e.rounded /= float64(len(test))
	return e
}

// probe sums the repeats up, of which each is a figure of its folds.
func (a *absoluteFolds) probe(one func([]foldErrors) float64) Probe {
	if reason := tooFew(len(a.at)); reason != "" {
		return undefinedProbe(len(a.at), reason)
	}
	var each []float64
	for from := 0; from < len(a.folds); from += probeFolds {
		folds := a.folds[from : from+probeFolds]
		for _, f := range folds {
			if !f.ok {
				return undefinedProbe(len(a.at), "the singular values did not converge")
			}
		}
		each = append(each, one(folds))
	}
	p := Probe{Rows: len(a.at), Guess: Value(guessError(a.at))}
	p.over(each)
	return p
}

// guessError is the mean |position - middle one|.
func guessError(at []float64) float64 {
	middle := (at[(len(at)-1)/2] + at[len(at)/2]) / 2 // they rise
	sum := 0.0
	for _, x := range at {
		sum += math.Abs(x - middle)
	}
	return sum / float64(len(at))
}
