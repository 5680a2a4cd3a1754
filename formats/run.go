package formats

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/program"
)

// Target is a program that is searched for failures by allele run.
type Target struct {
	Format  string
	Program program.Program
	// Mutator is a program that changes each input: zzuf or radamsa. Empty means none.
	Mutator string
	// Findings is the folder for failing inputs.
	Findings string
	// AllowVacuous continues the search even if all runs end with the same error.
	AllowVacuous bool
	// Hint is what to say if they do.
	Hint string
}

// Run searches for failures of a program.
func Run(t *testing.T, target *Target) {
	t.Helper()
	f, ok := Named(target.Format)
	if !ok {
		t.Fatalf("unknown format %q; the formats are %s", target.Format, strings.Join(names(), ", "))
	}
	if _, ok := mutators[target.Mutator]; !ok {
		t.Fatalf("unknown mutator %q; the mutators are zzuf and radamsa", target.Mutator)
	}
	p := &target.Program
	p.Suffix = f.Suffix
	defer p.Close()
	wait := hangs{limit: p.Timeout}
	if wait.limit <= 0 {
		wait.limit = program.TimeoutDefault
	}
	options := []allele.Option{allele.Seed(property.NameSeed(target.Format))}
	if target.AllowVacuous {
		options = append(options, allele.AllowVacuous())
	}
	f.Check(t, func(t *allele.T, encoded []byte) {
		input, err := mutated(target.Mutator, encoded)
		if err != nil {
			t.Fatal(err)
		}
		r, known, err := wait.run(p, input)
		if err != nil {
			t.Fatal(err)
		}
		t.Assume(known)
		outside.Of(t.Context()).Add(target.ending(r))
		if !r.Crashed() {
			return
		}
		found := finding{program.Failure{Name: filepath.Base(p.Args[0]), Result: r}, target.Format}
		if err := found.keep(target, input, encoded); err != nil {
			t.Logf("cannot write to %s: %v", target.Findings, err)
		}
		t.Fatal(found)
	}, options...)
}

// ending is how a run ended, for a search in which all runs end in the same way.
func (target *Target) ending(r program.Result) outside.Ending {
	advice := "Correct the command line, or add -allow-vacuous to search nevertheless."
	if target.Hint != "" {
		advice = "Correct the command line: " + target.Hint + "."
	}
	args := target.Program.Args
	return outside.Ending{Program: filepath.Base(args[0]), Command: outside.CommandLine(args), Code: r.Code,
		Output: r.Stdout + r.Stderr, Unread: r.Unread, Advice: advice}
}

func names() (all []string) {
	for _, f := range All() {
		all = append(all, f.Name)
	}
	return all
}
