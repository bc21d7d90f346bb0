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
	{"std_err", "fit", "standard error, as errors_by says it"},
	{"errors_by", "fit", "jackknife: sqrt((g - 1) / g sum (x_b - mean x)^2), x_b fitted without one of g = 10 stretches of a table's pairs; undefined where the table is shorter than 6 lengths. formal: from RSS / (n - parameters) (J^T W J)^-1, too small where neighbouring points err alike"},
	{"at_zero", "fit", "the model at k = 0"},
	{"noise_floor", "fit", "1 - at_zero of cosines: the share of a vector that its neighbours lack"},
	{"r2", "fit", "1 - RSS / TSS, both weighted"},
	{"rss", "fit", "sum of w e^2, the weights having mean 1"},
	{"aic", "fit", "n ln(RSS / n) + 2 P, P being parameters + 1; only differences tell something"},
	{"aicc", "fit", "AIC + 2 P (P + 1) / (n - P - 1): the best fit has the least"},

	{"period", "spectrum", "positions a turn: of a component the wave that fits its scores best, of a rotational pair that of both"},
	{"turns", "spectrum", "of a rotational pair: turns within the table"},
	{"radius", "spectrum", "of a rotational pair: root of the mean square of both scores together, in the table's units"},
	{"quadrature_error", "spectrum", "of a rotational pair: | |phase difference| - 90 | in degrees (off_90 in text)"},
	{"wave_share", "spectrum", "share of the scores' energy that steady waves of the period explain (wave in text)"},
	{"energy_share", "spectrum", "share of it that lies within two turns of the period (energy in text)"},
	{"coherence", "spectrum", "of a rotational pair there: how well one score, a quarter of a turn later, tells the other; 1 is a circle"},

	{"cka", "compare", "linear centred kernel alignment, |X'Y|_F^2 / (|X'X|_F |Y'Y|_F) of centred rows: 1 but for rotation and scale"},
	{"cka_chance", "compare", "the mean of cka over all orders of one table's rows: what it is worth is seen beside this"},
	{"procrustes_r2", "compare", "share of the variance that the best rotation, mirroring and scale explain: (sum of the singular values of X'Y)^2 / (|X|_F^2 |Y|_F^2)"},
	{"cosine_correlation", "compare", "Pearson's correlation of the cosines of all pairs of different rows in both tables"},
	{"cosine_p", "compare", "share of random orders of one table's rows with as large a cosine_correlation (Mantel's test, one-sided)"},
	{"beyond_distance", "compare", "cosine_correlation once the mean at each distance is taken from both"},
	{"rows_moved", "compare", "rows that are farther from their counterpart than the tolerance, as a share of the longer of the two"},
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
