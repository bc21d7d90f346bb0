package posemb

import "slices"

// Presets is one row an architecture; the first that fits a tensor reads it, so
// particular names stand before general ones.
var Presets = slices.Concat(computedPresets, separablePresets, rowPresets, gridPresets, learnedPresets, vectorPresets, biasPresets)
