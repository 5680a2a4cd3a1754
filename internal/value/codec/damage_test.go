//go:build go1.25

package codec_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

var errorForm = regexp.MustCompile(`^f:[1-9][0-9]*: [^\n]+$`)

// checkDecode reads any text. The result must be an error with a line and a
// reason, or a term that can be built, printed and read again.
func checkDecode(t *testing.T, w *schema.World, data []byte) (ok bool) {
	t.Helper()
	c, err := codec.Decode(w, "f", data, nil)
	if err != nil {
		if !errorForm.MatchString(err.Error()) {
			t.Fatalf("error %q of\n%s", err, data)
		}
		return false
	}
	for _, l := range c.Losses {
		if l.Line < 1 || !strings.HasPrefix(l.Path, "in") || l.Reason == "" || strings.Contains(l.String(), "\n") {
			t.Fatalf("loss %q of\n%s", l, data)
		}
	}
	if len(c.Term) == 0 || int(c.Term[0].N) != len(c.Term) || !wellFormed(w, c.Term) {
		t.Fatalf("a damaged term of\n%s", data)
	}
	return true
}

// wellFormed reports whether every node of a term has the form of its schema.
func wellFormed(w *schema.World, x term.Term) bool {
	text := codec.Print(w, x, codec.Style{Pkg: zooPkg, Case: true, Width: 1 << 20})
	c, err := codec.Decode(w, "f", []byte(text.Expr), nil)
	return err == nil && len(c.Losses) == 0 && term.Equal(c.Term, x)
}

// Damaged files are rejected or read in part; the reader never panics.
func TestDamagedFiles(t *testing.T) {
	const files, damages = 174, 24 // of each of 24 types: 100,000 in all
	for _, a := range zoo.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			w := derive(t, a)
			g := gen.New(w)
			read := 0
			for run := range uint64(files) {
				x := g.Term(rng.At(13, run), int(run%14))
				data := codec.Encode(codec.Header{Test: "TestX"}, codec.Print(w, x, codec.Style{Pkg: zooPkg, Case: true}).Expr)
				for i := range uint64(damages) {
					r := rng.At(run, i)
					if checkDecode(t, w, damaged(&r, data)) {
						read++
					}
				}
			}
			t.Logf("%d of %d still read", read, files*damages)
		})
	}
}

var fragments = []string{"nil", "&", "{", "}", "(", ")", "[", "]", ",", ":", "0", "-1", "1e9", "300", `"x"`, "'a'", "`y\n`", "//", "/*", "*/", "\n", "1<<70",
	"new(", "math.NaN()", "func() int {", "struct{", "map[string]int{", "[]int{", "[2]int{", "...", "K:", "Num", "Tree{", "time.Unix(", ".", "1:", "true", "\x00", "\xff", "complex(", "allele case 9"}

// damaged changes a file in one to three places, by bytes or by words.
func damaged(r *rng.Rand, data []byte) []byte {
	data = slices.Clone(data)
	for range 1 + r.Below(3) {
		at := r.Below(len(data))
		end := min(len(data), at+1+r.Below(8))
		switch r.Below(5) {
		case 0:
			data[at] = byte(r.Uint64())
		case 1:
			data = slices.Delete(data, at, end)
		case 2:
			data = slices.Insert(data, at, data[at:end]...)
		case 3:
			data = slices.Insert(data, at, []byte(fragments[r.Below(len(fragments))])...)
		default:
			data = slices.Replace(data, at, end, []byte(fragments[r.Below(len(fragments))])...)
		}
		if len(data) == 0 {
			data = []byte("0")
		}
	}
	return data
}

func FuzzDecode(f *testing.F) {
	animals := zoo.All()
	worlds := make([]*schema.World, len(animals))
	for i, a := range animals {
		worlds[i] = derive(f, a)
		g := gen.New(worlds[i])
		for run := range uint64(4) {
			x := g.Term(rng.At(17, run), 8)
			f.Add(i, codec.Encode(codec.Header{Verdict: "failed"}, codec.Print(worlds[i], x, codec.Style{Pkg: zooPkg, Case: run%2 == 0, New: true}).Expr))
		}
	}
	f.Fuzz(func(t *testing.T, world int, data []byte) {
		if world < 0 || world >= len(worlds) || len(data) > 1<<16 {
			t.Skip()
		}
		checkDecode(t, worlds[world], data)
	})
}
