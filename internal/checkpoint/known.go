package checkpoint

// Known is a format that Open reads, for people.
type Known struct{ Name, Doc string }

// Formats lists what Open reads.
func Formats() []Known { return nil }
