//go:build go1.25

package allele

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

type request struct {
	Ctx  context.Context
	Body io.ReadCloser
	From io.Reader
	To   io.Writer
	Dir  fs.FS
	Err  error
}

// Interfaces of the standard library that every program has get useful values without a
// declaration, and every run gets its own.
func TestInterfaces(t *testing.T) {
	seen := map[string]int{}
	see := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in request) {
			deadline, ok := in.Ctx.Deadline()
			see("background", in.Ctx == context.Background())
			see("cancelled", errors.Is(in.Ctx.Err(), context.Canceled))
			see("past", errors.Is(in.Ctx.Err(), context.DeadlineExceeded) && deadline.Before(time.Now()))
			see("far", ok && in.Ctx.Err() == nil && time.Until(deadline) > time.Hour && in.Ctx.Done() != nil)
			child, cancel := context.WithTimeout(in.Ctx, time.Hour)
			see("child alive", child.Err() == nil)
			cancel()
			if child.Err() == nil {
				t.Error("a child cannot be cancelled")
			}
			for _, r := range []io.Reader{in.From, in.Body} {
				text, err := io.ReadAll(r)
				see("empty", len(text) == 0)
				see("text", len(text) > 0)
				if err != nil {
					t.Error(err)
				}
			}
			if err := in.Body.Close(); err != nil {
				t.Error(err)
			}
			if n, err := io.WriteString(in.To, "text"); n != 4 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
			see("discard", in.To == io.Discard)
			var names []string
			if err := fs.WalkDir(in.Dir, ".", func(path string, d fs.DirEntry, err error) error {
				if !d.IsDir() {
					names = append(names, path)
				}
				return err
			}); err != nil {
				t.Error(err)
			}
			if err := fstest.TestFS(in.Dir, names...); err != nil {
				t.Error(err)
			}
			see("files", len(names) > 1)
			see("folders", strings.Contains(strings.Join(names, " "), "/"))
			see("nil", in.Err == nil)
			see("error", in.Err != nil && in.Err.Error() != "")
		})
	})
	if r.failed || r.text() != "" {
		t.Fatal(r.text())
	}
	for _, what := range []string{"background", "cancelled", "past", "far", "child alive", "empty", "text", "discard", "files", "folders", "nil", "error"} {
		if seen[what] < 50 {
			t.Errorf("%d of %s in %v", seen[what], what, seen)
		}
	}
}

var errMine = errors.New("mine")

// Declared values of an interface are the values themselves: they can be compared. What is
// declared replaces the default.
func TestInterfaceValues(t *testing.T) {
	seen := map[error]int{}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			Err error
			N   int8
		}) {
			seen[in.Err]++
		}, Values(nil, io.EOF, errMine))
	})
	if r.failed || len(seen) != 3 || seen[nil] == 0 || seen[io.EOF] == 0 || seen[errMine] == 0 {
		t.Errorf("%v\n%s", seen, r.text())
	}
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct{ Err error }) {
			if in.Err == io.EOF {
				t.Error("found")
			}
		}, Values(nil, io.EOF))
	}).has(t, "found", "{Err: io.EOF}")
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct{ Err error }) {
			if in.Err != nil {
				t.Error("found")
			}
		})
	}).has(t, "found", `{Err: errors.New("")}`)
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in io.Reader) {
			if b, _ := io.ReadAll(in); len(b) > 1 {
				t.Error("found")
			}
		})
	}).has(t, "found", `strings.NewReader("`)
}

// Likely errors are generated beside the others, and may be in an Example.
func TestLikelyErrors(t *testing.T) {
	type in struct {
		Err error
		N   int8
	}
	seen := map[string]int{}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in in) {
			switch in.Err {
			case nil, io.EOF, errMine:
				seen[fmt.Sprint(in.Err)]++
			default:
				seen["other"]++
			}
		}, Likely(io.EOF, errMine), Example(in{Err: errMine}))
	})
	if r.failed || seen["<nil>"] < 100 || seen["EOF"] < 100 || seen["mine"] < 100 || seen["other"] < 100 {
		t.Errorf("%v\n%s", seen, r.text())
	}
	record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in in) {}, Example(in{Err: errMine})) }).has(t,
		"Example 1", "*errors.errorString is not a declared variant of error")
}

// A case stored by an earlier version, in which all of these interfaces were nil, still runs.
func TestInterfaceCases(t *testing.T) {
	inEmptyPackage(t)
	dir := filepath.Join("testdata", "allele", "TestX")
	os.MkdirAll(dir, 0o777)
	os.WriteFile(filepath.Join(dir, "a.case"), []byte("in{}"), 0o666)
	os.WriteFile(filepath.Join(dir, "b.case"), []byte("in{request: request{Err: nil, Ctx: nil}, Data: nil, N: 3}"), 0o666)
	var got []request
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			request
			Data any
			N    int
		}) {
			got = append(got, in.request)
		}, Tests(0))
	})
	if r.failed || len(got) != 2 || got[0] != (request{}) || got[1] != (request{}) {
		t.Errorf("%v\n%s", got, r.text())
	}
}
