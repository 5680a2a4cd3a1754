//go:build go1.25

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/casefile"
	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/source/load"
)

// add saves the inputs of k that the property's corpus does not contain yet, and the
// progress of the search. It does not change inputs that the corpus already contains,
// since they may be newer.
func (c *cases) add(pkg, property string, k *corpus.Corpus) (added int, err error) {
	dir := corpus.Folder(c.root, pkg, property)
	mine, err := corpus.Read(dir)
	if err != nil {
		return 0, err
	}
	known := map[string]bool{}
	for _, e := range mine.Entries {
		known[e.ID()] = true
	}
	w, err := corpus.Create(dir, pkg, property)
	if err != nil {
		return 0, err
	}
	rejected := 0
	for _, e := range k.Entries {
		if known[e.ID()] {
			continue
		}
		if problem := w.Add(e); problem != nil {
			rejected, err = rejected+1, problem
			continue
		}
		known[e.ID()] = true
		added++
	}
	if rejected > 1 {
		err = fmt.Errorf("%s were rejected; the last one: %w", count(rejected, "input"), err)
	}
	if k.Runs > mine.Runs {
		err = errors.Join(err, w.Ran(k.Runs, k.Binary))
	}
	return added, errors.Join(err, w.Close())
}

// merge copies the saved inputs of other corpora to the user's own corpora.
func (c *cases) merge(args []string) error {
	f := c.flags("merge")
	if err := f.parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return fmt.Errorf("no folders; name copies of %s from other machines", c.root)
	}
	failed := false
	for _, dir := range f.Args() {
		if sameFolder(dir, c.root) {
			return fmt.Errorf("%s is the corpus itself; name copies from other machines", dir)
		}
		if _, err := absolute(dir); err != nil {
			return err
		}
		places, err := corpus.List(dir)
		if err != nil {
			return err
		}
		if len(places) == 0 {
			return fmt.Errorf("no corpus in %s; want a copy of a folder like %s, which has a folder for each package", dir, c.root)
		}
		for _, p := range places {
			failed = !c.mergeOne(p) || failed
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

// mergeOne copies the inputs of one property. It returns false if some inputs could not
// be copied; it has then printed why.
func (c *cases) mergeOne(p corpus.Place) bool {
	k, err := corpus.Read(p.Dir)
	switch {
	case err != nil:
		c.warn("%s: skipped: %v", p.Dir, err)
		return false
	case k.Property == "":
		c.warn("%s: skipped: no file in it names a property", p.Dir)
		return false
	}
	for _, text := range k.Problems {
		c.warn("damaged, skipped: %s", text)
	}
	added, err := c.add(k.Package, k.Property, k)
	fmt.Fprintf(c.stdout, "%-40s %9s of %s new\n", printable(named(p)), group(added), count(len(k.Entries), "input"))
	if err != nil {
		c.warn("%s: not all inputs were added: %v", named(p), err)
	}
	return err == nil
}

// progressName is the name of the file with the progress of a search, beside the exported
// inputs.
const progressName = "corpus.json"

// progress is the content of the file progressName.
type progress struct {
	Package  string `json:"package"`
	Property string `json:"property"`
	Runs     int    `json:"runs"`
	Binary   string `json:"binary,omitempty"`
}

// export writes saved inputs to files.
func (c *cases) export(args []string) error {
	var from loadFlags
	f := c.flags("export")
	to := f.String("o", "", "write to this `folder`")
	fuzz := f.String("go", "", "write corpus files of this native `fuzz` test for the inputs of a test")
	from.registerModule(f.FlagSet)
	if err := f.parse(args); err != nil {
		return err
	}
	switch {
	case *fuzz != "":
		return c.exportGo(from, *fuzz, *to, f.Args())
	case *to == "":
		return errors.New("-o is missing: name a folder to write to, as in -o FOLDER")
	case f.NArg() > 1:
		return fmt.Errorf("got %d patterns, want at most one", f.NArg())
	}
	places, err := c.places(f.Arg(0))
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, p := range places {
		k, err := corpus.Read(p.Dir)
		if err != nil {
			return err
		}
		for _, text := range k.Problems {
			c.warn("damaged, skipped: %s", text)
		}
		k.Package, k.Property = p.Package, p.Property // the names in k are empty if no file contains them
		if err := exportOne(*to, k, written); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%-40s %9s\n", printable(named(p)), count(len(k.Entries), "input"))
	}
	if len(places) > 0 {
		fmt.Fprintf(c.stdout, "to read them back, run: %s corpus import %s\n", self, *to)
	}
	return nil
}

func exportOne(to string, k *corpus.Corpus, written map[string]bool) error {
	dir := casefile.Folder(to, k.Package, k.Property)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	// On a case-insensitive file system two properties may share a folder. A file name
	// that is taken gets a number at its end.
	free := func(name, ext string) string {
		file := filepath.Join(dir, name+ext)
		for n := 2; written[strings.ToLower(file)]; n++ {
			file = filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, n, ext))
		}
		written[strings.ToLower(file)] = true
		return file
	}
	for _, e := range k.Entries {
		if err := os.WriteFile(free(e.ID(), ".case"), casefile.Of(k.Package, k.Property, e).Bytes(), 0o666); err != nil {
			return err
		}
	}
	data, err := json.Marshal(progress{k.Package, k.Property, k.Runs, k.Binary})
	if err != nil {
		return err
	}
	ext := filepath.Ext(progressName)
	return os.WriteFile(free(strings.TrimSuffix(progressName, ext), ext), append(data, '\n'), 0o666)
}

// importFiles saves the inputs in files that export, or a person, has written.
func (c *cases) importFiles(args []string) error {
	var from loadFlags
	f := c.flags("import")
	fuzz := f.String("go", "", "read the corpus of this native `fuzz` test for a test")
	from.registerModule(f.FlagSet)
	if err := f.parse(args); err != nil {
		return err
	}
	if *fuzz != "" {
		return c.importGo(from, *fuzz, f.Args())
	}
	if f.NArg() == 0 {
		return fmt.Errorf("no folder; name one that %s corpus export -o has written", self)
	}
	dir := f.Arg(0)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(from.dir, dir)
	}
	dir, err := absolute(dir)
	if err != nil {
		return err
	}
	i := &importer{cases: c, root: dir, of: map[corpus.Place]*corpus.Corpus{}}
	if f.NArg() > 1 {
		if i.only, err = listed(from, f.Args()[1:]); err != nil {
			return err
		}
	}
	if err := i.read(); err != nil {
		return err
	}
	return i.save()
}

// listed returns the packages that match patterns, as the go command lists them.
func listed(from loadFlags, patterns []string) (paths []string, err error) {
	conf, _, err := load.Config{Dir: from.dir}.Settle()
	if err != nil {
		return nil, err
	}
	cmd := conf.Command(slices.Concat([]string{"list"}, from.goFlags(), []string{"--"}, patterns)...)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w\n%s", strings.Join(patterns, " "), err, strings.TrimSpace(problem.String()))
	}
	return strings.Fields(string(out)), nil
}

// importer reads inputs from files and adds them to the corpus.
type importer struct {
	*cases
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
		b.warn("skipped "+format, args...)
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
		e := f.Entry()
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
func (b *importer) save() error {
	var places []corpus.Place
	for p := range b.of {
		places = append(places, p)
	}
	slices.SortFunc(places, func(x, y corpus.Place) int {
		return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Property, y.Property))
	})
	var failed error
	for _, p := range places {
		k := b.of[p]
		slices.SortStableFunc(k.Entries, func(x, y corpus.Entry) int { return cmp.Compare(x.Run, y.Run) })
		added, err := b.add(p.Package, p.Property, k)
		fmt.Fprintf(b.stdout, "%-40s %9s of %s new\n", printable(named(p)), group(added), count(len(k.Entries), "input"))
		if err != nil {
			b.warn("%s: not all inputs were added: %v", named(p), err)
			failed = errFailed
		}
	}
	if b.skipped > skippedMax {
		b.warn("skipped %s more", group(b.skipped-skippedMax))
	}
	if len(places) == 0 {
		return fmt.Errorf("%s: no input was imported; want files <package>/<property>/<name>.case, "+
			"as %s corpus export -o writes them", b.root, self)
	}
	return failed
}
