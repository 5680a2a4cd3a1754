//go:build go1.25

package testbin

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// Binaries builds the binaries of a package other than its test binary: one that reports
// the operands of comparisons, and one without probes. It implements campaign.Builds.
type Binaries struct {
	*Program
	Encoders Encoders

	mu       sync.Mutex
	compared map[string]operandBinary // by package
	verbose  bool
	warned   string            // the last warning about a binary that reports operands
	plain    map[string]string // package -> its binary without probes
}

// operandBinary is the state of a package's binary that reports operands.
type operandBinary struct {
	file string // "" if it cannot be built
	lazy bool   // it is built when a search asks for it
}

// unasked is how many runs a search does before it asks for operands, unless hardly any input
// passes: the burst of fresh inputs of package engine. Most searches with fewer runs need no
// binary that reports operands.
const unasked = 200

// PrepareOperands builds the binaries that report what inputs are compared with, by as few go
// commands as possible. The search works without them, so a build that fails is only a warning.
// If the searches are so short that most will not ask for operands, the binaries are built when
// a search asks.
func (b *Binaries) PrepareOperands(props []launch.Property, limit job.Params, verbose bool) {
	b.compared, b.verbose = map[string]operandBinary{}, verbose
	var pkgs []string
	for _, p := range props {
		if _, known := b.compared[p.Package]; known {
			continue
		}
		one := operandBinary{} // a binary without probes would record no comparison
		if b.instrumented(p.Package) {
			pkgs = append(pkgs, p.Package)
			one = operandBinary{file: b.own(build.Recording, p.Package), lazy: true}
		}
		b.compared[p.Package] = one
	}
	if limit.Budget == 0 && limit.Tests > 0 && limit.Tests <= unasked {
		return
	}
	defer announce(b.Stderr, "building them once more, to record what inputs are compared with; -operands=off does without")()
	defer b.lockWork()()
	shared(b.Program).Ready(build.Recording, pkgs)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, pkg := range pkgs {
		b.buildRecording(pkg)
	}
}

// BuildOperands builds the binary of a package that reports operands, unless it is built. If
// that fails, a file says so to the process that waits for the binary.
func (b *Binaries) BuildOperands(pkg string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.compared[pkg].lazy {
		defer b.lockWork()()
		b.buildRecording(pkg)
	}
}

// buildRecording is BuildOperands while no other command builds in the work folder.
func (b *Binaries) buildRecording(pkg string) {
	one := b.compared[pkg]
	_, err := b.compile(build.Recording, pkg)
	b.compared[pkg] = operandBinary{file: one.file}
	if err == nil {
		return
	}
	b.compared[pkg] = operandBinary{}
	why := brief(b.Log.show(err.Error()), b.verbose)
	if why != b.warned {
		fmt.Fprintln(b.Stderr, "allele test: the search goes on without operands:", why)
		b.warned = why
	}
	if err := refuse(one.file); err != nil {
		fmt.Fprintln(b.Stderr, "allele test:", err)
	}
}

// refuse creates the file that means that a binary will not be built.
func refuse(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file+job.Refused, nil, 0o666)
}

// brief returns the first line of a text or, with -v, the whole text.
func brief(text string, verbose bool) string {
	first, _, more := strings.Cut(text, "\n")
	if !more || verbose {
		return text
	}
	return first + " (-v shows more)"
}

// buildLocked builds a binary while no other command builds in the work folder.
func (b *Binaries) buildLocked(kind build.Kind, pkg string) (string, error) {
	defer b.lockWork()()
	return b.compile(kind, pkg)
}

// Operands returns the path of a package's binary that reports operands, or "" if there
// is none. There may be no file yet: then a search asks for it.
func (b *Binaries) Operands(pkg string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.compared[pkg].file
}

// Encoder returns the path of a package's binary with faults in its encoders, and of the list of
// these faults. Both are "" if there are none.
func (b *Binaries) Encoder(pkg string) (binary, faults string) {
	return b.Encoders.binary[pkg], b.Encoders.faults[pkg]
}

// Plain returns the path of a package's binary without probes. The first call builds the
// binary.
func (b *Binaries) Plain(pkg string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if binary := b.plain[pkg]; binary != "" {
		return binary, nil
	}
	defer announce(b.Stderr, fmt.Sprintf("building %s without probes, to run it on several cores", pkg))()
	binary, err := b.buildLocked(build.Unprobed, pkg)
	if err != nil {
		return "", err
	}
	if b.plain == nil {
		b.plain = map[string]string{}
	}
	b.plain[pkg] = binary
	return binary, nil
}

// Hash returns the hash of a package's test binary.
func (b *Binaries) Hash(pkg string) (string, error) {
	all := b.BuiltAs(pkg)
	if all == "" {
		return "", fmt.Errorf("the test binary of %s was not built", pkg)
	}
	return all[:16], nil
}

// instrumented reports whether the tests of a package run code that is not declined.
func (b *Binaries) instrumented(test string) bool {
	rewritten := map[string]bool{}
	for _, d := range b.Overlay.Dirs() {
		rewritten[d.Path] = true
	}
	for _, d := range b.Overlay.Declined {
		delete(rewritten, d.Path)
	}
	return slices.ContainsFunc(b.Listing.Needs(test), func(n load.Needed) bool { return rewritten[n.Path] })
}
