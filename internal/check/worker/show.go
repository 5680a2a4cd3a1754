//go:build go1.25

package worker

import (
	"os"
	"path/filepath"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
)

// show writes the test that runs a stored case, if the case belongs to this property. The
// command cannot write the test, because it does not have the types. The test is written to
// a file and not into an event, because long events are shortened, and users request the
// test of a case when its input is long.
func show(p *property.Property) {
	p.TB.Helper()
	file, to := p.Job.Text.Case, p.Job.Text.To
	if !sameFile(filepath.Dir(file), property.At(p.Place.Dir)) {
		return
	}
	file = filepath.Join(p.Place.Dir, filepath.Base(file))
	s, mine, err := p.Load(file)
	if err == nil && !mine {
		return
	}
	if err == nil {
		f := finding.Finding{Term: s.Term, Storage: finding.Storage{File: file}, Isolated: s.Runs.Isolated}
		err = os.WriteFile(to, []byte(finding.Pasted(s.Prop, f)+"\n"), 0o666)
	}
	answer(p, err)
}

// answer reports that the file that a job wants is written, or why not.
func answer(p *property.Property, err error) {
	var a event.Answered
	if err != nil {
		a.Error = err.Error()
	}
	p.Emit(a)
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
