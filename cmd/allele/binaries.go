//go:build go1.25

package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/source/load"
)

// binaries builds the binaries of a package other than its test binary: one that reports
// the operands of comparisons, and one without probes. It also hashes the test binaries.
// It implements campaign.Builds.
type binaries struct {
	*program
	encoders encoders
	compared map[string]string // package -> its binary that reports operands; "" if it cannot be built

	mu     sync.Mutex
	hashes map[string]string // package -> hash of its test binary
	plain  map[string]string // package -> its binary without probes
}

// buildOperands builds the binaries that report what inputs are compared with. The search
// works without them, so a build that fails is only a warning.
func (b *binaries) buildOperands(props []property, verbose bool) {
	b.compared = map[string]string{}
	defer announce(b.stderr, "building them once more, to record what inputs are compared with; -operands=off does without")()
	warned := ""
	for _, p := range props {
		if _, done := b.compared[p.Package]; done {
			continue
		}
		if !b.instrumented(p.Package) {
			b.compared[p.Package] = "" // such a binary would record no comparison
			continue
		}
		binary, err := b.buildLocked(b.overlay.Operands, p.Package, ".operands")
		if err == nil {
			b.compared[p.Package] = binary
			continue
		}
		b.compared[p.Package] = ""
		why := brief(b.log.show(err.Error()), verbose)
		if why != warned {
			fmt.Fprintln(b.stderr, "allele test: the search goes on without operands:", why)
			warned = why
		}
	}
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
func (b *binaries) buildLocked(how func(pkg, out string) error, pkg, suffix string) (string, error) {
	defer b.lockWork()()
	return b.compile(how, pkg, suffix)
}

// Operands returns the path of a package's binary that reports operands, or "" if there
// is none.
func (b *binaries) Operands(pkg string) string { return b.compared[pkg] }

// Encoder returns the path of a package's binary with faults in its encoders, and of the list of
// these faults. Both are "" if there are none.
func (b *binaries) Encoder(pkg string) (binary, faults string) {
	return b.encoders.binary[pkg], b.encoders.faults[pkg]
}

// Plain returns the path of a package's binary without probes. The first call builds the
// binary.
func (b *binaries) Plain(pkg string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if binary := b.plain[pkg]; binary != "" {
		return binary, nil
	}
	defer announce(b.stderr, fmt.Sprintf("building %s without probes, to run it on several cores", pkg))()
	binary, err := b.buildLocked(b.overlay.Plain, pkg, ".plain")
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
func (b *binaries) Hash(pkg string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h := b.hashes[pkg]; h != "" {
		return h, nil
	}
	f, err := os.Open(b.Binary(pkg))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	if b.hashes == nil {
		b.hashes = map[string]string{}
	}
	b.hashes[pkg] = fmt.Sprintf("%x", sum.Sum(nil)[:8])
	return b.hashes[pkg], nil
}

// instrumented reports whether the tests of a package run code that is not declined.
func (b *binaries) instrumented(test string) bool {
	rewritten := map[string]bool{}
	for _, d := range b.overlay.Dirs() {
		rewritten[d.Path] = true
	}
	for _, d := range b.overlay.Declined {
		delete(rewritten, d.Path)
	}
	return slices.ContainsFunc(b.listing.Needs(test), func(n load.Needed) bool { return rewritten[n.Path] })
}
