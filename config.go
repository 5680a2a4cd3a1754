package allele

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/job"
)

// The same settings can be given as a flag, as a variable, or in code, and
// count in this order. Flags reach one package; `go test ./...` with one fails
// in packages that do not link allele, so there the variable is the way. The
// variables are read with os.Getenv when a Check starts: that is what makes the
// test cache notice them.
var (
	flagTests   = flag.String("allele.tests", "", "`number` of passed runs each allele.Check wants (default 1000; ALLELE_TESTS)")
	flagFor     = flag.String("allele.for", "", "run each allele.Check for this `time` instead of a number of tests (ALLELE_FOR)")
	flagSeed    = flag.String("allele.seed", "", "seed of the random inputs, a `number` or random (default fixed per property; ALLELE_SEED)")
	flagSize    = flag.String("allele.size", "", "`size` of the largest inputs (default 20; ALLELE_SIZE)")
	flagVerbose = flag.Bool("allele.v", false, "show what each allele.Check did (ALLELE_V)")
)

const (
	testsDefault = 1000
	runsPerTest  = 10 // gives up after so many runs for each passed one wanted
	sizeDefault  = 20
)

// config is a Check's settings after flags and variables had their say.
type config struct {
	tests   int
	runs    int // 0 means until the budget is spent
	budget  time.Duration
	seed    uint64
	size    int
	verbose bool
}

func configure(s settings, name string, j *job.Job) (config, error) {
	c := config{tests: testsDefault, size: sizeDefault, seed: nameSeed(name), verbose: *flagVerbose || truth(os.Getenv("ALLELE_V"))}
	pick(&c.tests, s.tests)
	c.tests = min(c.tests, testsMax)
	pick(&c.budget, s.budget)
	pick(&c.seed, s.seed)
	pick(&c.size, s.size)
	for _, v := range []struct {
		flag, value, variable string
		set                   func(string) error
	}{
		{"tests", *flagTests, os.Getenv("ALLELE_TESTS"), c.setTests},
		{"for", *flagFor, os.Getenv("ALLELE_FOR"), c.setBudget},
		{"seed", *flagSeed, os.Getenv("ALLELE_SEED"), c.setSeed},
		{"size", *flagSize, os.Getenv("ALLELE_SIZE"), c.setSize},
	} {
		from, value := "-allele."+v.flag, v.value
		if value == "" {
			from, value = "ALLELE_"+strings.ToUpper(v.flag), v.variable
		}
		if value == "" {
			continue
		}
		if err := v.set(value); err != nil {
			return c, fmt.Errorf("%s=%s: %w", from, value, err)
		}
	}
	c.obey(j.Search)
	c.runs = runsPerTest * c.tests
	if c.budget > 0 {
		c.tests, c.runs = testsMax, 0
	}
	return c, nil
}

// obey takes what the command has said, which counts more than a variable.
func (c *config) obey(p job.Params) {
	if p.Tests > 0 {
		c.tests = min(p.Tests, testsMax)
	}
	if p.Budget > 0 {
		c.budget = p.Budget
	}
	pick(&c.seed, p.Seed)
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
	c.tests = min(n, testsMax)
	return nil
}

// testsMax keeps ten times as many runs a number.
const testsMax = 1 << 30 / runsPerTest

func (c *config) setBudget(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return fmt.Errorf("want a time, such as 30s or 5m")
	}
	c.budget = d
	return nil
}

func (c *config) setSeed(s string) error {
	if s == "random" {
		c.seed = uint64(rand.Uint32()) // the one place where a run is not meant to repeat; printed, so it can
		return nil
	}
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		return fmt.Errorf("want a number, or random")
	}
	c.seed = n
	return nil
}

func (c *config) setSize(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return fmt.Errorf("want a size of at least 1")
	}
	c.size = n
	return nil
}

// nameSeed gives each property a seed of its own that never changes. Thirty-two
// bits are enough and short to print.
func nameSeed(name string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return uint64(h.Sum32())
}
