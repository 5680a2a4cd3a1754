//go:build go1.25

package allele

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
)

// A setting can be given as a flag, as an environment variable, or in code. A flag overrides
// a variable, and a variable overrides code. A number of tests and a time exclude each other, so
// each of them also overrides the other. `go test ./...` with a flag fails in packages that
// do not link allele, because their tests do not define the flag; a variable works for all
// packages. The variables are read with os.Getenv when a Check starts, so that the test cache
// takes them into account.
var (
	flagTests = flag.String("allele.tests", "", "`number` of runs of each allele.Check that must pass (default 1000; ALLELE_TESTS)")
	flagFor   = flag.String("allele.for", "", "run each allele.Check for this `time` instead of a number of tests (ALLELE_FOR)")
	flagSeed  = flag.String("allele.seed", "", "seed of the random inputs, a `number` or random "+
		"(default fixed per property; ALLELE_SEED)")
	flagSize    = flag.String("allele.size", "", "`size` of the largest inputs (default 20; ALLELE_SIZE)")
	flagRewrite = flag.String("allele.rewrite", "", "rewrite stored cases after `fields` were renamed or removed: Old=New,Removed=")
	flagVerbose = flag.Bool("allele.v", false, "print what each allele.Check did (ALLELE_V)")
)

const (
	testsDefault = 1000
	sizeDefault  = 20
)

// config is the configuration of a Check while it is being put together.
type config struct{ property.Config }

func configure(s property.Settings, name string, j *job.Job) (property.Config, error) {
	c := config{property.Config{Tests: testsDefault, Size: sizeDefault, Seed: property.NameSeed(name)}}
	c.Verbose = *flagVerbose || truth(os.Getenv("ALLELE_V"))
	pick(&c.Tests, s.Tests)
	c.Tests = min(c.Tests, testsMax)
	pick(&c.Budget, s.Budget)
	pick(&c.Seed, s.Seed)
	if pick(&c.Size, s.Size); s.Size != nil {
		c.Calls = c.Size
	}
	for _, v := range []struct {
		from, value string
		set         func(string) error
	}{
		{"ALLELE_TESTS", os.Getenv("ALLELE_TESTS"), c.setTests}, // before the time, which decides if both are given
		{"ALLELE_FOR", os.Getenv("ALLELE_FOR"), c.setBudget},
		{"-allele.tests", *flagTests, c.setTests},
		{"-allele.for", *flagFor, c.setBudget},
		{"ALLELE_SEED", os.Getenv("ALLELE_SEED"), c.setSeed},
		{"-allele.seed", *flagSeed, c.setSeed},
		{"ALLELE_SIZE", os.Getenv("ALLELE_SIZE"), c.setSize},
		{"-allele.size", *flagSize, c.setSize},
		{"ALLELE_RUN_TIMEOUT", os.Getenv("ALLELE_RUN_TIMEOUT"), c.setRunTimeout},
	} {
		if v.value == "" {
			continue
		}
		if err := v.set(v.value); err != nil {
			return c.Config, fmt.Errorf("%s=%s: %w", v.from, v.value, err)
		}
	}
	if *flagRewrite != "" {
		var err error
		if c.Renames, err = codec.ParseRenames(*flagRewrite); err != nil {
			return c.Config, fmt.Errorf("-allele.rewrite=%s: %w", *flagRewrite, err)
		}
	}
	if c.obey(j.Search); j.Mode == job.Search && j.Search.Budget == 0 {
		c.Budget = 0 // without -for the command does not watch the clock, and the search would not end
	}
	c.Runs = property.RunsPerTest * c.Tests
	if c.Budget > 0 && !(j.Search.Default && s.Tests != nil) {
		c.Tests, c.Runs = testsMax, 0
	}
	return c.Config, nil
}

// obey applies the settings of the allele command, which override flags, variables and code.
func (c *config) obey(p job.Params) {
	if p.Tests > 0 {
		c.Tests = min(p.Tests, testsMax)
	}
	if p.Budget > 0 {
		c.Budget = p.Budget
	}
	pick(&c.Seed, p.Seed)
}

func pick[V any](to *V, from *V) {
	if from != nil {
		*to = *from
	}
}

func truth(s string) bool { b, err := strconv.ParseBool(s); return err == nil && b }

func (c *config) setTests(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return fmt.Errorf("want a number of tests, such as 10000")
	}
	c.Tests, c.Budget = min(n, testsMax), 0
	return nil
}

// testsMax is small enough that ten times as many runs fit into an int32.
const testsMax = 1 << 30 / property.RunsPerTest

func (c *config) setBudget(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return fmt.Errorf("want a time above 0, such as 30s or 5m")
	}
	c.Budget = d
	return nil
}

func (c *config) setRunTimeout(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return fmt.Errorf("want a time above 0, such as 10s")
	}
	c.RunTimeout = d
	return nil
}

func (c *config) setSeed(s string) error {
	if s == "random" {
		c.Seed = uint64(rand.Uint32()) // the seed is printed, so that the run can be repeated
		return nil
	}
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		return fmt.Errorf("want a number, or random")
	}
	c.Seed = n
	return nil
}

func (c *config) setSize(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return fmt.Errorf("want a size of at least 1")
	}
	c.Size, c.Calls = n, n
	return nil
}
