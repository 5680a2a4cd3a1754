//go:build go1.25

package casefile

import (
	"fmt"
	"strconv"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
)

// Of returns a saved input as a file. The header contains all its fields, so that the
// corpus can be restored from files.
func Of(pkg, property string, e corpus.Entry) File {
	f := File{Expr: e.Input}
	f.Facts = []Fact{{"test", property}, {"verdict", string(e.Verdict)}, {"found", fmt.Sprintf("run %d", e.Run)},
		{"package", pkg}, {"trace", fmt.Sprintf("%016x", e.Trace)}}
	for _, x := range []Fact{{"how", e.How}, {"why", e.Why}, {"parent", e.Parent}, {"binary", e.Binary}} {
		if x.Value != "" {
			f.Facts = append(f.Facts, x)
		}
	}
	if e.Spawned {
		f.Facts = append(f.Facts, Fact{"spawned", "yes"})
	}
	return f
}

// unknown is the verdict of an entry whose file has no verdict. The next search runs the
// input and corrects the verdict.
const unknown = "unknown"

// Entry returns a file as a saved input. A field that is missing in the header, or that
// has another form than Of writes, stays zero: only the expression is required.
func (f File) Entry() corpus.Entry {
	e := corpus.Entry{Input: f.Expr, Verdict: unknown}
	if v, ok := f.Fact("verdict"); ok {
		e.Verdict = event.Verdict(v)
	}
	found, _ := f.Fact("found")
	fmt.Sscanf(found, "run %d", &e.Run)
	trace, _ := f.Fact("trace")
	e.Trace, _ = strconv.ParseUint(trace, 16, 64)
	e.How, _ = f.Fact("how")
	e.Why, _ = f.Fact("why")
	e.Parent, _ = f.Fact("parent")
	e.Binary, _ = f.Fact("binary")
	spawned, _ := f.Fact("spawned")
	e.Spawned = spawned == "yes"
	return e
}
