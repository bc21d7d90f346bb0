package analysis

// Figure is what one number of a result means.
type Figure struct {
	Name string // in JSON
	Of   string // the analysis: "decay" or "profile"
	Doc  string // a sentence or two, with the formula
}

// Figures are the numbers that draw a curve or a head together, each of which can
// be undefined for some table.
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
