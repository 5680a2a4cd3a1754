//go:build go1.25

package export

import (
	"cmp"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/site"
)

// The types below are those of mutation-testing-report-schema, version 2. There, a fault is a mutant.
type (
	strykerReport struct {
		SchemaVersion string                  `json:"schemaVersion"`
		Thresholds    map[string]int          `json:"thresholds"`
		Framework     map[string]string       `json:"framework"`
		Files         map[string]*strykerFile `json:"files"`
	}
	strykerFile struct {
		Language string         `json:"language"`
		Source   string         `json:"source"`
		Faults   []strykerFault `json:"mutants"`
	}
	strykerFault struct {
		ID          string          `json:"id"`
		Operator    string          `json:"mutatorName"`
		Replacement string          `json:"replacement"`
		Location    strykerLocation `json:"location"`
		Status      string          `json:"status"`
		Why         string          `json:"statusReason,omitempty"`
	}
	strykerLocation struct {
		Start strykerPosition `json:"start"`
		End   strykerPosition `json:"end"`
	}
	strykerPosition struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
)

// Between these percentages the viewer colours a score yellow.
const (
	strykerLow  = 60
	strykerHigh = 80
)

// Stryker returns a report as mutation-testing-report-schema, which the viewers of Stryker show. A fault
// that only a step budget killed is a timeout there, one that never made a difference has survived, and
// one that the user has accepted is ignored.
func Stryker(r score.Report, files Files) ([]byte, error) {
	out := strykerReport{SchemaVersion: "2", Thresholds: map[string]int{"high": strykerHigh, "low": strykerLow},
		Framework: map[string]string{"name": "allele"}, Files: map[string]*strykerFile{}}
	add := func(p *score.Package, f site.Fault, status, why string) {
		name := files.name(f.File)
		if out.Files[name] == nil {
			out.Files[name] = &strykerFile{Language: "go", Source: files.source(f.File), Faults: []strykerFault{}}
		}
		at := files.span(f)
		out.Files[name].Faults = append(out.Files[name].Faults, strykerFault{ID: p.Keys[f.ID], Operator: f.Operator,
			Replacement: replacement(f), Status: status, Why: why,
			Location: strykerLocation{strykerPosition{at.line, at.column}, strykerPosition{at.endLine, at.endColumn}}})
	}
	for i := range r.Packages {
		p := &r.Packages[i]
		for j, x := range p.Results {
			add(p, p.Faults[j], strykerStatus(x), p.Why(j))
		}
		for _, a := range p.Accepted {
			add(p, a.Fault, "Ignored", a.Reason)
		}
	}
	return encode(out)
}

func strykerStatus(r score.Result) string {
	switch {
	case r.Kind == fate.Killed && r.By == fate.ByBudget:
		return "Timeout"
	case r.Open:
		return "Pending"
	}
	return cmp.Or(map[string]string{fate.Killed: "Killed", fate.Survived: "Survived", fate.NotInfected: "Survived",
		fate.NotReached: "NoCoverage"}[r.Kind], "RuntimeError")
}
