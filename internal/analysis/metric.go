package analysis

import "fmt"

// Metric is one figure of a table of positions: what it means, and which null
// models can change it.
type Metric struct {
	Name  string // in every form of output
	Group string // "decay", "translation", ...
	Doc   string // a sentence with the formula
	From  string // where the definition comes from; empty for one of this tool's own

	ShuffleKeeps  string // why a shuffle of the rows leaves it as it is; empty: it can change it
	GaussianKeeps string // why Gaussian rows of the same norms do
}

// The reasons why a null model can't change a figure.
const (
	keptByOrder = "invariant under row order"
	keptByNorms = "the rows of this null have the table's norms"
	keptAlways  = "the same for every table"
)

// decayAt are the distances at which the decay is a metric of its own.
var decayAt = []int{1, 2, 5, 10, 20, 40, 100}

// monotoneReach is how far local monotonicity looks.
const monotoneReach = 10

// Metrics are the figures that MetricsOf gives, in groups. Notation: S is the cosine
// matrix of n positions, c(k) the mean of S[i, i+k] over i, P the table itself.
var Metrics = metrics()

// metrics lists them: the ones of a distance are made, the others written out.
func metrics() []Metric {
	var list []Metric
	for _, k := range decayAt {
		list = append(list, Metric{Name: fmt.Sprintf("decay_%d", k), Group: "decay", Doc: fmt.Sprintf("c(%d), the mean cosine of positions %d apart", k, k)})
	}
	for _, k := range decayAt {
		list = append(list, Metric{Name: fmt.Sprintf("decay_std_%d", k), Group: "decay", Doc: fmt.Sprintf("standard deviation (of the population) of the cosines %d apart", k)})
	}
	for _, k := range decayAt {
		list = append(list, Metric{Name: fmt.Sprintf("decay_centered_%d", k), Group: "decay", Doc: fmt.Sprintf("c(%d) once the mean row is subtracted", k)})
	}
	for _, name := range []string{"half_life_to_mean", "half_life_to_zero", "first_k_le_1_over_e", "first_k_le_0", "first_local_minimum"} {
		list = append(list, Metric{Name: name, Group: "decay", Doc: docOf(name)})
	}
	return append(list, furtherMetrics...)
}

var furtherMetrics = []Metric{
	{Name: "toeplitz_r2_cosine_all", Group: "translation", From: "Wennberg and Henter 2021, the idea",
		Doc: "share of the variance of S that its diagonals' means explain: 1 - sum (S - T)^2 / sum (S - mean S)^2, T[i,j] being the mean of the diagonal of [i,j]; over all entries"},
	{Name: "toeplitz_r2_cosine_offdiagonal", Group: "translation", Doc: "the same over i != j"},
	{Name: "toeplitz_r2_centered_offdiagonal", Group: "translation", Doc: "the same over i != j, once the mean row is subtracted"},
	{Name: "toeplitz_norm_share", Group: "translation", Doc: "|T|_F / |S|_F, over all entries"},
	{Name: "translation_error", Group: "translation", From: "Wang et al. 2021, the property",
		Doc: "mean over the distances k >= 1 of the standard deviation of S[i, i+k] over i: 0 where the cosine depends on the distance alone"},
	{Name: "translation_error_normalised", Group: "translation", Doc: "translation_error over the standard deviation of T off the diagonal"},

	{Name: "local_monotonicity_forward_M10", Group: "monotonicity", From: "Wang et al. 2021, the property",
		Doc: "share of the pairs (i, m), 0 <= m < 10, with S[i, i+m] > S[i, i+m+1]"},
	{Name: "local_monotonicity_backward_M10", Group: "monotonicity", Doc: "share of the pairs (i, m), 0 <= m < 10, with S[i, i-m] > S[i, i-m-1]"},
	{Name: "kendall_tau", Group: "monotonicity", Doc: "Kendall's tau-b of the distance k and c(k), over all distances from 0 on: -1 where the mean cosine always falls"},

	{Name: "symmetry", Group: "symmetry", ShuffleKeeps: keptAlways, GaussianKeeps: keptAlways,
		Doc: "1 - |S - S'|_F / (|S|_F + |S'|_F), S' being the transpose: 1 for every cosine matrix"},
	{Name: "symmetry_nonnegative", Group: "symmetry", From: "Chen, Varoquaux and Suchanek 2023",
		Doc: "of M, the positive part of S with rows that sum to 1: 1 - the mean of |M[i,i-t] - M[i,i+t]| over i and t, scaled within row i to 0..1"},
	{Name: "symmetry_softmax", Group: "symmetry", From: "Chen, Varoquaux and Suchanek 2023", Doc: "the same of M, the softmax of the rows of S"},
	{Name: "locality_nonnegative", Group: "symmetry", From: "Chen, Varoquaux and Suchanek 2023",
		Doc: "of M, the positive part of S with rows that sum to 1: (1/n) sum of M[i,j] 2^-|i-j|"},
	{Name: "locality_softmax", Group: "symmetry", From: "Chen, Varoquaux and Suchanek 2023", Doc: "the same of M, the softmax of the rows of S"},

	{Name: "mean_cosine_offdiagonal", Group: "isotropy", ShuffleKeeps: keptByOrder, Doc: docOf("mean_cosine_offdiagonal")},
	{Name: "isotropy", Group: "isotropy", ShuffleKeeps: keptByOrder, From: "Mu and Viswanath 2018",
		Doc: "min Z(a) / max Z(a) over the eigenvectors a of P'P and their opposites, Z(a) = sum over i of exp(a . p_i): 1 where no direction stands out, and where the values are small: it has the unit of the table in an exponent"},
	{Name: "top_component_share", Group: "isotropy", ShuffleKeeps: keptByOrder, Doc: "share of the variance along the first principal component"},
	{Name: "mean_vector_energy_share", Group: "isotropy", ShuffleKeeps: keptByOrder, Doc: "n |mean row|^2 / |P|_F^2"},

	{Name: "components_for_90", Group: "dimension", ShuffleKeeps: keptByOrder, Doc: "principal components that hold 90 % of the variance"},
	{Name: "components_for_95", Group: "dimension", ShuffleKeeps: keptByOrder, Doc: "principal components that hold 95 % of the variance"},
	{Name: "components_for_99", Group: "dimension", ShuffleKeeps: keptByOrder, Doc: "principal components that hold 99 % of the variance"},
	{Name: "participation_ratio", Group: "dimension", ShuffleKeeps: keptByOrder, Doc: "(sum of l)^2 / sum of l^2, l being the variances along the principal components"},
	{Name: "entropy_rank", Group: "dimension", ShuffleKeeps: keptByOrder, Doc: "exp(-sum of p ln p), p being the shares of the variance along the principal components"},
	{Name: "stable_rank", Group: "dimension", ShuffleKeeps: keptByOrder, Doc: "|P|_F^2 / |P|_2^2, of P itself and not of the centred one"},

	{Name: "dominant_period", Group: "spectrum", Doc: "period in positions of the largest bin of the mean power spectrum: that of every column, its linear trend taken out and a Hann window applied, averaged"},
	{Name: "spectral_flatness", Group: "spectrum", Doc: "geometric over arithmetic mean of the mean power spectrum without its constant: near 1 for white noise"},
	{Name: "spectral_top5_share", Group: "spectrum", Doc: "share of the five largest bins in the mean power spectrum without its constant"},

	{Name: "norm_min", Group: "norms", ShuffleKeeps: keptByOrder, GaussianKeeps: keptByNorms, Doc: "smallest |p_i|"},
	{Name: "norm_mean", Group: "norms", ShuffleKeeps: keptByOrder, GaussianKeeps: keptByNorms, Doc: "mean |p_i|"},
	{Name: "norm_max", Group: "norms", ShuffleKeeps: keptByOrder, GaussianKeeps: keptByNorms, Doc: "largest |p_i|"},
	{Name: "norm_max_z", Group: "norms", ShuffleKeeps: keptByOrder, GaussianKeeps: keptByNorms, Doc: "largest | |p_i| - mean | in standard deviations (of the population) of the norms"},
	{Name: "norm_slope", Group: "norms", GaussianKeeps: keptByNorms, Doc: "least-squares slope of |p_i| over the position, in mean norms a thousand positions; 0 where the norms differ by rounding alone"},

	{Name: "nearest_neighbour_is_adjacent", Group: "order", Doc: "share of the positions i whose most similar other position is i-1 or i+1"},
}

// docOf is the sentence of a figure that decay gives too.
func docOf(name string) string {
	for _, f := range Figures {
		if f.Name == name {
			return f.Doc
		}
	}
	return ""
}
