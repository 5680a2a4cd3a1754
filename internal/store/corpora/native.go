//go:build go1.25

package corpora

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/store/fuzzinput"
	"github.com/allele-go/allele/internal/store/gofuzz"
	"github.com/allele-go/allele/internal/words"
)

// Native is a fuzz test of Go's native fuzzing, and a test with a property, of the same package.
type Native struct {
	Fuzz, Test string
	Package
}

// ImportGo saves the corpus of a fuzz test as inputs of a property: the files in testdata, and
// those that go test -fuzz has put into the cache of the go command, whose folder may be "".
// ok is false if some inputs could not be added.
func (s *Set) ImportGo(n Native, cache string) (ok bool, err error) {
	in, err := fuzzinput.Read(n.Dir, n.Test)
	if err != nil {
		return false, err
	}
	i := &importer{Set: s, of: map[corpus.Place]*corpus.Corpus{}}
	k := i.corpus(n.Path, n.Test)
	folder := filepath.Join(n.Dir, gofuzz.Folder(n.Fuzz))
	dirs := []string{folder}
	if cache != "" {
		dirs = append(dirs, filepath.Join(cache, "fuzz", filepath.FromSlash(n.Path), n.Fuzz))
	}
	for _, dir := range dirs {
		if err := i.readNative(n, in, dir, k); err != nil {
			return false, err
		}
	}
	if len(k.Entries) == 0 {
		if i.skipped > skippedMax {
			i.Warn("skipped %s more", words.Group(i.skipped-skippedMax))
		}
		if i.skipped > 0 {
			return false, fmt.Errorf("no input was imported; no file of %s, in %s or in the cache of the go command, fits %s",
				n.Fuzz, folder, n.Test)
		}
		return false, fmt.Errorf("no input was imported; want files of %s in %s", n.Fuzz, folder)
	}
	return i.save()
}

func (b *importer) readNative(n Native, in *fuzzinput.Input, dir string, k *corpus.Corpus) error {
	names, more, err := gofuzz.Files(dir, filesMax)
	if err != nil {
		return err
	}
	if more > 0 {
		return errTooLarge
	}
	for _, name := range names {
		file := filepath.Join(dir, name)
		values, err := gofuzz.Read(file, file)
		if err != nil {
			b.skip("%v", err)
			continue
		}
		text, err := in.Expression(values)
		if err != nil {
			b.skip("%s:%v", file, err)
			continue
		}
		k.Entries = append(k.Entries, corpus.Entry{Input: text, Verdict: "unknown", How: "from " + n.Fuzz})
		if b.bytes += len(text); b.bytes > bytesMax {
			return errTooLarge
		}
	}
	return nil
}

// ExportGo writes saved inputs of a property as corpus files of a fuzz test to a folder. If it is "",
// it is the one that go test reads.
func (s *Set) ExportGo(n Native, to string) error {
	in, err := fuzzinput.Read(n.Dir, n.Test)
	if err != nil {
		return err
	}
	targets, err := in.Target(n.Fuzz)
	switch {
	case err != nil:
		return err
	case to == "":
		to = filepath.Join(n.Dir, gofuzz.Folder(n.Fuzz))
	}
	k, err := corpus.Read(corpus.Folder(s.Root, n.Path, n.Test))
	if err != nil {
		return err
	}
	if len(k.Entries) == 0 {
		return fmt.Errorf("no saved inputs of %s.%s; to save some, run: %s test -run '^%s$' %s", n.Path, n.Test, s.Self, n.Test, n.Path)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	written, skipped := 0, 0
	for _, e := range k.Entries {
		values, err := in.Values(e.Input, targets)
		if err != nil {
			if skipped++; skipped <= skippedMax {
				s.Warn("skipped the input %s: %v", e.ID(), err)
			}
			continue
		}
		data := gofuzz.Encode(values)
		file := filepath.Join(to, gofuzz.Name(data))
		if _, err := os.Stat(file); err == nil {
			continue
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return err
		}
		written++
	}
	if skipped > skippedMax {
		s.Warn("skipped %s more", words.Group(skipped-skippedMax))
	}
	fmt.Fprintf(s.Out, "%-40s %9s of %s written to %s\n",
		words.Printable(n.Path+"."+n.Test), words.Group(written), words.Count(len(k.Entries), "input"), to)
	return nil
}
