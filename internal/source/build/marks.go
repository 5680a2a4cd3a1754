//go:build go1.25

package build

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// A test binary without probes passes like one with probes, only the search is blind. So
// every rewritten package has a mark, a text that depends on the rewritten files. Its
// support file registers the mark, so that the linker keeps it, and after a build the
// binary is searched for the marks of all packages that it is built from.

const (
	markStart = "allele probes "
	markLen   = len(markStart) + 16
)

// The test files of a package have a mark of their own, in a test file. So a change of the tests
// does not change what other packages are built from.

// ofTests is added to the key of a package, for the mark of its test files.
const ofTests = "!tests"

// setMarks sets the marks of a package with these rewritten files.
func (o *Overlay) setMarks(pkg *load.Package, rewritten [][]byte) {
	key := pkg.Key()
	files := map[string][][]byte{key: nil}
	for i, f := range pkg.Files {
		to := key
		if f.Test && len(pkg.Support()) > 1 {
			to += ofTests
		}
		files[to] = append(files[to], rewritten[i])
	}
	for key, contents := range files {
		all := sum([]byte(key))
		for _, content := range contents {
			all = sum([]byte(all + sum(content)))
		}
		o.marked[key] = markStart + all[:markLen-len(markStart)]
	}
}

// marksOf returns the marks that the test binary of a package must contain, if it is built from
// packages with these keys.
func (o *Overlay) marksOf(test string, keys []string) (all []Mark) {
	for _, key := range append(keys[:len(keys):len(keys)], test+ofTests) {
		if m := o.marked[key]; m != "" {
			all = append(all, Mark{key, m})
		}
	}
	return all
}

// markText returns the statements of a support file that register its mark. The package
// may have redeclared string, so the parameter has a type without a name.
func markText(mark string) string {
	return fmt.Sprintf("\n//go:linkname alleleMark_ HOOK.Mark\nfunc alleleMark_(mark interface{})\n\n"+
		"func init() { alleleMark_(%q) }\n", mark)
}

// markTextInTests is markText for a test file. Both files are in one package, so their functions
// need different names.
func markTextInTests(mark string) string {
	return strings.ReplaceAll(markText(mark), "alleleMark_", "alleleTestMark_")
}

// verify returns an error if a binary lacks the probes of a package that it is built from.
func (o *Overlay) verify(test, binary string) error {
	want := o.marks(test)
	if len(want) == 0 {
		return nil
	}
	found, err := readMarks(binary)
	if err != nil {
		return err
	}
	for _, m := range want {
		if !found[m.Mark] {
			return fmt.Errorf("the %s of %s was built without the probes of %s: a search would be blind. "+
				"Run the command again; if this happens again, delete the folder %s, and see with -x which go command is run",
				o.what(), test, strings.TrimSuffix(strings.TrimSuffix(m.Path, ofTests), "!external"), o.config.Work)
		}
	}
	return nil
}

// marks returns the marks that the test binary of a package must contain.
func (o *Overlay) marks(test string) []Mark {
	for _, t := range o.Tests {
		if t.Path == test {
			return t.Marks
		}
	}
	return nil
}

// readMarks returns the marks in a binary.
func readMarks(binary string) (map[string]bool, error) {
	f, err := os.Open(binary)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found := map[string]bool{}
	const keep = 1 << 20
	var text []byte
	for part := make([]byte, keep); ; {
		n, err := io.ReadFull(f, part)
		text = append(text, part[:n]...)
		rest := text
		for {
			at := bytes.Index(rest, []byte(markStart))
			if at < 0 || at+markLen > len(rest) {
				break
			}
			if m := rest[at : at+markLen]; isHex(m[len(markStart):]) {
				found[string(m)] = true
			}
			rest = rest[at+len(markStart):]
		}
		if err != nil {
			break
		}
		text = append(text[:0], text[len(text)-min(len(text), markLen-1):]...) // a mark may go on in the next part
	}
	return found, nil
}

func isHex(text []byte) bool {
	_, err := hex.Decode(make([]byte, hex.DecodedLen(len(text))), text)
	return err == nil
}
