package fleet

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/allele-go/allele/eval/lab"
)

var update = flag.Bool("update", false, "accept changed golden files")

// The plot beside the results is the one of its rows.
func TestGrowth(t *testing.T) {
	text, err := os.ReadFile("../results/fleetsim.json")
	if err != nil {
		t.Fatal(err)
	}
	var result struct{ Rows []map[string]any }
	if err := json.Unmarshal(text, &result); err != nil {
		t.Fatal(err)
	}
	var rows []lab.Row
	for _, r := range result.Rows {
		var row lab.Row
		for name, value := range r {
			row = append(row, lab.Col(name, value))
		}
		rows = append(rows, row)
	}
	want := growth(rows)
	if *update {
		if err := os.WriteFile("../results/fleetsim.svg", want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("../results/fleetsim.svg"); err != nil || string(got) != string(want) {
		t.Errorf("results/fleetsim.svg is not the plot of results/fleetsim.json: %v", err)
	}
}
