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

// The manifest says what the work folder holds and from what it was made, so
// that the same build once more checks no types and rewrites nothing. It is a
// cache: whatever is odd about it, or about the files it speaks of, means that
// all is made anew.

// manifestFormat is part of the first line, before the sum of the rest. Format 2
// is what manifest says.
const manifestFormat = "allele build 2"

// manifest is the rest, as JSON.
type manifest struct {
	Identity string            // of all that the build depends on
	Files    map[string]string // below the work folder -> sum of their content
	Dirs     []Dir
	Copies   map[string]string // as in Overlay
	Tests    []Test
	Sites    []byte // as package site writes them
	Off      string // as in Overlay
}

// Make rewrites what was listed, or finds that the work folder holds the result
// already.
func Make(l *load.Listing, c Config) (*Overlay, error) {
	id := identity(l, c)
	if o := reuse(c, id); o != nil {
		return o, nil
	}
	prog, err := l.Check()
	if err != nil {
		return nil, err
	}
	o, err := Rewrite(prog, c)
	if err == nil && id != "" {
		err = o.writeManifest(id)
	}
	return o, wayOut(err, c.Work)
}

// identity is the sum of what is built, of who builds it, and how. It is empty if
// one of them is not known; then nothing is kept.
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
	return sum(fmt.Appendf(nil, "%s %s %q %v %v %v", listing, sum(program), c.Work, c.Calls, c.Debug, c.NoLimit))
}

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return hex.EncodeToString(s[:])
}

func manifestFile(work string) string { return filepath.Join(work, "built") }

// writeManifest keeps what is known. It gets its name when it is whole.
func (o *Overlay) writeManifest(id string) error {
	m := manifest{Identity: id, Files: o.written, Dirs: o.dirs, Copies: o.copies, Tests: o.Tests, Sites: site.Encode(o.Sites), Off: o.off}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(o.config.Work, "built-")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // nothing is left there if all went well
	_, err = fmt.Fprintf(part, "%s %s\n%s", manifestFormat, sum(data), data)
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), manifestFile(o.config.Work))
}

// dropManifest comes before the first change of the work folder.
func dropManifest(work string) error { return os.RemoveAll(manifestFile(work)) }

// reuse gives what is in the work folder if that has the identity, else nil.
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
	o := &Overlay{Sites: sites, Tests: m.Tests, config: c, copies: m.Copies, dirs: m.Dirs, off: m.Off}
	if err != nil || slices.ContainsFunc(sites, beyond) || m.Files[overlayName] == "" || m.Files[operandsName] == "" {
		return nil
	}
	return o
}

// beyond reports whether there is no such number.
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

// holds reports whether a file is one, and has the content with this sum.
func holds(file, want string) bool {
	content, err := readWork(file, workMax)
	return err == nil && sum(content) == want
}

// write writes a file of the work folder unless it holds the same already.
func (o *Overlay) write(file string, content []byte) error {
	name, err := filepath.Rel(o.config.Work, file)
	if err != nil {
		return err
	}
	o.written[name] = sum(content)
	return writeChanged(file, content)
}
