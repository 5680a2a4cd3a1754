//go:build go1.25

package allele

import (
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

type (
	planet  uint8
	command string
	access  int
)

const (
	mercury planet = iota + 1
	venus
	earth
)

const (
	launch command = "launch"
	halt   command = "halt"
)

const (
	reads access = 1 << iota
	writes
	executes
)

// voyage has parts of types with constants, which allele test finds in the source.
type voyage struct {
	Planet  planet
	Command command
	Access  access
	Crew    []string
}

func voyagesKnown(t *testing.T) {
	before := hook.Facts
	t.Cleanup(func() { hook.Facts = before })
	hook.Enum(planet(0), mercury, venus, earth)
	hook.Enum(command(""), launch, halt)
	hook.Enum(access(0), reads, writes, executes)
}

func (o voyage) isKnown() bool {
	return o.Planet >= mercury && o.Planet <= earth && slices.Contains([]command{launch, halt}, o.Command)
}

// Values that are no constants of their types are rare, and together in few inputs. Flags are no such constants: their
// values combine.
func TestConstantsFirst(t *testing.T) {
	voyagesKnown(t)
	known, both, first := 0, 0, 0
	r := record(t, "TestX", func(t testing.TB) {
		runs := 0
		Check(t, func(t *T, in voyage) {
			runs++
			if in.isKnown() {
				known++
			} else if first == 0 {
				first = runs
			}
			if in.Access&reads != 0 && in.Access&writes != 0 {
				both++
			}
		}, Tests(4000))
	})
	if r.Failed() || known < 3900 || known > 3990 || both < 40 {
		t.Errorf("%d of 4000 inputs have constants only, the first of the others is run %d; %d combine flags\n%s", known, first, both, r.text())
	}
}

// A counterexample has constants where such an input fails too. Otherwise a note names the values that are none.
func TestConstantsOfACounterexample(t *testing.T) {
	voyagesKnown(t)
	crewed := func(t *T, in voyage) {
		if len(in.Crew) > 0 && in.Command != "" && in.Planet != 0 {
			t.Error("crew")
		}
	}
	for _, in := range []voyage{{Planet: 77, Command: "go", Crew: []string{"a", "b"}}, {Planet: 4, Command: halt, Crew: []string{"a"}}} {
		r := record(t, "TestX", func(t testing.TB) { Check(t, crewed, Example(in)) })
		r.has(t, "crew", `Planet: 1`, `Crew: []string{""}`)
		if text := r.text(); strings.Contains(text, "no constants") || !strings.Contains(text, `"launch"`) && !strings.Contains(text, `"halt"`) {
			t.Errorf("%+v:\n%s", in, text)
		}
	}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in voyage) {
			if in.Planet > 9 {
				t.Error("far")
			}
		}, Tests(100_000))
	})
	r.has(t, "far", "note: the input has values that are no constants of their types: in.Planet = planet(10);", "few inputs have such values", "allele.Values")
}
