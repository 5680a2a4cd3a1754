package modules

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// compare builds and runs the tests of a module on both sides.
func (l laboratory) compare(s subject, m mode) outcome {
	o := outcome{Module: s.Module.String(), Mode: m.name, Revision: revision()}
	dir, err := os.MkdirTemp("", "modules")
	if err != nil {
		o.Err = err.Error()
		return o
	}
	defer os.RemoveAll(dir)
	w := &workshop{laboratory: l, subject: s, mode: m, dir: dir}
	if err := w.comparison(&o); err != nil {
		o.Err = err.Error()
	}
	return o
}

func (w *workshop) comparison(o *outcome) error {
	if err := w.prepare(); err != nil {
		return err
	}
	for pkg, why := range w.leave {
		o.Excluded = append(o.Excluded, pkg+": "+why)
	}
	slices.Sort(o.Excluded)
	var broken [2]map[string]string // plain, probes
	var cost [2]time.Duration
	for k := range 2 {
		i := (k + len(w.Path)) % 2 // in turns: each side is first in half of the modules
		var err error
		if broken[i], cost[i], err = []func() (map[string]string, time.Duration, error){w.plain, w.probed}[i](); err != nil {
			return fmt.Errorf("%s: %w", []string{"build", "build with probes"}[i], err)
		}
	}
	o.Build = ratio{cost[0].Seconds(), cost[1].Seconds()}
	for _, s := range w.suites {
		switch why := broken[0][s.pkg]; {
		case why != "":
			o.Excluded = append(o.Excluded, w.short(s.pkg)+": does not compile: "+firstError(why))
			continue
		case broken[1][s.pkg] != "":
			o.Ours = append(o.Ours, w.short(s.pkg)+": does not compile with probes: "+broken[1][s.pkg])
			continue
		}
		if err := w.compareSuite(s, o); err != nil {
			o.Excluded = append(o.Excluded, w.short(s.pkg)+": "+err.Error())
		}
	}
	return nil
}

// firstError returns the first line of an error of the go command that is not a heading.
func firstError(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go test: exit") {
			return line
		}
	}
	return text
}

func (w *workshop) short(pkg string) string {
	return strings.TrimPrefix(strings.TrimPrefix(pkg, w.Path), "/")
}

// rounds returns how often a suite runs on each side. The cost of a suite is the least of
// several, because the first run may leave something in a cache.
func rounds(cost time.Duration) int {
	switch {
	case cost < time.Second:
		return 5
	case cost < 5*time.Second:
		return 3
	case cost < time.Minute:
		return 2
	}
	return 1
}

// compareSuite runs the tests of a package on both sides, in turns.
func (w *workshop) compareSuite(s suite, o *outcome) error {
	sides := [2]suite{s, s} // plain, probes
	sides[0].binary, sides[1].binary = w.binary("plain", s), w.binary("probes", s)
	var seen [2]verdicts
	var cost [2]time.Duration
	for round := 0; round == 0 || round < rounds(cost[0]); round++ {
		for k := range sides {
			i := (round + k) % 2
			v, spent, err := sides[i].run("")
			switch {
			case errors.Is(err, errLong) && i == 1 && cost[0] > 0 && cost[0] < cpuMax/6:
				o.Ours = append(o.Ours, fmt.Sprintf("%s: takes %v plain, and more than %v with probes", w.short(s.pkg), cost[0], cpuMax))
				return nil
			case err != nil:
				return err
			}
			if round == 0 {
				seen[i], cost[i] = v, spent
			}
			cost[i] = min(cost[i], spent)
		}
	}
	o.Packages++
	o.Tests += len(seen[0]) - 1
	o.Run.Plain += cost[0].Seconds()
	o.Run.Probes += cost[1].Seconds()
	return w.differences(s, sides, seen, o)
}

// differences classifies the tests with different verdicts.
func (w *workshop) differences(s suite, sides [2]suite, seen [2]verdicts, o *outcome) error {
	differing := differing(seen[0], seen[1])
	if len(differing) == 0 {
		return nil
	}
	again, _, err := sides[0].run("")
	if err != nil {
		return err
	}
	differing = slices.DeleteFunc(differing, func(test string) bool {
		varies := seen[0][test] != again[test]
		if varies {
			o.Varying = append(o.Varying, fmt.Sprintf("%s %s: plain %s, and then %s; with probes %s", w.short(s.pkg), test,
				verdictOf(seen[0], test), verdictOf(again, test), verdictOf(seen[1], test)))
		}
		return varies
	})
	if len(differing) > differingMax {
		o.Ours = append(o.Ours, fmt.Sprintf("%s: %d tests differ, such as %s: only the first %d are looked at",
			w.short(s.pkg), len(differing), differing[0], differingMax))
		differing = differing[:differingMax]
	}
	for _, test := range differing {
		var again [2]map[string]int
		for i := range sides {
			again[i] = map[string]int{}
			for range alone {
				v, _, err := sides[i].run(test)
				if err != nil {
					return err
				}
				again[i][verdictOf(v, test)]++
			}
		}
		line := fmt.Sprintf("%s %s: plain %s, with probes %s; alone: plain %v, with probes %v", w.short(s.pkg), test,
			verdictOf(seen[0], test), verdictOf(seen[1], test), again[0], again[1])
		switch {
		case len(again[0]) > 1 || len(again[1]) > 1 && again[0][verdictOf(seen[1], test)] > 0:
			o.Varying = append(o.Varying, line)
		case maps.Equal(again[0], again[1]):
			o.Gone = append(o.Gone, line)
		default:
			o.Ours = append(o.Ours, line)
		}
	}
	return nil
}

const (
	alone        = 5  // how often a test with a difference runs alone, on each side
	differingMax = 20 // how many differences of a package are looked at
)

// differing returns the tests that have different verdicts. A test counts only if none of
// its subtests differs, and a package only if none of its tests differs.
func differing(a, b verdicts) (tests []string) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	covered := map[string]bool{}
	for _, test := range slices.Backward(slices.Sorted(maps.Keys(all))) {
		if a[test] == b[test] || covered[test] {
			continue
		}
		tests = append(tests, test)
		covered[""] = true
		for at := range len(test) {
			if test[at] == '/' {
				covered[test[:at]] = true
			}
		}
	}
	slices.Sort(tests)
	return tests
}

func verdictOf(v verdicts, test string) string {
	if v[test] == "" {
		return "missing"
	}
	return v[test]
}
