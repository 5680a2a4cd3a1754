//go:build go1.25

package corpus

import (
	"fmt"
	"strconv"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/casefile"
)

// File returns a saved input as a case file. The header contains all its fields, so that the
// corpus can be restored from files.
func (e Entry) File(pkg, property string) casefile.File {
	f := casefile.File{Expr: e.Input}
	add := func(key, value string) { f.Facts = append(f.Facts, casefile.Fact{Key: key, Value: value}) }
	add("test", property)
	add("verdict", string(e.Verdict))
	add("found", fmt.Sprintf("run %d", e.Run))
	add("package", pkg)
	add("trace", fmt.Sprintf("%016x", e.Trace))
	for _, x := range [][2]string{{"how", e.How}, {"why", e.Why}, {"parent", e.Parent}, {"binary", e.Binary}} {
		if x[1] != "" {
			add(x[0], x[1])
		}
	}
	if e.Spawned {
		add("spawned", "yes")
	}
	return f
}

// unknown is the verdict of an entry whose file has no verdict. The next search runs the
// input and corrects the verdict.
const unknown = "unknown"

// FromFile returns a case file as a saved input. A field that is missing in the header, or that
// has another form than File writes, stays zero: only the expression is required.
func FromFile(f casefile.File) Entry {
	e := Entry{Input: f.Expr, Verdict: unknown}
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
