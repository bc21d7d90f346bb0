package analysis

import (
	"context"
	"testing"

	"poslens/internal/posemb"
)

// BenchmarkNulls takes the metrics of a table with 9 draws of each null model.
func BenchmarkNulls(b *testing.B) {
	for _, c := range []struct {
		name string
		n, d int
	}{
		{"448x384", 448, 384},
		{"512x768", 512, 768},
		{"1024x768", 1024, 768},
		{"128x64", 128, 64},
	} {
		b.Run(c.name, func(b *testing.B) {
			a, err := posemb.Smooth(posemb.SmoothOptions{N: c.n, D: c.d})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := MetricsOf(context.Background(), a, MetricOptions{Draws: 9, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
