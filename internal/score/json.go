//go:build go1.25

package score

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// Version is the version of the JSON format. Fields may be added to a version; a field that
// changes its meaning needs a new number.
const Version = 1

// ErrNewer is wrapped by the error that Decode returns for an unknown version.
var ErrNewer = errors.New("written by a newer allele; update the command")

// File is a report as JSON. The order of its lists depends only on the source and the suite:
// packages by import path, faults by place, members as they were asked.
type File struct {
	Version     int            `json:"version"`
	Set         string         `json:"set"`
	Since       string         `json:"since,omitempty"`
	Interrupted bool           `json:"interrupted,omitempty"`
	Summary     Summary        `json:"summary"`
	Declined    map[string]int `json:"declined,omitempty"` // reason -> number of places without faults
	Packages    []FilePackage  `json:"packages"`
}

// FilePackage is a package in a File.
type FilePackage struct {
	Path    string       `json:"path"`
	Error   string       `json:"error,omitempty"` // why it could not be judged
	Summary Summary      `json:"summary"`
	Suite   []FileMember `json:"suite"`
	Faults  []FileFault  `json:"faults"`
}

// FileMember is a member of a suite in a File.
type FileMember struct {
	Kind   Kind              `json:"kind"`
	Name   string            `json:"name"`
	Killed int               `json:"killed"`            // faults that it killed, and no member before it
	Left   map[string]string `json:"leftOut,omitempty"` // test -> why it did not take part
}

// FileFault is a fault in a File, with what became of it. The fields are those of site.Fault
// and fate.Verdict, under the names that they have there.
type FileFault struct {
	site.Fault
	Verdict string `json:"verdict"`
	By      string `json:"by,omitempty"`
	Member  string `json:"member,omitempty"` // the member that decided it
	Test    string `json:"test,omitempty"`
	Tests   int    `json:"tests,omitempty"`
	Runs    int    `json:"runs,omitempty"`
	Input   string `json:"input,omitempty"`
	Detail  string `json:"detail,omitempty"`
	Unsure  string `json:"unsure,omitempty"` // a member that has no verdict, and why
}

// Encode returns a report as indented JSON. relative shortens the names of files.
func Encode(r Report, relative func(file string) string) ([]byte, error) {
	out := File{Version: Version, Set: r.Set, Since: r.Since, Interrupted: r.Interrupted, Summary: r.Summary(),
		Declined: r.Declined, Packages: []FilePackage{}}
	for i := range r.Packages {
		out.Packages = append(out.Packages, r.Packages[i].file(relative))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // people read it, and source is full of < and &
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), err
}

func (p *Package) file(relative func(string) string) FilePackage {
	out := FilePackage{Path: p.Path, Summary: p.Summary(), Suite: []FileMember{}, Faults: []FileFault{}}
	if p.Err != nil {
		out.Error = p.Err.Error()
	}
	for _, m := range p.Members {
		out.Suite = append(out.Suite, FileMember{Kind: m.Kind, Name: m.Name, Left: m.left})
	}
	for i, r := range p.Results {
		f := FileFault{Fault: p.Faults[i], Verdict: r.Kind, By: r.By, Test: r.Test, Input: r.Input, Tests: r.Tests, Runs: r.Runs,
			Detail: r.Detail, Unsure: r.Unsure}
		f.File = relative(f.File)
		if r.Member >= 0 {
			f.Member = p.Members[r.Member].Name
			if r.Kind == fate.Killed {
				out.Suite[r.Member].Killed++
			}
		}
		out.Faults = append(out.Faults, f)
	}
	return out
}

// Decode reads what Encode wrote. It returns an error for anything else.
func Decode(data []byte) (f File, err error) {
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return f, fmt.Errorf("read a score: %w", err)
	}
	switch {
	case v.Version > Version:
		return f, fmt.Errorf("read a score: version %d: %w", v.Version, ErrNewer)
	case v.Version < 1:
		return f, errors.New("read a score: there is no version")
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return File{}, fmt.Errorf("read a score: %w", err)
	}
	for _, p := range f.Packages {
		for _, x := range p.Faults {
			if !valid(fate.Verdict{Kind: x.Verdict, By: x.By}) {
				return File{}, fmt.Errorf("read a score: fault %d of %s: unknown verdict %.40q %.40q", x.ID, p.Path, x.Verdict, x.By)
			}
		}
	}
	return f, nil
}
