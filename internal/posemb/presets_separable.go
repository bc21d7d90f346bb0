package posemb

// separablePresets are absolute tables of which two tensors make one.
var separablePresets []Preset
