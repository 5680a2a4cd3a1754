package e2e

import (
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/value/codec"
)

// The library and the command read case files with different packages, because the command
// does not have the types. Each reads what the other writes.
func TestCaseFilesAreOneFormat(t *testing.T) {
	if casefile.Format != codec.Format {
		t.Errorf("formats %d and %d", casefile.Format, codec.Format)
	}
	odd := []string{"TestX", "TestX/a b", "a\nb", ` "quoted"`, "世界", "\u2028", "x\ty", `\`}
	for _, s := range odd {
		want := codec.Header{Test: s, Verdict: s, Message: s, Found: s, Shrunk: s, Runs: s}
		f, err := casefile.Parse(codec.Encode(want, "in{K: 1}"))
		if err != nil {
			t.Fatal(err)
		}
		if f.Expr != "in{K: 1}" || len(f.Facts) != 6 {
			t.Errorf("%q: %+v", s, f)
		}
		for _, x := range f.Facts {
			if x.Value != s {
				t.Errorf("%s: %q, want %q", x.Key, x.Value, s)
			}
		}
		data := corpus.Entry{Input: "1", Verdict: event.Verdict(s), Run: 3, Why: s}.File("example.com/x", s).Bytes()
		got, err := codec.ReadHeader("x.case", data)
		if want := (codec.Header{Test: s, Verdict: s, Found: "run 3"}); err != nil || got != want {
			t.Errorf("%q: %+v %v", s, got, err)
		}
	}
	for _, text := range []string{"// allele case 1\n\n1", "// allele case 2\n\n1", "// allele case x\n1", "// allele case 0\n1", "\n// allele case 7\n1"} {
		_, err1 := codec.ReadHeader("x", []byte(text))
		_, err2 := casefile.Parse([]byte(text))
		if (err1 == nil) != (err2 == nil) || err1 != nil && err2 != nil && err1.Error() != "x:"+err2.Error() {
			t.Errorf("%q: %v and %v", text, err1, err2)
		}
	}
}
