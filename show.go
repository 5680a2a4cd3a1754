package allele

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/value/codec"
)

// showCase writes the test that runs a stored case, if the case is of this Check:
// the command cannot, as it does not know the types. It goes to a file of its own
// because an event is cut where it is long, and this is asked for when it is.
func (c *check) showCase(file, to string) {
	c.t.Helper()
	if !sameFile(filepath.Dir(file), at(c.place.dir)) {
		return
	}
	file = filepath.Join(c.place.dir, filepath.Base(file))
	e := event.Event{Kind: event.Note, Property: c.name, Case: file}
	s, mine, err := c.load(file, func(test string) bool { return test == c.name })
	switch {
	case err != nil:
		e.Verdict, e.Text = event.Failed, err.Error()
	case !mine:
		return
	default:
		f := finding{term: s.term, outcome: outcome{T: &T{tb: c.runner}}, file: file, ends: s.apart}
		if err := os.WriteFile(to, []byte(c.pasted(f)+"\n"), 0o666); err != nil {
			e.Verdict, e.Text = event.Failed, err.Error()
		}
	}
	c.emit(e)
}

// pasted is a test that compiles where it is pasted: the value is in it or, if it
// cannot be, in a comment above.
func (c *check) pasted(f finding) string {
	text := codec.Print(c.world, f.term, c.place.style())
	test, whole := c.test(f, text)
	if whole || test == "" {
		return c.regression(f, text)
	}
	return "// " + strings.ReplaceAll(text.Decl("in"), "\n", "\n// ") + "\n" + test
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
