package analysis

// Figure is what one number of a result means.
type Figure struct {
	Name string // in JSON
	Of   string // the analysis: "decay", "profile" or "fit"
	Doc  string // a sentence or two, with the formula
}

// Figures are the numbers that draw a curve, a head or a fit together, each of which
// can be undefined for some table.
var Figures = []Figure{
	{"mean_cosine_offdiagonal", "decay", "mean cosine of all pairs of two different positions"},
	{"half_life_to_mean", "decay", "smallest distance, interpolated linearly, at which the mean c(k) has come down to (1 + m) / 2, m being mean_cosine_offdiagonal"},
	{"half_life_to_zero", "decay", "smallest distance, interpolated linearly, at which c(k) has come down to 1/2"},
	{"first_k_le_1_over_e", "decay", "first distance with c(k) <= 1/e"},
	{"first_k_le_0", "decay", "first distance with c(k) <= 0"},
	{"first_local_minimum", "decay", "first distance with c(k) below both c(k-1) and c(k+1)"},

	{"peak", "profile", "the offsets k at which the score b(k) is largest"},
	{"peak_score", "profile", "the largest score, or mass where masses are shown"},
	{"sum_back", "profile", "sum of b(k) over k < 0"},
	{"sum_ahead", "profile", "sum of b(k) over k > 0"},
	{"mass_back", "profile", "share of attention behind the query: sum of p(k) over k < 0, where p(k) = exp b(k) / sum of exp b over the window"},
	{"mass_here", "profile", "p(0)"},
	{"mass_ahead", "profile", "sum of p(k) over k > 0"},
	{"direction_balance", "profile", "mass_back / (mass_back + mass_ahead)"},
	{"asymmetry", "profile", "share of the odd part in the variance, 0 to 1: sum of ((b(k) - b(-k)) / 2)^2 / sum of (b(k) - mean b)^2, over the offsets whose opposite is in the window"},
	{"reach_90", "profile", "smallest K with 90 % of the mass in |k| <= K"},
	{"entropy", "profile", "-sum of p(k) ln p(k), in nats"},
	{"locality", "profile", "sum of p(k) 2^-|k|"},

	{"length", "fit", "l of exponential, squared-exponential and matern32, in positions"},
	{"amplitude", "fit", "a of the kernels and the power law: how far the curve falls from k = 0, without what is there alone"},
	{"offset", "fit", "c: where the curve comes to stand, or for lines their height at 0"},
	{"power", "fit", "p of c + a |k|^-p"},
	{"slope", "fit", "m of c + m |k|; two-lines have slope_back for k < 0 and slope_ahead for k > 0"},
	{"amplitude_1", "fit", "a of a TISA term a exp(-b (k - c)^2), whose b is sharpness_1 and c is centre_1; those of a second term end in _2"},
	{"std_err", "fit", "standard error, from RSS / (n - parameters) (J^T W J)^-1; means of one table at neighbouring distances err alike, so it is too small there"},
	{"at_zero", "fit", "the model at k = 0"},
	{"noise_floor", "fit", "1 - at_zero of cosines: the share of a vector that its neighbours lack"},
	{"r2", "fit", "1 - RSS / TSS, both weighted"},
	{"rss", "fit", "sum of w e^2, the weights having mean 1"},
	{"aic", "fit", "n ln(RSS / n) + 2 P, P being parameters + 1; only differences tell something"},
	{"aicc", "fit", "AIC + 2 P (P + 1) / (n - P - 1): the best fit has the least"},
}

// figuresOf lists the names of one analysis's figures.
func figuresOf(analysis string) []string {
	var names []string
	for _, f := range Figures {
		if f.Of == analysis {
			names = append(names, f.Name)
		}
	}
	return names
}
