package analysis

// Level says how bad a finding is.
type Level string

// The levels.
const (
	LevelError Level = "error" // the table is broken, or a part of it never was trained
	LevelNote  Level = "note"  // out of the ordinary, which healthy tables can be too
)

// CheckRule is one way in which a table can be wrong.
type CheckRule struct {
	Code   string // stable: scripts name it
	Level  Level
	Tables string // of which tables it is asked: "all", "absolute", "relative", "vectors" (absolute ones and vectors of offsets), "bias"
	Doc    string // what it means, its threshold, and why that
}

// The codes of Checks.
const (
	CodeNonFinite        = "non-finite"
	CodeMasked           = "masked-scores"
	CodeZeroTable        = "zero-table"
	CodeConstantTable    = "constant-table"
	CodeZeroRows         = "zero-rows"
	CodeVanishing        = "vanishing-rows"
	CodePadding          = "padding-not-zero"
	CodeTiled            = "tiled-table"
	CodeTiledReserved    = "tiled-reserved"
	CodeRepeatedLast     = "repeated-last-row"
	CodeDuplicates       = "duplicate-rows"
	CodeNearCopies       = "near-copies"
	CodeInitialTable     = "initial-table"
	CodeUntrained        = "untrained-rows"
	CodeNoiseFloor       = "noise-floor"
	CodeChangePoint      = "change-point"
	CodeFading           = "fading-rows"
	CodeCommonOffset     = "common-offset"
	CodeNormRange        = "norm-range"
	CodeNorms            = "norm-outliers"
	CodeConstantHead     = "constant-head"
	CodeInitialScores    = "initial-scores"
	CodeTrainedUnused    = "trained-unused"
	CodeUntrainedBuckets = "untrained-buckets"
)

// Checks are what Check looks for, in the order of its findings. Notation: p_i is row
// i, S the cosine matrix, n and d the table's rows and components.
var Checks = []CheckRule{
	{CodeNonFinite, LevelError, "all",
		"NaN or an infinity, also in a reserved row; of a bias NaN, +Inf, or a head with no finite score. One such value makes every score that it enters NaN. No threshold."},
	{CodeMasked, LevelNote, "bias",
		"scores of -Inf: a mask, which is legitimate, but then the offset is never attended to. No threshold."},
	{CodeZeroTable, LevelError, "all",
		"every value is zero: never filled, or never trained from a start at zero. No threshold."},
	{CodeConstantTable, LevelError, "all",
		"all rows are equal, to the bit: positions can't be told apart. Two rows at least; of a bias every head is constant."},
	{CodeZeroRows, LevelError, "vectors",
		"rows that are exactly zero and not reserved: padding that was taken for a position, or rows that were never written. No threshold: training leaves no row exactly zero but the one of padding_idx."},
	{CodeVanishing, LevelError, "vectors",
		"rows that are not zero, but whose largest value is below 1.2e-38 (the smallest normal float32) or whose norm is below a millionth of the median norm, which float32 drops beside it: weight decay brings rows there that no gradient reaches."},
	{CodePadding, LevelNote, "absolute",
		"the row of padding_idx is not zero, in the architectures whose code makes it zero (RoBERTa, Longformer, ESM, MPNet): padded tokens then have a position. No threshold."},
	{CodeTiled, LevelError, "vectors",
		"p_i = p_(i-T) to the bit for all i >= T: a table extended by tiling. T is the smallest such lag, n - T at least 2, and the copies hold two different rows at least."},
	{CodeTiledReserved, LevelError, "absolute",
		"the same of the stored rows with the reserved ones in front: the extension copied these into the middle, and all positions after them are off by as many."},
	{CodeRepeatedLast, LevelError, "vectors",
		"two or more rows at the end repeat the one before them to the bit: a table extended by its last row."},
	{CodeDuplicates, LevelError, "vectors",
		"other rows that are equal to the bit: their positions can't be told apart. Training does not bring two rows of several floats together exactly, so that no threshold is needed."},
	{CodeNearCopies, LevelNote, "absolute",
		"rows T apart are near copies: a table extended by tiling and trained after that. With s(k) the share of the way from the usual mean cosine (the median over all distances) to 1 that the mean cosine at distance k has gone, T is the first distance behind the neighbours where s is at a peak of 0.5 or more, T >= 16, 32 pairs, and 8 standard deviations 1/sqrt(d pairs) of random rows. Rows 2 T and more apart must be as alike, by what one copy that has moved would take and 15 % (down a grid's columns they are less so), and a copy must begin anew: rows across its seam are less than 2/3 as alike as those within (those of waves are). Noise of a share e of the norm in every row leaves a cosine of 1 / (1 + e^2): copies are found up to e = 0.5 in every trial, to 0.9 but for 1 of 100, not half of them at 1, and none at 1.2. A grid of a few rows that is read as a line can look the same. Not asked of grids, nor where the rows are equal to the bit."},
	{CodeInitialTable, LevelError, "absolute",
		"the whole table is what independent random numbers would be: 95 % of the rows at the noise floor (see noise-floor), the mean cosine of neighbours (on a grid along both sides) within 3 and of all pairs within 6 standard deviations 1/sqrt(d pairs) of 0, norms that spread no more than those of such rows, and no heavier tails than normal ones. From 8 rows on. Training that reaches a table leaves a trace in one of these, so that a table without any was likely never in the optimiser; one at the noise floor with a trace has a note only. The 3 take 3 of 1000 random tables for trained ones."},
	{CodeUntrained, LevelError, "vectors",
		"rows at initialisation while others are trained: 4 or more at the noise floor (a run of them, or scattered ones together) with norms sigma sqrt(d) of one sigma, each within 5 of their standard deviations sigma / sqrt(2) of the median, a mean cosine with their neighbours within 4.5 standard deviations of 0 (where it is not of all rows at the floor, which then are half trained, runs of 16 or more alone); and of the other rows, 4 or more, the median cosine with their neighbours above 4.5 standard deviations. Fewer rows have no sigma of their own and are a note: a first token's row may be like no other and well trained."},
	{CodeNoiseFloor, LevelNote, "vectors",
		"rows with no cosine beyond what random rows have: max |S_ij| over j below the level that the largest of all n(n-1)/2 random cosines passes once in 100 tables, from their exact distribution (about z/sqrt(d), z from 4 to 6), and the mean with both neighbours within 4.5 / sqrt(2 d). Not asked where that level is above 0.9, as of fewer than some 16 components: rows there can't be told from random ones."},
	{CodeChangePoint, LevelNote, "absolute",
		"the cosine c_i of neighbours changes its level at once, at one row or several: trained at a shorter length, at several, or partly. The splits are those of least squares, one and up to four at a time, each level 8 rows long at least (16 in the mean where there are three or more), and again within every level. At each the CUSUM |sum of c_i - mean| / (s sqrt(n)) over both levels, s^2 being the long-run variance about the levels (Bartlett's weights, 2 n^(1/3) lags), is above 2.69, which chance passes once in a million by Kolmogorov's limit 2 exp(-2 x^2); and the shift must matter: at least 0.2, 95 % of the pairs of a cosine before and one after in its order, and two thirds of it within 16 rows on either side. In 4500 smooth tables of 40 to 512 rows and 8 to 64 components 2 have one, both of 8 components. Told are the rows of every level that is 0.2 or more beneath the highest. Not across the rows of a grid."},
	{CodeFading, LevelNote, "absolute",
		"the cosine c_i of neighbours falls towards the end, or rises from the front, little by little: positions that few sequences reach. Told in the place of change-point where a line between two levels, 16 rows long at least, is a better account than levels that change at once (Schwarz's criterion), and by the same thresholds: a fall of 0.2, 95 % of the pairs in order, a CUSUM above 2.69 in long-run deviations about the line. Of the 4500 smooth tables none fades."},
	{CodeCommonOffset, LevelNote, "vectors",
		"one vector is in every row: n |mean row|^2 / |P|^2, its share of the table's energy (mean_vector_energy_share of metrics), is 90 % or more; real tables have up to 46 %. All cosines are near 1 then, and the checks that go by cosines see little. From 16 rows on."},
	{CodeNormRange, LevelNote, "vectors",
		"norms differ by 100 times or more between their quantiles of 5 and 95 %, so that some outliers alone are no such range; the rows are those within ten times of the former. From 16 rows on."},
	{CodeNorms, LevelNote, "vectors",
		"rows whose norm stands out of the 16 before and of the 16 after: ln |p_i| off the nearer of both medians by more than 6 robust standard deviations (1.4826 times the median absolute one) and 10 %. From 8 rows on. A first token's row often does so."},
	{CodeConstantHead, LevelNote, "bias",
		"a head whose finite scores are all equal while others are not: softmax takes a constant away, so that this head has no bias. No threshold."},
	{CodeInitialScores, LevelNote, "bias",
		"scores of neighbouring offsets are no more alike than random ones: their correlation, pooled over heads, is within 3 standard deviations 1/sqrt(pairs) of 0. From 100 pairs on. A trained bias is smooth; but a small window need not be, so it is a note."},
	{CodeTrainedUnused, LevelNote, "bias",
		"a bucket that no offset uses has scores as large as half the median of the used ones (root mean square over 4 heads or more), while those are trained: unused ones keep their small initial values, so the rule by which the table is read may not be the model's."},
	{CodeUntrainedBuckets, LevelNote, "bias",
		"buckets no larger than twice the unused one (root mean square over 4 heads or more), while the median of the used is 5 times it: offsets that training did not meet."},
}

// ruleOf finds a code's rule.
func ruleOf(code string) CheckRule {
	for _, r := range Checks {
		if r.Code == code {
			return r
		}
	}
	panic("no check is called " + code) // a bug
}

// KnownCheck tells whether a code is in Checks.
func KnownCheck(code string) bool {
	for _, r := range Checks {
		if r.Code == code {
			return true
		}
	}
	return false
}
