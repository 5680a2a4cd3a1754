//go:build go1.25

package allele_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

const declaredSource = `package declared

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"testing"

	"github.com/allele-go/allele"
)

type MyErr struct{ Code int }

func (e *MyErr) Error() string { return "code " + strconv.Itoa(e.Code) }

var (
	ErrMine        = errors.New("mine")
	ErrTyped error = &MyErr{Code: 9}
)

type step func(int) int

func check(t *testing.T, is func(error) bool) {
	local := &MyErr{Code: 7}
	allele.Check(t, func(t *allele.T, in struct {
		Err error
		Ptr *error
	}) {
		if is(in.Err) {
			t.Error("found")
		}
	}, allele.Values[error](
		nil, io.EOF, ErrMine,
		&MyErr{Code: 3}, fmt.Errorf("x"), ErrTyped, errors.New("mine"), local,
	))
}

func TestFunc(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct{ Do step }) {
		if in.Do != nil && in.Do(1) == 2 {
			t.Error("found")
		}
	}, allele.Values[step](nil, func(n int) int { return n - 1 }, func(n int) int { return n + 1 }))
}

func coded(err error, code int) bool {
	mine, ok := err.(*MyErr)
	return ok && mine.Code == code
}

func TestSentinel(t *testing.T) { check(t, func(err error) bool { return err == ErrMine }) }
func TestLiteral(t *testing.T)  { check(t, func(err error) bool { return coded(err, 3) }) }
func TestCall(t *testing.T)     { check(t, func(err error) bool { return err != nil && err.Error() == "x" }) }
func TestTyped(t *testing.T)    { check(t, func(err error) bool { return err == ErrTyped }) }
func TestOther(t *testing.T) {
	check(t, func(err error) bool { return err != nil && err != ErrMine && err.Error() == "mine" })
}
func TestLocal(t *testing.T) { check(t, func(err error) bool { return coded(err, 7) }) }
`

// A declared value of an interface is printed as the Go code that declares it, if the code means the
// same elsewhere. A stored case means the same value when the list changes, and is refused when the
// value is not in the list any more.
func TestDeclaredValues(t *testing.T) {
	t.Parallel()
	dir := testkit.Module(t, map[string]string{"declared_test.go": declaredSource})
	out, _ := testkit.Go(t, dir, nil, "test")
	for _, want := range []string{"Err: ErrMine", "Err: &MyErr{Code: 3}", `Err: fmt.Errorf("x")`, "Err: ErrTyped", `Err: errors.New("mine")`,
		`Err: value7("*declared.MyErr: code 7")`, "{Do: func(n int) int { return n + 1 }}", `// imports "fmt"`} {
		if !strings.Contains(out, want) {
			t.Errorf("want %s in\n%s", want, out)
		}
	}
	var names []string
	for _, test := range []string{"Literal", "Call", "Typed"} {
		name, printed := printedTest(t, reportOf(out, "Test"+test))
		names = append(names, name)
		os.WriteFile(filepath.Join(dir, test+"_test.go"), []byte("package declared\n\n"+printed), 0o666)
	}
	if out := testOf(t, dir, "^("+strings.Join(names, "|")+")$"); strings.Count(out, "property failed: found") != len(names) {
		t.Errorf("%v\n%s", names, out)
	}
	for _, test := range []string{"Literal", "Call", "Typed"} {
		os.Remove(filepath.Join(dir, test+"_test.go"))
	}
	edit := func(oldnew ...string) string {
		t.Helper()
		source := strings.NewReplacer(oldnew...).Replace(declaredSource)
		os.WriteFile(filepath.Join(dir, "declared_test.go"), []byte(source), 0o666)
		return testOf(t, dir, ".")
	}
	if out := edit("nil, io.EOF, ErrMine,", "ErrMine, nil, nil, io.EOF,", "func(n int) int { return n - 1 }, ", ""); strings.Count(out, "from     testdata") != 7 {
		t.Errorf("in another order:\n%s", out)
	}
	out = edit("&MyErr{Code: 3}, fmt", "&MyErr{Code: 4}, fmt", "local := &MyErr{Code: 7}", "local := &MyErr{Code: 8}")
	for _, want := range []string{
		"stored with value3 = *declared.MyErr: code 3, which is now *declared.MyErr: code 4; declare the old value again",
		"the case was stored with value7 = *declared.MyErr: code 7, which is now *declared.MyErr: code 8",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("want %s in\n%s", want, out)
		}
	}
}

// reportOf returns the part of the output of go test that is about one test.
func reportOf(out, test string) string {
	_, report, _ := strings.Cut(out, "--- FAIL: "+test+" ")
	report, _, _ = strings.Cut(report, "\n--- FAIL: ")
	return report
}

func testOf(t *testing.T, dir, run string) string {
	t.Helper()
	out, _ := testkit.Go(t, dir, nil, "test", "-run", run)
	return out
}

// A type that only a constructor with options makes is filled in plain go test, and the report says so.
func TestOptionsNote(t *testing.T) {
	t.Parallel()
	dir := testkit.Module(t, map[string]string{
		"server.go": `package server

type Server struct{ port, conns int }

type Option func(*Server)

func New(name string, opts ...Option) *Server {
	s := &Server{port: 80}
	for _, o := range opts {
		o(s)
	}
	return s
}

func WithPort(port int) Option { return func(s *Server) { s.port = port } }

// Client has no function that makes options.
type Client struct{ conns int }

func NewClient(opts ...func(*Client)) *Client { return &Client{} }
`,
		"server_test.go": `package server

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestServer(t *testing.T) {
	allele.Check(t, func(t *allele.T, in *Server) {
		if in != nil && in.conns != 0 {
			t.Error("found")
		}
	})
}

func TestClient(t *testing.T) {
	allele.Check(t, func(t *allele.T, in *Client) {
		if in != nil && in.conns != 0 {
			t.Error("found")
		}
	})
}
`,
	})
	out := testOf(t, dir, ".")
	for _, want := range []string{"note: Server was made by fields, so it may be a value that the package never makes; New makes valid ones from options:",
		"facts -write scratch, or "} {
		if !strings.Contains(reportOf(out, "TestServer"), want) {
			t.Errorf("want %s in\n%s", want, out)
		}
	}
	if report := reportOf(out, "TestClient"); strings.Contains(report, "note:") || !strings.Contains(report, "found") {
		t.Error(out)
	}
}

// A constructor that may refuse a text makes the valid values too, and so does a method that reads a text.
func TestTextsNote(t *testing.T) {
	t.Parallel()
	dir := testkit.Module(t, map[string]string{
		"texts.go": `package texts

import "errors"

type O1 func(*S1)
type S1 struct{ addr string; n int }

func New1(addr string, opts ...O1) (*S1, error) {
	if addr == "" {
		return nil, errors.New("no address")
	}
	s := &S1{addr: addr}
	for _, o := range opts {
		o(s)
	}
	return s, nil
}

func WithN(n uint8) O1 { return func(s *S1) { s.n = int(n) } }

type S4 struct{ a string; n int }

func New4(a string) (*S4, error) {
	if a == "" {
		return nil, errors.New("no name")
	}
	return &S4{a, len(a)}, nil
}

type S5 struct{ n int }

func (s *S5) Scan(src any) error {
	text, ok := src.(string)
	if !ok || len(text) < 20 || text[:8] != "texts.S5" {
		return errors.New("not an S5")
	}
	s.n = len(text)
	return nil
}
`,
		"texts_test.go": `package texts

import (
	"testing"

	"github.com/allele-go/allele"
)

func Test1(t *testing.T) {
	allele.Check(t, func(t *allele.T, in *S1) {
		if in != nil && in.n < 0 {
			t.Error("found")
		}
	})
}

func Test4(t *testing.T) {
	allele.Check(t, func(t *allele.T, in *S4) {
		if in != nil && in.n < 0 {
			t.Error("found")
		}
	})
}

func Test5(t *testing.T) {
	allele.Check(t, func(t *allele.T, in *S5) {
		if in != nil && in.n < 0 {
			t.Error("found")
		}
	})
}
`,
	})
	out := testOf(t, dir, ".")
	const made = " was made by fields, so it may be a value that the package never makes; "
	for _, want := range []string{"note: S1" + made + "New1 makes valid ones from options:",
		"note: S4" + made + "New4 makes valid ones from texts, some of which it may refuse:", "note: S5" + made + "Scan makes valid ones from texts:",
		"facts -write scratch, or ", "declare a function that calls it: go doc "} {
		if !strings.Contains(out, want) {
			t.Errorf("want %s in\n%s", want, out)
		}
	}
}
