package posemb

// computedPresets are biases that are computed from weights: a small network, a
// convolution, a sinusoid behind a projection.
var computedPresets []Preset
