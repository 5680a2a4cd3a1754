package formats

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/asn1"
	"encoding/gob"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"fmt"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/program"
	"golang.org/x/image/bmp"
	"gopkg.in/yaml.v3"
)

// readers read the formats that a Go package reads.
var readers = map[string]func([]byte) error{
	"png":  func(b []byte) error { _, err := png.Decode(bytes.NewReader(b)); return err },
	"gif":  func(b []byte) error { _, err := gif.DecodeAll(bytes.NewReader(b)); return err },
	"jpeg": func(b []byte) error { _, err := jpeg.Decode(bytes.NewReader(b)); return err },
	"bmp":  func(b []byte) error { _, err := bmp.Decode(bytes.NewReader(b)); return err },
	"zip": func(b []byte) error {
		r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
			return err
		}
		for _, f := range r.File {
			x, err := f.Open()
			if err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, x); err != nil {
				return err
			}
		}
		return nil
	},
	"tar": func(b []byte) error {
		r := tar.NewReader(bytes.NewReader(b))
		for {
			if _, err := r.Next(); err == io.EOF {
				return nil
			} else if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
				return err
			}
		}
	},
	"gzip": func(b []byte) error {
		if len(b) == 0 {
			return nil
		}
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		return err
	},
	"xml":  readXML,
	"svg":  readXML,
	"json": func(b []byte) error { var v any; return json.Unmarshal(b, &v) },
	"yaml": func(b []byte) error { var v any; return yaml.Unmarshal(b, &v) },
	"gob": func(b []byte) error {
		d := gob.NewDecoder(bytes.NewReader(b))
		for {
			var r Record
			if err := d.Decode(&r); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	},
	"der": func(b []byte) error { var v asn1.RawValue; _, err := asn1.Unmarshal(b, &v); return err },
	"pem": func(b []byte) error {
		for len(b) > 0 {
			block, rest := pem.Decode(b)
			if block == nil {
				return errors.New("no block")
			}
			b = rest
		}
		return nil
	},
}

func readXML(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// What the encoders write is well formed: an independent reader reads it.
func TestReaders(t *testing.T) {
	for name, read := range readers {
		f, ok := Named(name)
		if !ok {
			t.Errorf("no format %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			f.Check(t, func(t *allele.T, b []byte) {
				if err := read(b); err != nil {
					t.Fatalf("%v: %q", err, b)
				}
			}, allele.Tests(1000))
		})
	}
}

// interpreters run the formats that are source code.
var interpreters = map[string][]string{
	"lua": {"lua5.1", "@@"}, "python": {"python3", "-S", "@@"}, "javascript": {"node", "@@"}, "sh": {"sh", "@@"}, "sql": {"sqlite3", "-init", "@@", ":memory:", ""},
}

// Programs run without an error: every name that they use was declared before.
func TestInterpreters(t *testing.T) {
	for name, args := range interpreters {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(args[0]); err != nil {
				t.Skipf("%s is not installed", args[0])
			}
			f, _ := Named(name)
			p := &program.Program{Args: args, Suffix: f.Suffix}
			defer p.Close()
			f.Check(t, func(t *allele.T, b []byte) {
				r, err := p.Run(b)
				if err != nil {
					t.Fatal(err)
				}
				if r.Code != 0 || name == "sql" && strings.Contains(r.Stderr, "no such") {
					t.Fatalf("code %d: %s\n%s", r.Code, r.Stderr, b)
				}
			}, allele.Tests(40), allele.Seed(1))
		})
	}
}

// Every format has a name, a suffix and a description of its own, and can be found.
func TestAll(t *testing.T) {
	var names []string
	for _, f := range All() {
		if f.Suffix == "" || f.Doc == "" || slices.Contains(names, f.Name) {
			t.Errorf("%+v", f)
		}
		names = append(names, f.Name)
		if g, ok := Named(f.Name); !ok || g.Name != f.Name {
			t.Errorf("%s is not found", f.Name)
		}
	}
	if !slices.IsSorted(names) || len(names) < 12 {
		t.Error(names)
	}
	command, err := os.ReadFile("../cmd/allele/run.go")
	if list := strings.Join(names, ", "); err != nil || !strings.Contains(strings.Join(strings.Fields(string(command)), " "), "`"+list+"`") {
		t.Errorf("the command lists other formats than %s (%v)", list, err)
	}
	if _, ok := Named("no such"); ok {
		t.Error("a format without a name is found")
	}
}

// Zero values, and values with everything in them, can be encoded.
func ExampleLua() {
	b, _ := Lua(Program{Assign{Value: Num(1)}, Func{Params: 1, Body: []Stmt{Return{Value: Var(7)}}}, Print{Value: Call{Of: 3, Args: []Expr{Var(9)}}}})
	fmt.Print(strings.TrimPrefix(string(b), luaPrelude))
	// Output:
	// local v1 = 1
	// local function f2(v3)
	//     do return v3 end
	// end
	// print(f2(v1))
}
