package analysis_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// The metrics of real tables are those that numpy 1.24 gives in float64
// (metrics_expected.json beside them), to 1e-9 of the value.
func TestMetricsOfRealTables(t *testing.T) {
	dir := realData(t)
	var files map[string]map[string]json.RawMessage
	readJSON(t, filepath.Join(dir, "metrics_expected.json"), &files)
	lists := map[string][]string{
		"pcs_for_90_95_99":  {"components_for_90", "components_for_95", "components_for_99"},
		"norm_min_mean_max": {"norm_min", "norm_mean", "norm_max"},
	}
	maps := map[string]string{"decay": "decay_", "decay_std_population": "decay_std_", "decay_centered": "decay_centered_"}
	for file, want := range files {
		t.Run(file, func(t *testing.T) {
			a := load(t, open(t, dir, file), "", posemb.ReadOptions{}).(*posemb.Absolute)
			set, err := analysis.MetricsOf(t.Context(), a, analysis.MetricOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]float64{}
			for _, m := range set.Metrics {
				got[m.Name] = float64(m.Value)
				if m.Value.Defined() == (m.Reason != "") {
					t.Errorf("%s is %v with the reason %q", m.Name, m.Value, m.Reason)
				}
			}
			compared := 0
			compare := func(name string, want float64) {
				compared++
				if v, ok := got[name]; !ok || !(math.Abs(v-want) <= 1e-9*math.Abs(want)) {
					t.Errorf("%s is %v, want %v", name, v, want)
				}
			}
			for key, raw := range want {
				var number *float64
				var list []float64
				var by map[string]float64
				switch {
				case key == "reserved" || key == "positions" || key == "width":
				case json.Unmarshal(raw, &number) == nil && number != nil:
					compare(key, *number)
				case number == nil && string(raw) == "null":
					if v, ok := got[key]; !ok || !math.IsNaN(v) {
						t.Errorf("%s is %v, want none", key, v)
					}
				case json.Unmarshal(raw, &list) == nil:
					for i, v := range list {
						compare(lists[key][i], v)
					}
				case json.Unmarshal(raw, &by) == nil:
					for k, v := range by {
						if name := maps[key] + k; name != "decay_0" && name != "decay_centered_0" {
							compare(name, v)
						}
					}
				default:
					t.Errorf("%s: %s is not understood", key, raw)
				}
			}
			if compared < 20 {
				t.Errorf("only %d figures were compared: %s", compared, fmt.Sprint(want))
			}
		})
	}
}
