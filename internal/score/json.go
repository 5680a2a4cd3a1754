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
	Sample      *Sample        `json:"sample,omitempty"`
	Summary     Summary        `json:"summary"`
	Declined    map[string]int `json:"declined,omitempty"` // reason -> number of places without faults
	Stale       []string       `json:"stale,omitempty"`    // directives that accept no fault, with their places
	Packages    []FilePackage  `json:"packages"`
}

// FilePackage is a package in a File.
type FilePackage struct {
	Path    string       `json:"path"`
	Error   string       `json:"error,omitempty"` // why it could not be judged
	Summary Summary      `json:"summary"`
	Suite   []FileMember `json:"suite"`
	Faults  []FileFault  `json:"faults"`
	// Accepted are the faults that the user has accepted. They have no verdict.
	Accepted []FileAccepted `json:"accepted,omitempty"`
	Reused   *Reused        `json:"reused,omitempty"` // of the verdicts of the last run, if there were some
}

// FileMember is a member of a suite in a File.
type FileMember struct {
	Kind   Kind              `json:"kind"`
	Name   string            `json:"name"`
	Killed int               `json:"killed"`            // faults that it killed, and no member before it
	Left   map[string]string `json:"leftOut,omitempty"` // test -> why it did not take part
}

// FileFault is a fault in a File, with what became of it. In JSON it is one object: its fields are
// those of site.Fault and of FileVerdict.
type FileFault struct {
	Key   string // names the fault for people: see Keys
	Fault site.Fault
	Fate  FileVerdict
}

// FileVerdict is what became of a fault. The fields have the names that they have in fate.Verdict.
type FileVerdict struct {
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

// FileAccepted is a fault that the user has accepted, in a File.
type FileAccepted struct {
	Key    string     `json:"key"`
	Reason string     `json:"reason"`
	Fault  site.Fault `json:"fault"`
}

// MarshalJSON joins the fields of the key, the fault and the verdict.
func (f FileFault) MarshalJSON() ([]byte, error) {
	var all []byte
	for _, part := range []any{keyed{f.Key}, f.Fault, f.Fate} {
		data, err := plainJSON(part)
		if err != nil {
			return nil, err
		}
		all = append(append(all, ','), data[1:len(data)-1]...)
	}
	all[0] = '{'
	return append(all, '}'), nil
}

// UnmarshalJSON reads each part from all of the fields.
func (f *FileFault) UnmarshalJSON(data []byte) error {
	var k keyed
	err := errors.Join(json.Unmarshal(data, &k), json.Unmarshal(data, &f.Fault), json.Unmarshal(data, &f.Fate))
	f.Key = k.Key
	return err
}

type keyed struct {
	Key string `json:"key"`
}

// plainJSON encodes a value with its < and &: people read it, and source is full of them.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Encode returns a report as indented JSON. relative shortens the names of files.
func Encode(r Report, relative func(file string) string) ([]byte, error) {
	sum := r.Summary()
	out := File{Version: Version, Set: r.Set, Since: r.Since, Interrupted: r.Interrupted, Sample: sum.of(r.Sample), Summary: sum,
		Stale: r.Stale, Declined: r.Declined, Packages: []FilePackage{}}
	for i := range r.Packages {
		out.Packages = append(out.Packages, r.Packages[i].file(relative))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), err
}

func (p *Package) file(relative func(string) string) FilePackage {
	out := FilePackage{Path: p.Path, Summary: p.Summary(), Suite: []FileMember{}, Faults: []FileFault{}}
	if p.Err != nil {
		out.Error = p.Err.Error()
	}
	if r := p.Reused(); r.any() {
		out.Reused = &r
	}
	for _, m := range p.Members {
		out.Suite = append(out.Suite, FileMember{Kind: m.Kind, Name: m.Name, Left: m.left})
	}
	for i, r := range p.Results {
		f := FileFault{p.key(p.Faults[i]), p.Faults[i], FileVerdict{Verdict: r.Kind, By: r.By, Test: r.Test, Input: r.Input,
			Tests: r.Tests, Runs: r.Runs, Detail: r.Detail, Unsure: r.Unsure}}
		f.Fault.File = relative(f.Fault.File)
		if r.Member >= 0 {
			f.Fate.Member = p.Members[r.Member].Name
			if r.Kind == fate.Killed {
				out.Suite[r.Member].Killed++
			}
		}
		out.Faults = append(out.Faults, f)
	}
	for _, a := range p.Accepted {
		f := FileAccepted{p.key(a.Fault), a.Reason, a.Fault}
		f.Fault.File = relative(f.Fault.File)
		out.Accepted = append(out.Accepted, f)
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
			if !valid(fate.Verdict{Kind: x.Fate.Verdict, By: x.Fate.By}) {
				return File{}, fmt.Errorf("read a score: fault %d of %s: unknown verdict %.40q %.40q",
					x.Fault.ID, p.Path, x.Fate.Verdict, x.Fate.By)
			}
		}
	}
	return f, nil
}
