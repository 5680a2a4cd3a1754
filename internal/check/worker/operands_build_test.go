//go:build go1.25

package worker_test

import (
	"hash/crc32"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/check/worker"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// framed has no name, so that it is the same type here and in the scratch module.
type framed = struct {
	Magic uint32
	Name  string
	Data  []byte
	Sum   uint32
}

// openSource declares a function Open that returns true only if three comparisons succeed.
// None of the values that it compares with is a literal in the source.
const openSource = `package frame

import "hash/crc32"

type Frame = struct {
	Magic uint32
	Name  string
	Data  []byte
	Sum   uint32
}

var magic = uint32(0x1bad) << 16

var name = "rose" + string([]byte{'b', 'u', 'd'})

func Open(f Frame) bool {
	if f.Magic != magic|0xb002 || f.Name != name {
		return false
	}
	return f.Sum == crc32.ChecksumIEEE(f.Data)
}
`

const openTest = `package frame

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestOpen(t *testing.T) {
	allele.Check(t, func(t *allele.T, in Frame) {
		if Open(in) {
			t.Error("opened")
		}
	})
}
`

// The command builds the binary, the process runs it, and the comparisons it reports
// solve one comparison after the other.
func TestOperandsOfRealProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module twice")
	}
	dir := testkit.Module(t, map[string]string{"frame.go": openSource, "frame_test.go": openTest})
	out, binary := testkit.CommandBuilds(t, dir, "scratch.operands", "-tests", "300", ".")
	if strings.Contains(out, "without operands") {
		t.Fatal(out)
	}
	old := property.Home
	property.Home = dir
	defer func() { property.Home = old }()
	world, err := schema.Derive(reflect.TypeFor[framed](), nil)
	if err != nil {
		t.Fatal(err)
	}
	o := worker.NewOperandClient(binary, []string{"-test.run=^TestOpen$"}, "TestOpen", world, 2*time.Second)
	defer o.Close()
	x, err := world.Read(reflect.ValueOf(framed{7, "gamma", []byte("data"), 9}))
	if err != nil {
		t.Fatal(err)
	}
	sum := crc32.ChecksumIEEE([]byte("data"))
	for _, want := range []framed{
		{0x1badb002, "gamma", []byte("data"), 9},
		{0x1badb002, "rosebud", []byte("data"), 9},
		{0x1badb002, "rosebud", []byte("data"), sum},
	} {
		cs := o.Of(x)
		if again := o.Of(x); !slices.Equal(again, cs) {
			t.Errorf("%v, and then %v", cs, again)
		}
		goal, err := world.Read(reflect.ValueOf(want))
		if err != nil {
			t.Fatal(err)
		}
		if x = step(world, x, cs, goal); x == nil {
			t.Fatalf("%+v is not in reach of %v; off: %q", want, cs, o.Summary().Off)
		}
	}
}

// step returns the goal if one candidate for one field of x leads there, and nil if not.
func step(w *schema.World, x term.Term, cs []operand.Compared, goal term.Term) term.Term {
	for at := range x.Kids(0) {
		for _, c := range operand.Candidates(w.Of(x[at]), x.Sub(at), cs, 10) {
			if y := term.Replace(nil, x, at, c); term.Equal(y, goal) {
				return y
			}
		}
	}
	return nil
}
