//go:build go1.25

package allele

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// notedTypes are inputs with parts that are never set. Each has at least one part that varies.
var notedTypes = []string{
	"struct { B strings.Builder; N int }",
	"struct { B *[2]strings.Builder; N int }",
	"struct { S fmt.Stringer; N int }",
	"map[string]fmt.Stringer",
	"ring.Ring",
	"*ring.Ring",
	"[]slog.Record",
	"struct { L *log.Logger; M *expvar.Map; N int }",
	"struct { F flag.Flag; Set *flag.FlagSet }",
	"multipart.FileHeader",
	"[]*multipart.FileHeader",
	"struct { F func(Local) (box.Box, error); N int }",
	"struct { F [2]func(*box.Box); N int }",
	"struct { Steps []func(any) error; N int }",
	"struct { C <-chan Local; D chan<- box.Box; N int }",
	"struct { M map[string]chan int; N int }",
	"box.Hooks",
	"*box.Hooks",
	"struct { P unsafe.Pointer; N int }",
	"struct { P Pair[box.Box, Local]; N int }",
	"struct { H hash.Hash; R io.ReaderAt; N int }",
	"box.Counter",
	"Mutexes",
}

const notedBox = `package box

import (
	"fmt"
	"sync/atomic"
)

type Box struct{ N int }

type Hooks struct {
	N    int
	On   func(Box) hidden
	Name fmt.Stringer
}

type hidden struct{ n int }

type Counter struct {
	All   map[string]int
	Total atomic.Int64
	Last  atomic.Pointer[Box]
}
`

// intended matches the declarations in notes which say that a part is meant to stay as it is.
var intended = regexp.MustCompile(`intended: (allele\..*?)(?: \(and \d+ more parts?: see go test -v\))?\n`)

// Every note about a part that is never set has advice that compiles as printed, in tests inside and
// outside the package, and that works: with it, the Check passes without such a note, also if
// ALLELE_STRICT is 1. Functions, channels and atomics never fail it.
func TestNotesAreAdvice(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	source := func(options map[string]string) string {
		text := `package noted

import (
	"container/ring"
	"expvar"
	"flag"
	"fmt"
	"hash"
	"io"
	"log"
	"log/slog"
	"mime/multipart"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/allele-go/allele"
	"scratch/box"
)

type Local struct{ N int }

type Pair[A, B any] struct {
	F func(A) B
	N int
}

type Mutexes struct {
	mu sync.Mutex
	N  int
	_  [0]func()
}

var (
	_ ring.Ring
	_ *expvar.Map
	_ flag.Flag
	_ fmt.Stringer
	_ hash.Hash
	_ io.Reader
	_ *log.Logger
	_ slog.Record
	_ multipart.FileHeader
	_ textproto.MIMEHeader
	_ time.Time
	_ strings.Builder
	_ unsafe.Pointer
)
`
		for i, typ := range notedTypes {
			name := fmt.Sprintf("Test%02d", i)
			text += fmt.Sprintf("\nfunc %s(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, in %s) {}%s)\n}\n", name, typ, options[name])
		}
		return text
	}
	dir := testkit.Module(t, map[string]string{"box/box.go": notedBox, "noted_test.go": source(nil)})
	out, exit := testkit.Go(t, dir, nil, "test", "-v", ".")
	if exit != 0 {
		t.Fatalf("exit code %d:\n%s", exit, out)
	}
	first, options, noted := out, map[string]string{}, 0
	for range 2 { // one note may be about fields of two types, and has advice for the first
		for _, report := range strings.Split(out, "=== RUN   ")[1:] {
			name, _, _ := strings.Cut(report, "\n")
			for _, m := range intended.FindAllStringSubmatch(report, -1) {
				options[name] += ", " + m[1]
				noted++
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "noted_test.go"), []byte(source(options)), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, exit = testkit.Go(t, dir, []string{"ALLELE_STRICT=1"}, "test", "-v", "."); exit != 0 {
			t.Fatalf("exit code %d:\n%s\nbefore:\n%s", exit, out, first)
		}
	}
	if noted < 26 {
		t.Errorf("%d notes with advice:\n%s", noted, first)
	}
	for _, m := range regexp.MustCompile(`(?m)^.*note: .*$`).FindAllString(out, -1) {
		if !strings.Contains(m, "atomic") && !strings.Contains(m, "On is always nil") {
			t.Errorf("with the advice: %s", m)
		}
	}
	if advice := strings.Join(intended.FindAllString(first, -1), ""); strings.Contains(advice, ".hidden") {
		t.Errorf("an unexported name in %s", advice)
	}
}
