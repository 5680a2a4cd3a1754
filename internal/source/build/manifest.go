//go:build go1.25

package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/load"
)

// The manifest records what the work folder contains and which sources it was built
// from. If nothing has changed, the next build reuses the folder: it checks no types
// and rewrites nothing. The manifest is a cache: if anything is wrong with it, or with
// a file that it lists, everything is built from scratch.

// manifestFormat is the beginning of the file's first line. A checksum of the other
// lines follows it. In format 2, the other lines are the JSON of manifest.
const manifestFormat = "allele build 2"

// manifest is the content of the file after the first line, as JSON.
type manifest struct {
	Identity string            // identifies everything that the build depends on
	Files    map[string]string // file below the work folder -> checksum of its content
	Dirs     []Dir
	Copies   map[string]string // as in Overlay
	Tests    []Test
	Sites    []byte // in the encoding of package site
	Blocks   []Block
	Off      string // as in Overlay
	Declined []load.Declined
	Faults   []site.Fault
	Without  map[string]int
	Hook     string // as in Overlay
	Suite    string
	Broken   []load.Broken
}

// Make rewrites the listed packages. If the work folder already contains the result for
// the same sources, Make reuses it.
func Make(l *load.Listing, c Config) (*Overlay, error) {
	id := identity(l, c)
	if o := reuse(c, id); o != nil {
		o.listing = l
		return o, nil
	}
	prog, err := l.Check()
	if err != nil {
		return nil, err
	}
	for _, pkg := range prog.Scope {
		if slices.Contains(c.Plain, pkg.Path) {
			pkg.Decline("with probes it does not compile, which is a bug in allele", "please report the errors above")
		}
	}
	o, err := Rewrite(prog, c)
	if err != nil {
		return nil, adviseDelete(err, c.Work)
	}
	o.listing = l
	if id != "" && identity(l, c) == id { // a file that has changed meanwhile may change back
		err = o.writeManifest(id)
	}
	return o, adviseDelete(err, c.Work)
}

// identity returns a checksum of the sources, of the running executable and of the
// settings. If one of these cannot be read, it returns "", and no manifest is written.
func identity(l *load.Listing, c Config) string {
	listing, err := l.Identity()
	if err != nil {
		return ""
	}
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	program, err := os.ReadFile(self)
	if err != nil {
		return ""
	}
	settings := []any{c.Work, c.Calls, c.Debug, c.Steps, c.Cover, c.Plain, c.Faults.list(), fmt.Sprint(c.Changed != nil, c.Changed)}
	return sum(fmt.Appendf(nil, "%s %s %q", listing, sum(program), settings))
}

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return hex.EncodeToString(s[:])
}

func manifestFile(work string) string { return filepath.Join(work, "built") }

// writeManifest writes the manifest to a temporary file, and renames the file when it
// is complete.
func (o *Overlay) writeManifest(id string) error {
	m := manifest{Identity: id, Files: o.written, Dirs: o.dirs, Copies: o.copies, Tests: o.Tests,
		Sites: site.Encode(o.Sites), Blocks: o.Blocks, Off: o.off, Declined: o.Declined, Broken: o.Broken,
		Faults: o.Faults, Without: o.Without, Hook: o.hook, Suite: o.suite}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(o.config.Work, "built-")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // after the rename this does nothing
	_, err = fmt.Fprintf(part, "%s %s\n%s", manifestFormat, sum(data), data)
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), manifestFile(o.config.Work))
}

// dropManifest deletes the manifest. It must run before the first change of the
// work folder.
func dropManifest(work string) error { return os.RemoveAll(manifestFile(work)) }

// reuse returns the overlay in the work folder if it was built for this identity and is
// undamaged, and nil otherwise.
func reuse(c Config, id string) *Overlay {
	m, ok := readManifest(c.Work)
	if !ok || id == "" || m.Identity != id {
		return nil
	}
	for name, want := range m.Files {
		if !filepath.IsLocal(name) || !holds(filepath.Join(c.Work, name), want) {
			return nil
		}
	}
	for _, dir := range m.Copies {
		if !exists(dir) {
			return nil
		}
	}
	sites, err := site.Decode(m.Sites)
	o := &Overlay{Sites: sites, Blocks: m.Blocks, Tests: m.Tests, Declined: m.Declined, Broken: m.Broken,
		config: c, copies: m.Copies, dirs: m.Dirs, off: m.Off,
		Faults: m.Faults, Without: m.Without, hook: m.Hook, suite: m.Suite}
	if err != nil || slices.ContainsFunc(sites, beyond) || m.Files[overlayName] == "" || m.Files[operandsName] == "" {
		return nil
	}
	o.overlays = map[string][]byte{}
	for _, name := range []string{overlayName, operandsName} {
		if o.overlays[name], err = readWork(filepath.Join(c.Work, name), workMax); err != nil {
			return nil
		}
	}
	return o
}

// beyond reports whether the number of a site is out of range.
func beyond(s site.Site) bool { return s.ID == 0 || s.ID >= sitesMax }

func readManifest(work string) (m manifest, ok bool) {
	data, err := readWork(manifestFile(work), workMax)
	if err != nil {
		return m, false
	}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(first) != manifestFormat+" "+sum(rest) {
		return m, false
	}
	return m, json.Unmarshal(rest, &m) == nil
}

// holds reports whether file is a regular file whose content has this checksum.
func holds(file, want string) bool {
	content, err := readWork(file, workMax)
	return err == nil && sum(content) == want
}

// write writes a file in the work folder, unless it already has this content, and
// records its checksum for the manifest.
func (o *Overlay) write(file string, content []byte) error {
	name, err := filepath.Rel(o.config.Work, file)
	if err != nil {
		return err
	}
	o.written[name] = sum(content)
	return writeChanged(file, content)
}
