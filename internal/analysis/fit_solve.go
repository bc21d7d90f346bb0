package analysis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// solver searches a model's least squares. Its numbers are scaled so that no
// square overflows.
//
// The parameters that enter linearly are eliminated (variable projection, Golub and
// Pereyra 1973): for given theta they are the solution of a linear problem, so the
// search has one dimension for a kernel, none for a line. A grid of starts is tried;
// the best of them are refined by Levenberg-Marquardt steps over all parameters.
type solver struct {
	m    *FitModel
	k, y []float64
	root []float64 // square roots of the weights
	box  [][2]float64
	none float64 // an RSS that is rounding alone
}

// solution is a place of the search.
type solution struct {
	theta, alpha []float64
	rss          float64
	converged    bool
}

const (
	scanned   = 256  // points that the starts are tried on, at most
	fitSteps  = 300  // of a refinement, at most
	steepest  = 1e13 // condition of the linear problem from which on it is singular
	flatSlope = 1e-9 // cosine of the residual with the columns of the Jacobian at an optimum
)

// solve gives the best place found; ok is false when no start had a solution.
func (s *solver) solve(r fitReach) (best solution, ok bool) {
	if len(s.m.theta) == 0 {
		best, ok = s.project(nil)
		best.converged = true
		return best, ok
	}
	s.box = s.m.box(r)
	coarse := s.thinned()
	var starts []solution
	for _, theta := range s.m.grid(r) {
		if start, ok := coarse.project(theta); ok {
			starts = append(starts, start)
		}
	}
	slices.SortStableFunc(starts, func(a, b solution) int { return cmp.Compare(a.rss, b.rss) })
	for _, start := range s.apart(starts) {
		x, found := s.refine(start.theta)
		if found && (!ok || x.rss < best.rss && !s.same(x.rss, best.rss) || s.same(x.rss, best.rss) && x.converged && !best.converged) {
			best, ok = x, true
		}
	}
	return best, ok
}

// same tells whether two sums of squares differ by rounding alone.
func (s *solver) same(a, b float64) bool { return math.Abs(a-b) <= s.none+1e-12*max(a, b) }

// apart picks the best starts, none of them next to another in all parameters: more
// where there are more parameters, and with them more valleys.
func (s *solver) apart(starts []solution) []solution {
	var picked []solution
	for _, x := range starts {
		near := func(p solution) bool {
			for m, b := range s.box {
				if math.Abs(x.theta[m]-p.theta[m]) > 0.04*(b[1]-b[0]) {
					return false
				}
			}
			return true
		}
		if !slices.ContainsFunc(picked, near) {
			if picked = append(picked, x); len(picked) == 2+len(s.box) {
				break
			}
		}
	}
	return picked
}

// thinned is the solver on evenly drawn points.
func (s *solver) thinned() *solver {
	if len(s.k) <= scanned {
		return s
	}
	t := &solver{m: s.m, box: s.box}
	for i := range scanned {
		at := i * (len(s.k) - 1) / (scanned - 1)
		t.k, t.y, t.root = append(t.k, s.k[at]), append(t.y, s.y[at]), append(t.root, s.root[at])
	}
	return t
}

// project solves for the linear parameters.
func (s *solver) project(theta []float64) (solution, bool) {
	n, l := len(s.k), len(s.m.alpha)
	a, b := mat.NewDense(n, l, nil), mat.NewVecDense(n, nil)
	for i, k := range s.k {
		row := a.RawRowView(i)
		s.m.basis(k, theta, row, nil)
		floats.Scale(s.root[i], row)
		for _, x := range row {
			if !finite(x) {
				return solution{}, false
			}
		}
		b.SetVec(i, s.root[i]*s.y[i])
	}
	var qr mat.QR
	qr.Factorize(a)
	if !(qr.Cond() < steepest) {
		return solution{}, false
	}
	var x, e mat.VecDense
	if err := qr.SolveVecTo(&x, false, b); err != nil {
		return solution{}, false
	}
	e.MulVec(a, &x)
	e.SubVec(b, &e)
	rss := mat.Dot(&e, &e)
	return solution{theta: theta, alpha: x.RawVector().Data, rss: rss}, finite(rss)
}

// jacobian gives the weighted Jacobian of f along theta and alpha, and the
// residual.
func (s *solver) jacobian(x solution) (j *mat.Dense, residual []float64) {
	nt, na := len(x.theta), len(x.alpha)
	j = mat.NewDense(len(s.k), nt+na, nil)
	residual = make([]float64, len(s.k))
	slope := make([][]float64, nt)
	for m := range slope {
		slope[m] = make([]float64, na)
	}
	for i, k := range s.k {
		row := j.RawRowView(i)
		phi := row[nt:]
		s.m.basis(k, x.theta, phi, slope)
		for m := range slope {
			row[m] = floats.Dot(slope[m], x.alpha)
		}
		residual[i] = s.root[i] * (s.y[i] - floats.Dot(phi, x.alpha))
		floats.Scale(s.root[i], row)
	}
	return j, residual
}

// refine goes from a start to the optimum next to it.
func (s *solver) refine(theta []float64) (solution, bool) {
	x, ok := s.project(theta)
	if !ok {
		return x, false
	}
	damp := 1e-3
	for range fitSteps {
		j, residual := s.jacobian(x)
		if x.rss <= s.none || steepness(j, residual) < flatSlope {
			x.converged = true
			break
		}
		next, step, ok := s.step(x, j, residual, &damp)
		if !ok { // nothing lower within rounding
			x.converged = steepness(j, residual) < 1e-5
			break
		}
		small := x.rss-next.rss <= 1e-15*x.rss && step < 1e-9
		x = next
		if small {
			x.converged = true
			break
		}
	}
	return x, true
}

// steepness is the largest cosine of the residual with a column.
func steepness(j *mat.Dense, residual []float64) float64 {
	_, p := j.Dims()
	most := 0.0
	for c := range p {
		column := mat.Col(nil, c, j)
		if size := floats.Norm(column, 2) * floats.Norm(residual, 2); size > 0 {
			most = max(most, math.Abs(floats.Dot(column, residual))/size)
		}
	}
	return most
}

// step finds a lower place, more damped at each try. It also gives the largest
// change of a theta.
func (s *solver) step(x solution, j *mat.Dense, residual []float64, damp *float64) (next solution, change float64, ok bool) {
	n, p := j.Dims()
	a, b := mat.NewDense(n+p, p, nil), mat.NewVecDense(n+p, nil)
	a.Slice(0, n, 0, p).(*mat.Dense).Copy(j)
	copy(b.RawVector().Data, residual)
	for ; *damp < 1e12; *damp *= 8 {
		for c := range p {
			a.Set(n+c, c, math.Sqrt(*damp)*max(floats.Norm(mat.Col(nil, c, j), 2), 1e-150))
		}
		var qr mat.QR
		qr.Factorize(a)
		var d mat.VecDense
		if err := qr.SolveVecTo(&d, false, b); err != nil {
			continue
		}
		theta := make([]float64, len(x.theta))
		change = 0
		for m := range theta {
			theta[m] = min(max(x.theta[m]+d.AtVec(m), s.box[m][0]), s.box[m][1])
			change = max(change, math.Abs(theta[m]-x.theta[m]))
		}
		if next, ok = s.project(theta); ok && next.rss < x.rss {
			// As much damping as the linear model foretells badly: steps of a large
			// residual would swing about the optimum without.
			var e mat.VecDense
			e.MulVec(j, &d)
			e.SubVec(mat.NewVecDense(n, residual), &e)
			switch told := x.rss - mat.Dot(&e, &e); {
			case x.rss-next.rss > 0.75*told && x.rss-next.rss < 1.5*told:
				*damp = max(*damp/10, 1e-14)
			case x.rss-next.rss < 0.25*told:
				*damp = 4 * max(*damp, 1e-3)
			}
			return next, change, true
		}
	}
	*damp = 1e-3
	return x, 0, false
}

// bound names the parameter that ran to an end of its box, or gives -1.
func (s *solver) bound(theta []float64) int {
	for m, b := range s.box {
		if edge := 1e-6 * (b[1] - b[0]); theta[m] < b[0]+edge || theta[m] > b[1]-edge {
			return m
		}
	}
	return -1
}
