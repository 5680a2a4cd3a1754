package realbugs

import (
	"slices"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Parsers measures how long a search takes until a parser accepts a text, beginning with nothing. Each parser has two
// properties: one assumes that the parser reports no error, and the other one returns if it does, as fuzz targets do.
var Parsers = lab.Experiment{
	Name: "parsers",
	Doc:  "runs and CPU time until a published parser accepts a text, with a property that assumes, and one that returns",
	Run:  runParsers,
}

var parserBudget = lab.Default[time.Duration]{Full: 20 * time.Second, Quick: 20 * time.Second}

// The texts were chosen before anything was measured. An empty text or a number is accepted by some of the parsers, so these
// have to accept more: see testdata/parsers.
var parsers = []row{
	{parser: "cron", module: foreign.At("github.com/robfig/cron/v3", "v3.0.1")},
	{parser: "uuid", module: foreign.At("github.com/google/uuid", "v1.6.0")},
	{parser: "mail", module: foreign.At("net/mail", ""), scope: "net/mail"},
	{parser: "mime", module: foreign.At("mime", ""), scope: "mime"},
	{parser: "gojq", module: foreign.At("github.com/itchyny/gojq", "v0.12.16")},
	{parser: "gojqif", module: foreign.At("github.com/itchyny/gojq", "v0.12.16")},
	{parser: "hcl", module: foreign.At("github.com/hashicorp/hcl/v2", "v2.23.0")},
}

func parserRows() (all []row) {
	for _, r := range parsers {
		for _, mode := range []string{"assumes", "returns"} {
			r.name, r.mode = r.parser+"-"+mode, mode
			r.native = mode == "returns" // native fuzzing does not know the difference
			r.quick = r.name == "uuid-returns"
			r.sum = true
			all = append(all, r)
		}
	}
	return all
}

// parserFiles returns the files of the module of a parser.
func (r row) parserFiles(arms []arm) map[string]string {
	files := map[string]string{"target.go": "parsers/" + r.parser + "/target.go.txt",
		"property_test.go": "parsers/" + r.mode + "_test.go.txt"}
	if slices.Contains(arms, native) && r.has(native) {
		files["native/known_test.go"] = "parsers/native_test.go.txt"
	}
	return files
}

func runParsers(cfg lab.Config) (*lab.Result, error) {
	s := &study{Config: cfg, name: "parsers", title: "texts that published parsers accept", rows: parserRows(),
		arms: []arm{guided, native}, budget: parserBudget}
	return s.result()
}
