//go:build go1.25

package export

import (
	"net/url"
	"path"
	"slices"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/site"
)

// The types below are those of SARIF 2.1.0, as far as they are needed.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name string      `json:"name"`
		URI  string      `json:"informationUri"`
		Rule []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule         string             `json:"ruleId"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact map[string]string `json:"artifactLocation"`
		Region   sarifRegion       `json:"region"`
	}
	sarifRegion struct {
		Line      int `json:"startLine"`
		Column    int `json:"startColumn"`
		EndLine   int `json:"endLine"`
		EndColumn int `json:"endColumn"`
	}
	sarifSuppression struct {
		Kind   string `json:"kind"`
		Reason string `json:"justification"`
	}
)

// levels has the level of each kind of survivor.
var levels = map[string]string{fate.Survived: "warning", fate.NotInfected: "note", fate.NotReached: "note"}

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// SARIF returns the survivors of a report as SARIF, which code hosts show beside the lines. A fault that
// survived is a warning, and one that never made a difference or never ran is a note. A fault that
// the user has accepted is a suppressed result.
func SARIF(r score.Report, files Files) ([]byte, error) {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		Tool: sarifTool{sarifDriver{Name: "allele", URI: "https://github.com/allele-go/allele", Rule: []sarifRule{}}}}
	add := func(p *score.Package, f site.Fault, level, why string, suppressed ...sarifSuppression) {
		if !slices.ContainsFunc(run.Tool.Driver.Rule, func(x sarifRule) bool { return x.ID == f.Operator }) {
			rule := sarifRule{f.Operator, sarifText{"a fault of the operator " + f.Operator + " that no test notices"}}
			run.Tool.Driver.Rule = append(run.Tool.Driver.Rule, rule)
		}
		at := files.span(f)
		run.Results = append(run.Results, sarifResult{Rule: f.Operator, Level: level,
			Message: sarifText{"no test notices this change: " + f.From + " → " + f.To + "\n" + why}, Suppressions: suppressed,
			Fingerprints: map[string]string{"alleleFault/v1": p.Keys[f.ID]},
			Locations: []sarifLocation{{sarifPhysical{files.artifact(f.File),
				sarifRegion{at.line, at.column, at.endLine, at.endColumn}}}}})
	}
	for i := range r.Packages {
		p := &r.Packages[i]
		for j, x := range p.Results {
			if level := levels[x.Kind]; level != "" {
				add(p, p.Faults[j], level, p.Why(j))
			}
		}
		for _, a := range p.Accepted {
			add(p, a.Fault, "note", "accepted", sarifSuppression{"inSource", a.Reason})
		}
	}
	return encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// artifact returns where a file is. A relative name is relative to the root of the repository, if the
// command ran there.
func (f *Files) artifact(file string) map[string]string {
	name := f.name(file)
	if path.IsAbs(name) {
		return map[string]string{"uri": (&url.URL{Scheme: "file", Path: name}).String()}
	}
	return map[string]string{"uri": (&url.URL{Path: name}).String(), "uriBaseId": "%SRCROOT%"}
}
