package gram

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// table is n x d numbers, and unit gives its rows the norms that make them unit
// vectors, which the benchmarks count as their own work.
func table(n, d int) Vectors {
	v := random(n, d, 1)
	v.Norm = nil
	for i := range v.Data {
		v.Data[i] = float64(i%97) - 48
	}
	return v
}

func unit(v Vectors) Vectors {
	v.Norm = make([]float64, v.N)
	Parallel(context.Background(), (v.N+255)/256, func() func(int) {
		return func(task int) {
			for i := task * 256; i < min(v.N, task*256+256); i++ {
				v.Norm[i] = math.Sqrt(floats.Dot(v.row(i), v.row(i))) + 1e-8
			}
		}
	})
	return v
}

// BenchmarkMatrix is a cosine matrix in memory: normalising, both triangles.
func BenchmarkMatrix(b *testing.B) {
	for _, size := range [][2]int{{512, 768}, {1024, 768}, {4096, 1024}, {8192, 1024}} {
		v := table(size[0], size[1])
		b.Run(fmt.Sprintf("n=%d/d=%d/double", size[0], size[1]), func(b *testing.B) { benchmarkMatrix[float64](b, v) })
		b.Run(fmt.Sprintf("n=%d/d=%d/single", size[0], size[1]), func(b *testing.B) { benchmarkMatrix[float32](b, v) })
	}
}

func benchmarkMatrix[F Float](b *testing.B, v Vectors) {
	for b.Loop() {
		if err := Matrix(context.Background(), Make[F](v.N*v.N), unit(v)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(v.N)*float64(v.N)*float64(v.D)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
}

func BenchmarkBand(b *testing.B) {
	v := unit(table(16384, 1024))
	for b.Loop() {
		err := Band(context.Background(), v, 0, 41, func() func(*Tile[float64]) { return func(*Tile[float64]) {} })
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLags(b *testing.B) {
	for _, n := range []int{8192, 16384} {
		v := unit(table(n, 1024))
		b.Run(fmt.Sprintf("n=%d/d=1024", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Lags(context.Background(), v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMeans(b *testing.B) {
	v := unit(table(16384, 1024))
	var edges []int
	for e := 0; e <= v.N; e += 32 {
		edges = append(edges, e)
	}
	for b.Loop() {
		if _, err := Means(context.Background(), v, edges); err != nil {
			b.Fatal(err)
		}
	}
}
