package analysis

import (
	"context"
	"testing"
)

func BenchmarkSimilarity(b *testing.B) {
	a := absolute(gaussian(512, 768, 1))
	for b.Loop() {
		if _, err := Similarity(context.Background(), a, SimilarityOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecay(b *testing.B) {
	for _, c := range []struct {
		name string
		n, d int
		opt  DecayOptions
	}{
		{"512x768", 512, 768, DecayOptions{}},
		{"512x768_all", 512, 768, DecayOptions{All: true}},
		{"65536x64", 65536, 64, DecayOptions{}},
		{"65536x64_mean_all", 65536, 64, DecayOptions{All: true, MeanOnly: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			a := absolute(gaussian(c.n, c.d, 1))
			for b.Loop() {
				if _, err := Decay(context.Background(), a, c.opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
