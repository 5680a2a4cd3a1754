//go:build go1.25

package build

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// A build that only counts steps ends every computation that does not end by itself, and
// short loops are not stopped.
func TestSteps(t *testing.T) {
	dir := testkit.ModuleInside(t, map[string]string{
		"a.go": `package a

import "iter"

func loop(n int) { for i := 0; i != n; i++ { } }

func nested(n int) { for i := 0; i != n; i++ { for j := 0; j != 3; j++ { } } }

func inner(n int) { for i := 0; i != n; i++ { func() { for j := 0; j != 70; j++ { } }() } }

func deep(n int) int { if n == 0 { return 0 }; return deep(n-1) + 1 }

func jump(n int) { i := 0; again: if i != n { i++; goto again } }

func count() iter.Seq[int] { return func(yield func(int) bool) { for i := 0; yield(i); i++ { } } }

func each(n int) { for i := range count() { if i == n { return }; for j := 0; j != 2; j++ { } } }

func number(n int) { for range uint(n) { } }
`,
		"a_test.go": `package a

import (
	"testing"

	_ "github.com/allele-go/allele"
	"github.com/allele-go/allele/internal/hook"
)

func TestAll(t *testing.T) {
	hook.Spent = func() { hook.Extend(1 << 40); panic("spent") }
	deepAny := func(n int) { deep(n) }
	for i, f := range []func(int){loop, nested, inner, deepAny, jump, each, number} {
		for _, n := range []int{5, 1 << 20} {
			hook.Reset(100_000)
			spent := func() (spent bool) {
				defer func() { spent = recover() != nil }()
				f(n)
				return false
			}()
			if want := n > 5; spent != want {
				t.Error(i, n, spent, hook.Hits())
			}
			if path := hook.Path(nil); len(path) > 0 {
				t.Error(i, len(path))
			}
		}
	}
	hook.Reset(1 << 40)
}
`,
	})
	conf := load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}}
	work := t.TempDir()
	l, err := load.List(conf)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Make(l, Config{Work: work, Load: conf, Steps: true})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(work, "a.test")
	if err := o.Test(testkit.Inside, binary); err != nil {
		t.Fatal(err)
	}
	if out := runIn(dir, nil, binary); !strings.Contains(out, "PASS") {
		t.Error(out)
	}
}
