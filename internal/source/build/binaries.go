//go:build go1.25

package build

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/source/load"
)

// Binaries stay in the work folder, each with a record of what it was built from. If that is
// still the same, and the file is undamaged, the next command uses it and runs no go command.
// Otherwise several packages are built by one go command. Package load says what a binary is
// built from, and when that is not known: then there is no record.

// Kind is a way to build the tests of a package. Its text is the end of the binary's name.
type Kind string

// The kinds of binaries.
const (
	WithProbes Kind = ".test"     // see Overlay.Test
	Unprobed   Kind = ".plain"    // see Overlay.Plain
	Recording  Kind = ".operands" // see Overlay.Operands
)

// batchMax is how many packages one go command builds. A go command that has nothing to compile
// takes about as long as linking one binary, so more would save little, and the progress is
// shown after each.
const batchMax = 32

// recordFormat is the beginning of the first line of a record. A checksum of the other lines
// follows it.
const recordFormat = "allele binary 1"

// record is what is known about a binary in the work folder.
type record struct {
	Key  string // of load.Inputs.Keys; "" if not everything is known that it was built from
	Size int64
	Sum  string // checksum of the file
}

// Binaries builds binaries in the work folder. The caller prevents other commands from building
// there meanwhile.
type Binaries struct {
	*Overlay
	Temp     string              // folder for files that are not complete
	Progress func(done, all int) // called after each go command of several packages; may be nil
}

// File returns where a binary is.
func (b *Binaries) File(kind Kind, pkg string) string { return b.Overlay.file("bin", kind, pkg) }

func (o *Overlay) file(folder string, kind Kind, pkg string) string {
	return filepath.Join(o.config.Work, folder, filepath.FromSlash(pkg)+string(kind))
}

// Ready builds the binaries that are not up to date, with few go commands. After that, Sum knows
// the binaries that are up to date. Ready reports no errors: the caller builds the
// missing ones with One, which does.
func (b *Binaries) Ready(kind Kind, pkgs []string) {
	state := b.look(kind)
	var old []string
	for _, pkg := range pkgs {
		if !b.current(kind, pkg, state.key(pkg)) {
			old = append(old, pkg)
		}
	}
	if len(old) < 2 {
		return
	}
	done := len(pkgs) - len(old)
	var built []string
	for _, batch := range batches(old) {
		built = append(built, b.batch(kind, batch)...)
		if done += len(batch); b.Progress != nil {
			b.Progress(done, len(pkgs))
		}
	}
	after := b.look(kind)
	for _, pkg := range built {
		b.note(kind, pkg, state, after) // after an error, One builds it again
	}
}

// One builds a binary, unless it is up to date.
func (b *Binaries) One(kind Kind, pkg string) error {
	if b.Sum(kind, pkg) != "" {
		return nil
	}
	state := b.look(kind)
	if b.current(kind, pkg, state.key(pkg)) {
		return nil
	}
	if !b.intact(kind, pkg, b.record(kind, pkg)) {
		os.Remove(b.File(kind, pkg)) // the go command would not notice the damage
	}
	if err := os.RemoveAll(b.file("records", kind, pkg)); err != nil {
		return adviseDelete(err, b.config.Work)
	}
	how := map[Kind]func(pkg, out string) error{WithProbes: b.Test, Unprobed: b.Plain, Recording: b.Operands}[kind]
	if err := how(pkg, b.File(kind, pkg)); err != nil {
		return err
	}
	return b.note(kind, pkg, state, b.look(kind))
}

// state is what binaries are built from, at one time. Without a listing nothing is known.
type state struct {
	inputs *load.Inputs
	key    func(pkg string) string
}

func (o *Overlay) look(kind Kind) state {
	overlay, flags := o.way(kind)
	var replace struct{ Replace map[string]string }
	if o.listing == nil || len(o.copies) > 0 || json.Unmarshal(o.overlays[overlay], &replace) != nil {
		return state{key: func(string) string { return "" }} // copies of modules may be damaged
	}
	in := o.listing.Inputs()
	return state{in, in.Keys(replace.Replace, append([]string{string(kind)}, flags...))}
}

// way returns the overlay of a kind of binary, and the flags for the go command.
func (o *Overlay) way(kind Kind) (overlay string, flags []string) {
	if o.config.Strip {
		flags = []string{"-ldflags=-s -w"}
	}
	switch kind {
	case WithProbes:
		return overlayName, flags
	case Recording:
		flags = append(flags, o.recordFlags()...)
	}
	return operandsName, flags
}

// one builds the binary of one package.
func (o *Overlay) one(kind Kind, pkg, out string) error {
	overlay, flags := o.way(kind)
	return o.compile(compilation{[]string{pkg}, out, overlay, flags})
}

// Sum returns the checksum of a binary, and "" unless this command has found it up to date, or
// has built it. Binaries with the same checksum are equal.
func (o *Overlay) Sum(kind Kind, pkg string) string {
	sum, _ := o.sums.Load(pkg + string(kind))
	text, _ := sum.(string)
	return text
}

// current reports whether a binary was built from what key stands for and is undamaged.
func (o *Overlay) current(kind Kind, pkg, key string) bool {
	r := o.record(kind, pkg)
	if key == "" || r.Key != key || !o.intact(kind, pkg, r) {
		return false
	}
	now := time.Now()
	os.Chtimes(o.file("records", kind, pkg), now, now) // for Trim
	o.sums.Store(pkg+string(kind), r.Sum)
	return true
}

// record reads the record of a binary. If there is none, or if it is damaged, the result is zero.
func (o *Overlay) record(kind Kind, pkg string) (r record) {
	data, err := readWork(o.file("records", kind, pkg), workMax)
	if err != nil {
		return record{}
	}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(first) != recordFormat+" "+sum(rest) || json.Unmarshal(rest, &r) != nil {
		return record{}
	}
	return r
}

// intact reports whether a binary is the one that its record describes.
func (o *Overlay) intact(kind Kind, pkg string, r record) bool {
	file := o.file("bin", kind, pkg)
	if info, err := os.Stat(file); err != nil || r.Sum == "" || info.Size() != r.Size {
		return false // a damaged file may be too long to read
	}
	sum, err := sumFile(file)
	return err == nil && sum == r.Sum
}

// note sets the checksum of a new binary and writes its record. The record has no key if something
// may have changed while the binary was built.
func (o *Overlay) note(kind Kind, pkg string, before, after state) error {
	file := o.file("bin", kind, pkg)
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	all, err := sumFile(file)
	if err != nil {
		return err
	}
	o.sums.Store(pkg+string(kind), all)
	key := before.key(pkg)
	if key != "" && (after.key(pkg) != key || !after.inputs.Same(before.inputs)) {
		key = ""
	}
	data, err := json.Marshal(record{key, info.Size(), all})
	if err != nil {
		return err
	}
	content := fmt.Appendf(nil, "%s %s\n%s", recordFormat, sum(data), data)
	return adviseDelete(writeChanged(o.file("records", kind, pkg), content), o.config.Work)
}

// sumFile returns the checksum of a file.
func sumFile(file string) (string, error) {
	if info, err := os.Stat(file); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errNotFile
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// batches splits packages into groups for one go command each. The go command writes all
// binaries to one folder, so the names in a group differ.
func batches(pkgs []string) (all [][]string) {
	var names []map[string]bool // of each group
	for _, pkg := range pkgs {
		name := strings.ToLower(binaryName(pkg)) // in some file systems, upper case is the same
		i := 0
		for i < len(all) && (len(all[i]) == batchMax || names[i][name]) {
			i++
		}
		if i == len(all) {
			all, names = append(all, nil), append(names, map[string]bool{})
		}
		all[i] = append(all[i], pkg)
		names[i][name] = true
	}
	return all
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// binaryName returns the name that the go command gives to the test binary of a package.
func binaryName(pkg string) string {
	name := path.Base(pkg)
	if parent := path.Dir(pkg); majorVersion.MatchString(name) && parent != "." {
		name = path.Base(parent)
	}
	return name + ".test"
}

// batch builds several packages with one go command, and returns those that were built. If some
// do not compile, the go command builds the others.
func (b *Binaries) batch(kind Kind, pkgs []string) (built []string) {
	if kind == Recording && b.off != "" {
		return nil
	}
	dir, err := os.MkdirTemp(b.Temp, "batch-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	earlier := map[string]fs.FileInfo{} // binaries that the go command may find up to date
	for _, pkg := range pkgs {
		file := filepath.Join(dir, binaryName(pkg))
		if b.intact(kind, pkg, b.record(kind, pkg)) && os.Link(b.File(kind, pkg), file) == nil {
			earlier[pkg], _ = os.Stat(file)
		}
	}
	overlay, flags := b.way(kind)
	err = b.compile(compilation{pkgs, dir + string(filepath.Separator), overlay, flags})
	var failed *exec.ExitError
	if err != nil && !(errors.As(err, &failed) && failed.Exited()) {
		return nil
	}
	for _, pkg := range pkgs {
		file := filepath.Join(dir, binaryName(pkg))
		if !exists(file) {
			file += ".exe"
		}
		info, _ := os.Stat(file)
		if err != nil && earlier[pkg] != nil && os.SameFile(info, earlier[pkg]) {
			continue // this may be the package that does not compile any more
		}
		if b.accept(kind, pkg, file) {
			built = append(built, pkg)
		}
	}
	return built
}

// accept moves a new binary to its place, if it is the binary of this package.
func (b *Binaries) accept(kind Kind, pkg, file string) bool {
	info, err := buildinfo.ReadFile(file)
	if err != nil || info.Path != pkg+".test" || kind == WithProbes && b.verify(pkg, file) != nil {
		return false
	}
	to := b.File(kind, pkg)
	if os.RemoveAll(b.file("records", kind, pkg)) != nil || os.MkdirAll(filepath.Dir(to), 0o777) != nil {
		return false
	}
	os.Remove(to) // on some systems a file cannot replace another
	return os.Rename(file, to) == nil
}
