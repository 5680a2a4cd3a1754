package coverage

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// Every way has a size for every library, and the generated tests are valid Go.
func TestTargets(t *testing.T) {
	for _, of := range targets {
		for _, w := range ways {
			if of.dials[w.id] == "" {
				t.Errorf("%s: no size for %s", of.name, w.name)
			}
		}
		if len(of.dials) != len(ways) {
			t.Errorf("%s: %d sizes for %d ways", of.name, len(of.dials), len(ways))
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "ways_test.go", of.ways([]int{100, 1000}), parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
}

func TestRead(t *testing.T) {
	at := map[string]int{"TestEven100": 0, "TestSplit100": 1}
	const even, split = `{"kind":"finished","property":"TestEven100","finished":{"verdict":"passed","counts":{"paths":40},"reach":{"sites":[1,2,9]},"text":"TALLY 100 2500 40\nPASS\n"}}`,
		`{"kind":"finished","property":"TestSplit100","finished":{"verdict":"passed","counts":{"paths":60},"reach":{"sites":[1,2]},"text":"TALLY 100 2500 40\nPASS\n"}}`
	const around = `{"kind":"started","started":{"text":"built"}}` + "\n%" + `{"kind":"ended","ended":{"runs":200}}`
	for _, c := range []struct{ name, text, err string }{
		{"all", even + "\n" + split + "\n", ""},
		{"one is missing", even, "1 of 2 corpora were run"},
		{"one fails", strings.Replace(even, "passed", "failed", 1), "TestEven100: failed"},
		{"one is smaller", strings.Replace(even, "TALLY 100", "TALLY 99", 1), "TestEven100: a corpus of 99 inputs, not 100"},
		{"one is larger", strings.Replace(even, "TALLY 100", "TALLY 400", 1), "TestEven100: a corpus of 400 inputs, not 100"},
		{"one has no tally", strings.Replace(even, "TALLY", "", 1), "TestEven100: the test did not print the length of its texts"},
		{"one is unknown", strings.Replace(even, "Even", "Odd", 1), "TestOdd100: passed"},
		{"no JSON", "panic", "invalid character"},
	} {
		all := []outcome{{inputs: 100}, {inputs: 100}}
		err := read(strings.Replace(around, "%", c.text, 1), all, at)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", c.name, err, c.err)
		}
		if err == nil && (all[0].paths[0] != 40 || all[0].blocks[0] != 3 || all[1].paths[0] != 60 || all[0].texts != (tally{100, 2500, 40})) {
			t.Errorf("%s: %+v", c.name, all)
		}
	}
}

// A row is compared with the first way, for the same library and number of inputs.
func TestRows(t *testing.T) {
	seen := tally{inputs: 10, bytes: 250, accepted: 4}
	all := []outcome{
		{"expr", "even odds", 100, seen, []float64{40, 60}, []float64{100, 100}},
		{"expr", "even odds", 200, seen, []float64{80, 120}, []float64{200, 200}},
		{"expr", "size split", 100, seen, []float64{60, 60}, []float64{90, 90}},
	}
	row := rows(all)[2]
	if row.Get("paths") != 60.0 || row.Get("paths ±") != 0.0 || int(row.Get("to even odds %").(float64)+0.5) != 20 ||
		row.Get("mean bytes") != 25.0 || row.Get("accepted %") != 40.0 || row.Get("blocks to even odds %").(float64) > -9 {
		t.Errorf("%v", row)
	}
	if svg := string(plot(all)); strings.Count(svg, ">size split<") != 2 || strings.Count(svg, ">expr: distinct paths<") != 1 {
		t.Error(svg)
	}
	if err := check(all); err != nil {
		t.Error(err)
	}
	all[1].paths[1] = 0
	if check(all) == nil {
		t.Error("no error for a corpus without paths")
	}
}
