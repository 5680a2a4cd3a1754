package allele

import (
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

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

// open returns what lies behind three comparisons. None of the values stands in
// the source as it is compared.
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

// commandBuilds runs allele test in a module, and gives what it printed and the path of
// a binary that it has built.
func commandBuilds(t *testing.T, dir, name string, args ...string) (out, binary string) {
	t.Helper()
	cache := t.TempDir()
	command := filepath.Join(cache, "command")
	if out, exit := testkit.Go(t, testkit.Root(t), nil, "build", "-buildvcs=false", "-o", command, "./cmd/allele"); exit != 0 {
		t.Fatal(out)
	}
	goCache, _ := testkit.Go(t, dir, nil, "env", "GOCACHE")
	cmd := exec.Command(command, append([]string{"test"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "XDG_CACHE_HOME="+cache, "GOCACHE="+strings.TrimSpace(goCache))
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	binaries, err := filepath.Glob(filepath.Join(cache, "allele", "*", "bin", name))
	if err != nil || len(binaries) != 1 {
		t.Fatal(binaries, err)
	}
	return string(text), binaries[0]
}

// The command builds the binary, the process runs it, and what it tells opens one
// comparison after the other.
func TestOperandsOfRealProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module twice")
	}
	dir := testkit.Module(t, map[string]string{"frame.go": openSource, "frame_test.go": openTest})
	out, binary := commandBuilds(t, dir, "scratch.operands", "-tests", "10", ".")
	if strings.Contains(out, "without operands") {
		t.Fatal(out)
	}
	old := home
	home = dir
	defer func() { home = old }()
	world, err := schema.Derive(reflect.TypeFor[framed](), nil)
	if err != nil {
		t.Fatal(err)
	}
	o := &operands{binary: binary, args: []string{"-test.run=^TestOpen$"}, property: "TestOpen", world: world, wait: answerWait}
	defer o.close()
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
		cs := o.of(x)
		if again := o.of(x); !slices.Equal(again, cs) {
			t.Errorf("%v, and then %v", cs, again)
		}
		goal, err := world.Read(reflect.ValueOf(want))
		if err != nil {
			t.Fatal(err)
		}
		if x = step(world, x, cs, goal); x == nil {
			t.Fatalf("%+v is not in reach of %v; off: %q", want, cs, o.off)
		}
	}
}

// step is the goal, if one candidate for one field of x makes it.
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
