//go:build go1.25

package corpora

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/words"
)

// Import saves the inputs in files below a folder, an absolute path, that Export, or a person, has written. With only,
// it saves inputs of these packages. ok is false if some inputs could not be added.
func (s *Set) Import(dir string, only []string) (ok bool, err error) {
	i := &importer{Set: s, root: dir, only: only, of: map[corpus.Place]*corpus.Corpus{}}
	if err := i.read(); err != nil {
		return false, err
	}
	return i.save()
}

// importer reads inputs from files and adds them to the corpus.
type importer struct {
	*Set
	root    string
	only    []string // packages; nil means all
	of      map[corpus.Place]*corpus.Corpus
	files   int
	bytes   int
	skipped int
}

// Bounds for a folder of untrusted files. A corpus has the same bounds.
const (
	filesMax    = 1 << 20
	bytesMax    = 256 << 20
	skippedMax  = 20 // how many skipped files are named in messages; the others are only counted
	progressMax = 64 << 10
)

var errTooLarge = fmt.Errorf("more than %d files or %d MB; import a part of them", filesMax, bytesMax>>20)

// read reads the files. It does not follow links.
func (b *importer) read() error {
	return filepath.WalkDir(b.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			b.skip("%v", err)
			return nil
		}
		isCase := strings.HasSuffix(d.Name(), ".case")
		if d.IsDir() || !isCase && !isProgress(d.Name()) {
			return nil
		}
		if b.files++; b.files > filesMax || b.bytes > bytesMax {
			return errTooLarge
		}
		if !d.Type().IsRegular() {
			b.skip("%s:1: not a regular file", file)
		} else if isCase {
			b.readCase(file)
		} else {
			b.readProgress(file)
		}
		return nil
	})
}

func isProgress(name string) bool {
	ext := filepath.Ext(progressName)
	return strings.HasPrefix(name, strings.TrimSuffix(progressName, ext)) && strings.HasSuffix(name, ext)
}

func (b *importer) skip(format string, args ...any) {
	if b.skipped++; b.skipped <= skippedMax {
		b.Warn("skipped "+format, args...)
	}
}

func (b *importer) readCase(file string) {
	f, err := casefile.Read(file)
	if err != nil {
		b.skip("%v", err)
		return
	}
	rel, err := filepath.Rel(b.root, file)
	if err != nil {
		b.skip("%v", err)
		return
	}
	pkg, property := casefile.Owner(f, rel)
	switch {
	case property == "":
		b.skip("%s:1: neither its header nor its folder names a test; add the line \"// test     TestX\"", file)
	case pkg == "":
		b.skip("%s:1: neither its header nor its folder names a package; add the line \"// package  example.com/x\"", file)
	case b.wants(pkg):
		e := corpus.FromFile(f)
		k := b.corpus(pkg, property)
		k.Entries = append(k.Entries, e)
		b.bytes += len(e.Input) + len(e.Why) + len(e.How)
	}
}

func (b *importer) wants(pkg string) bool { return b.only == nil || slices.Contains(b.only, pkg) }

func (b *importer) corpus(pkg, property string) *corpus.Corpus {
	p := corpus.Place{Package: pkg, Property: property}
	if b.of[p] == nil {
		b.of[p] = &corpus.Corpus{Package: pkg, Property: property}
	}
	return b.of[p]
}

func (b *importer) readProgress(file string) {
	in, err := os.Open(file)
	if err != nil {
		b.skip("%v", err)
		return
	}
	defer in.Close()
	var p progress
	data, err := io.ReadAll(io.LimitReader(in, progressMax))
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil || p.Package == "" || p.Property == "" || p.Runs < 0 {
		b.skip("%s:1: the package, the property or the number of runs is missing", file)
		return
	}
	if b.wants(p.Package) {
		k := b.corpus(p.Package, p.Property)
		k.Runs, k.Binary = max(k.Runs, p.Runs), p.Binary
	}
}

// save adds the inputs to the corpus, sorted by the run that found them.
func (b *importer) save() (ok bool, err error) {
	var places []corpus.Place
	for p := range b.of {
		places = append(places, p)
	}
	slices.SortFunc(places, func(x, y corpus.Place) int {
		return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Property, y.Property))
	})
	ok = true
	for _, p := range places {
		k := b.of[p]
		slices.SortStableFunc(k.Entries, func(x, y corpus.Entry) int { return cmp.Compare(x.Run, y.Run) })
		added, err := b.add(p.Package, p.Property, k)
		fmt.Fprintf(b.Out, "%-40s %9s of %s new\n", words.Printable(Named(p)), words.Group(added), words.Count(len(k.Entries), "input"))
		if err != nil {
			b.Warn("%s: not all inputs were added: %v", Named(p), err)
			ok = false
		}
	}
	if b.skipped > skippedMax {
		b.Warn("skipped %s more", words.Group(b.skipped-skippedMax))
	}
	if len(places) == 0 {
		return false, fmt.Errorf("%s: no input was imported; want files <package>/<property>/<name>.case, "+
			"as %s corpus export -o writes them", b.root, b.Self)
	}
	return ok, nil
}
