package figure

import (
	"fmt"
	"io"
	"testing"
)

func BenchmarkHeatmapPNG(b *testing.B) {
	for _, n := range []int{64, 512, 1024} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkWrite(b, "png", sampleMap(n, n)) })
	}
}

// A map so large that only its means can be asked, which cost nothing here.
func BenchmarkBlocksPNG(b *testing.B) {
	const n = 32768
	h := &Heatmap{Rows: n, Cols: n, Max: 1, Blocks: func(rows, cols []int) []float64 {
		v := make([]float64, (len(rows)-1)*(len(cols)-1))
		for i := range v {
			v[i] = float64(i%256) / 256
		}
		return v
	}}
	benchmarkWrite(b, "png", h)
}

func BenchmarkLinesPNG(b *testing.B) {
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkWrite(b, "png", sampleLines(n, 512)) })
	}
}

func BenchmarkSVG(b *testing.B) { benchmarkFormat(b, "svg") }
func BenchmarkPDF(b *testing.B) { benchmarkFormat(b, "pdf") }

func benchmarkFormat(b *testing.B, format string) {
	b.Run("heatmap", func(b *testing.B) { benchmarkWrite(b, format, sampleMap(512, 512)) })
	b.Run("lines", func(b *testing.B) { benchmarkWrite(b, format, sampleLines(8, 512)) })
}

func benchmarkWrite(b *testing.B, format string, c Chart) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Write(io.Discard, format, c, Style{}); err != nil {
			b.Fatal(err)
		}
	}
}
