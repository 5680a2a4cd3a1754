//go:build go1.25

package build

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/source/edit"
	"github.com/allele-go/allele/internal/source/load"
)

// A build for a coverage profile also marks the blocks that go test -cover counts. Sites would
// not do: there is none after an if whose branch returns, and none in a small function. The
// blocks come from the cover tool of the go command, so the profile has the blocks of go test,
// whatever the release: the tool is run on each file, and what it inserts is inserted here too,
// except that another variable is set. Marks are no probes: they change no path.

// Block is a block of a coverage profile. Its number is its index in Overlay.Blocks.
type Block struct {
	File            string // as a profile names it: the import path of the package, a slash and the base name
	Line, Col       int
	EndLine, EndCol int
	Statements      int
}

const (
	// coverMax is how many blocks can be marked; it must equal hook.Blocks. A profile of more has
	// only the first ones.
	coverMax = 1 << 20
	// FirstBlock is added to the numbers of reached blocks in events; it must equal hook.FirstBlock.
	FirstBlock = 1 << 22
)

// coverer marks the blocks of a program.
type coverer struct {
	overlay *Overlay
	named   []string // packages that the profile is about
	tool    string   // path of the cover tool
	source  string   // file for the source that the tool reads
}

// newCoverer finds the cover tool. It returns nil if the build is not for a profile.
func (o *Overlay) newCoverer(prog *load.Program) (*coverer, error) {
	if !o.config.Cover {
		return nil, nil
	}
	path, err := o.config.Load.Command("tool", "-n", "cover").Output()
	if err != nil {
		return nil, fmt.Errorf("-coverprofile needs the cover tool of the go command: go tool -n cover: %w", err)
	}
	return &coverer{o, prog.Named, strings.TrimSpace(string(path)), filepath.Join(o.config.Work, "cover.go")}, nil
}

// counts reports whether a profile is about a package: a package that was named as an argument
// or in -scope, as for go test.
func (c *coverer) counts(pkg *load.Package) bool {
	return c != nil && (slices.Contains(c.named, pkg.Path) ||
		slices.ContainsFunc(c.overlay.config.Load.Scope, func(pattern string) bool { return load.Match(pattern, pkg.Path) }))
}

// mark adds the marks of a file to those of its probes.
func (c *coverer) mark(pkg *load.Package, f *load.File, to *edit.Buffer) error {
	if !c.counts(pkg) || f.Test || f.Embedded {
		return nil
	}
	if err := os.WriteFile(c.source, f.Src, 0o666); err != nil {
		return err
	}
	defer os.Remove(c.source)
	var said bytes.Buffer
	tool := exec.Command(c.tool, "-mode=set", "-var="+coverName, c.source)
	tool.Stderr = &said
	out, err := tool.Output()
	if err != nil {
		return fmt.Errorf("go tool cover %s: %w\n%s", f.Path, err, said.Bytes())
	}
	blocks, inserted, err := covered(f.Src, out)
	if err != nil {
		return fmt.Errorf("go tool cover %s: %w", f.Path, err)
	}
	first := len(c.overlay.Blocks)
	if first+len(blocks) > coverMax {
		return nil
	}
	for i := range blocks {
		blocks[i].File = pkg.Path + "/" + filepath.Base(f.Path)
	}
	c.overlay.Blocks = append(c.overlay.Blocks, blocks...)
	for _, e := range inserted {
		to.Insert(e.offset, counter.ReplaceAllStringFunc(e.text, func(text string) string {
			n, _ := strconv.Atoi(counter.FindStringSubmatch(text)[1])
			return c.text(first + n)
		}))
	}
	return nil
}

// text returns the statement that marks a block. With the race detector it is a call of a
// function that the detector ignores.
func (c *coverer) text(block int) string {
	if c.overlay.config.Calls {
		return fmt.Sprintf("alleleCover_(%d);", block)
	}
	return fmt.Sprintf("alleleCovered_[%d]=1;", block)
}

const supportCover = `
//go:linkname alleleCovered_ HOOK.Covered
var alleleCovered_ [1048576]uint32

//go:linkname alleleCover_ HOOK.Cover
func alleleCover_(i uint32)
`

// coverName is the variable in what the cover tool prints. No source has the name: see names.go.
const coverName = "alleleCounts_"

var (
	counter = regexp.MustCompile(coverName + `\.Count\[(\d+)\] = 1;`)
	// coverRow matches a row of the table of positions: the first and last line, and both
	// columns in one number, the last in its upper half.
	coverRow   = regexp.MustCompile(`(?m)^\t\t(\d+), (\d+), 0x([0-9a-f]+), // \[\d+\]$`)
	statements = regexp.MustCompile(`(?m)^\t\t(\d+), // \d+$`)
)

type insertion struct {
	offset int
	text   string
}

// covered returns the blocks of a file and what the cover tool has inserted, from the source
// and from what the tool printed.
func covered(src, out []byte) (blocks []Block, inserted []insertion, err error) {
	end := bytes.LastIndex(out, []byte("\nvar "+coverName+" = struct {"))
	_, body, ok := bytes.Cut(out[:max(0, end)], []byte("\n")) // the first line is a line directive
	table := out[max(0, end):]
	rows, sizes := coverRow.FindAllSubmatch(table, -1), statements.FindAllSubmatch(table, -1)
	if !ok || len(rows) != len(sizes) {
		return nil, nil, errors.New("its output has an unknown form; please report this, and leave -coverprofile out")
	}
	for i, row := range rows {
		columns, _ := strconv.ParseUint(string(row[3]), 16, 32)
		b := Block{Col: int(columns & 0xffff), EndCol: int(columns >> 16)}
		b.Line, _ = strconv.Atoi(string(row[1]))
		b.EndLine, _ = strconv.Atoi(string(row[2]))
		b.Statements, _ = strconv.Atoi(string(sizes[i][1]))
		blocks = append(blocks, b)
	}
	inserted, ok = difference(src, body)
	if !ok {
		return nil, nil, errors.New("its output is not the source with insertions; please report this, and leave -coverprofile out")
	}
	return blocks, inserted, nil
}

// difference returns the insertions that turn src into out: statements with counters, and
// braces around branches.
func difference(src, out []byte) (all []insertion, ok bool) {
	at := 0
	add := func(text []byte) {
		if n := len(all); n > 0 && all[n-1].offset == at {
			all[n-1].text += string(text)
			return
		}
		all = append(all, insertion{at, string(text)})
	}
	for len(out) > 0 {
		if bytes.HasPrefix(out, []byte(coverName)) && !bytes.HasPrefix(src[at:], []byte(coverName)) {
			n := bytes.IndexByte(out, ';') + 1
			if n == 0 {
				return nil, false
			}
			add(out[:n])
			out = out[n:]
			continue
		}
		if at == len(src) || out[0] != src[at] {
			if !bytes.ContainsRune([]byte("{} \n"), rune(out[0])) {
				return nil, false
			}
			add(out[:1])
		} else {
			at++
		}
		out = out[1:]
	}
	return all, at == len(src)
}
