package killed

import (
	"fmt"
	"strings"
)

// properties lists the properties of the module.
var properties = []struct {
	test string
	bug  bool
	do   string // what the property does with an ordered tree of at least five nodes
}{
	{"TestExit", true, "os.Exit(3)"},
	{"TestFails", true, `t.Error("large")`},
	{"TestHolds", false, ""},
	{"TestOverflows", true, "_ = fmt.Sprint(loop{})"},
	{"TestPanics", true, `panic("large")`},
	{"TestPanicsElsewhere", true, `done := make(chan bool); go func() { panic("large") }(); <-done`},
	{"TestStands", false, ""},
	{"TestWaits", true, "select {}"},
}

const head = `package scratch

import (
	"fmt"
	"os"
	"testing"

	"github.com/allele-go/allele"
)

type Tree struct {
	L, R *Tree
	K    int
}

func (t *Tree) Ordered(lo, hi int) bool {
	return t == nil || lo < t.K && t.K < hi && t.L.Ordered(lo, t.K) && t.R.Ordered(t.K, hi)
}

func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.Size() + t.R.Size()
}

// loop has a String method that recurses endlessly.
type loop struct{}

func (l loop) String() string { return fmt.Sprint(l) }

var _ = os.Exit
`

func files() map[string]string {
	var b strings.Builder
	b.WriteString(head)
	for _, p := range properties {
		fmt.Fprintf(&b, "\nfunc %s(t *testing.T) {\n"+
			"\tallele.Check(t, func(t *allele.T, in *Tree) {\n"+
			"\t\tt.Assume(in.Ordered(-100, 100))\n"+
			"\t\tif in.Size() >= 5 {\n\t\t\t%s\n\t\t}\n"+
			"\t})\n}\n", p.test, p.do)
	}
	return map[string]string{"tree_test.go": b.String()}
}
