package faults

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Self judges the tests of allele's own packages. Code that uses the library gets gates that the
// library provides, so the library itself is judged in a copy with another module path.
var Self = lab.Experiment{
	Name: "self",
	Doc:  "allele score on allele's own packages, in a copy with another module path: every survivor of two, and 50 of the others",
	Run:  self,
}

// selfPath is the module path of the copy.
const selfPath = "example.com/self"

var (
	// whole are the packages of which every survivor is explained.
	whole = []string{"./internal/value/term", "./internal/search/novelty"}
	// others are the packages from which some survivors are chosen. Tests that build programs, start
	// processes or take minutes are left out: with 20 times the usual steps for each fault that
	// never ends, such a package takes hours.
	others = []string{
		"./internal/rng", "./internal/site", "./internal/stack", "./internal/check/oracle",
		"./internal/words", "./internal/store/dict", "./internal/store/casefile", "./internal/store/gofuzz",
		"./internal/campaign/exchange", "./internal/proc/dist", "./internal/show/chart", "./internal/search/cover",
		"./internal/value/same", "./internal/value/text", "./internal/value/gen",
	}
)

const (
	sampleSize = 50
	sampleSeed = 19
)

func self(cfg lab.Config) (*lab.Result, error) {
	b, err := open(cfg)
	if err != nil {
		return nil, err
	}
	defer b.close()
	only := append(slices.Clone(whole), others...)
	if cfg.Quick {
		only = others[:1] // its tests take a moment
	}
	src := filepath.Join(b.dir, "src", "self")
	if err := copySelf("..", src); err != nil {
		return nil, err
	}
	res := &lab.Result{Seeds: []uint64{sampleSeed}, Summary: map[string]any{}}
	var errs []error
	var elsewhere []fault
	var all score
	for _, pkg := range only {
		b.Logf("%s", pkg)
		o, err := b.scored("self", subject{Module: foreign.At(strings.TrimPrefix(pkg, "./"), treeSum(src)), packages: []string{pkg}}, src)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", pkg, err))
			continue
		}
		number(o.Faults)
		row, rest := selfRow(pkg, o)
		res.Rows = append(res.Rows, row)
		all.Faults = append(all.Faults, o.Faults...)
		if !slices.Contains(whole, pkg) {
			elsewhere = append(elsewhere, rest...)
			continue
		}
		errs = append(errs, survivors(res, pkg, rest)...)
	}
	if !cfg.Quick {
		errs = append(errs, sampled(res, all.Faults, elsewhere)...)
	}
	res.Summary["score"], res.Summary["score without budget"] = all.share(true), all.share(false)
	res.Summary["faults"], res.Summary["survivors to choose from"] = len(all.Faults), len(elsewhere)
	return res, errors.Join(errs...)
}

// selfRow returns the figures of a package, and the faults that are alive.
func selfRow(pkg string, o score) (row lab.Row, alive []fault) {
	row = lab.Row{lab.Col("package", strings.TrimPrefix(pkg, "./")), lab.Col("faults", len(o.Faults))}
	for _, v := range verdicts {
		row = append(row, lab.Col(v, o.count(v)))
	}
	equivalent := 0
	for _, f := range o.Faults {
		if f.Verdict == killed || f.Verdict == noVerdict {
			continue
		}
		alive = append(alive, f)
		if reason(f) != "" {
			equivalent++
		}
	}
	return append(row, lab.Col("equivalent", equivalent), lab.Col("score", o.share(true)), lab.Col("cpu s", o.CPU)), alive
}

// sampled reports what became of the faults in chosen.txt. If the file is empty, faults are chosen
// again. A fault is not found if the code has changed since.
func sampled(res *lab.Result, all, alive []fault) []error {
	list := strings.Split(strings.TrimSpace(chosenText), "\n")
	if list[0] == "" {
		return survivors(res, "sample", sample(alive, sampleSize))
	}
	verdicts := map[string][]fault{}
	for _, f := range all {
		verdicts[identity(f)] = append(verdicts[identity(f)], f)
	}
	var open []fault
	dead, gone := 0, 0
	for _, line := range list {
		same := verdicts[line]
		i := slices.IndexFunc(same, func(f fault) bool { return f.Verdict != killed })
		switch {
		case len(same) == 0:
			gone++
		case i < 0:
			dead++
		default:
			open = append(open, same[i])
		}
	}
	res.Summary["chosen"], res.Summary["chosen and killed"], res.Summary["chosen and not found"] = len(list), dead, gone
	return survivors(res, "sample", open)
}

// survivors lists faults that are alive, each with the reason why it is equivalent. A fault without
// a reason is an error: it needs a better test.
func survivors(res *lab.Result, group string, alive []fault) (errs []error) {
	for _, f := range alive {
		why := reason(f)
		res.Samples = append(res.Samples, lab.Row{lab.Col("group", group),
			lab.Col("place", fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col)), lab.Col("operator", f.Operator),
			lab.Col("from", brief(f.From)), lab.Col("to", brief(f.To)), lab.Col("verdict", f.Verdict), lab.Col("equivalent", why)})
		if why == "" {
			errs = append(errs, fmt.Errorf("%s: %s, and nothing says that it is equivalent", place(f), f.Verdict))
		}
	}
	return errs
}

// sample chooses some faults by the seed.
func sample(all []fault, n int) []fault {
	all = slices.Clone(all)
	r := rand.New(rand.NewPCG(sampleSeed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

// number makes the names of faults different: the second change of one kind in f is in f#2.
func number(all []fault) {
	times := map[string]int{}
	for i := range all {
		id := identity(all[i])
		if times[id]++; times[id] > 1 {
			all[i].Func += fmt.Sprintf("#%d", times[id])
		}
	}
}

// identity names a fault without its line, so that the reason holds if lines are added above it.
func identity(f fault) string {
	return strings.Join([]string{filepath.ToSlash(f.File), f.Func, f.Operator, brief(f.From), brief(f.To)}, " | ")
}

// briefMax is how long a piece of source in a name is.
const briefMax = 80

// brief returns source in one line.
func brief(src string) string {
	src = strings.Join(strings.Fields(src), " ")
	if r := []rune(src); len(r) > briefMax {
		return string(r[:briefMax-1]) + "…"
	}
	return src
}

// reason returns why a fault is equivalent, or "".
func reason(f fault) string { return equivalents[identity(f)] }

// copySelf copies the repository, without nested modules, and changes the module path in all files.
func copySelf(root, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	left := []string{".git", ".ci", "eval", "e2e"}
	return filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		switch {
		case err != nil:
			return err
		case slices.Contains(left, name) && d.IsDir():
			return filepath.SkipDir
		case !d.Type().IsRegular() || name == ".git": // in a worktree, .git is a file
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return lab.WriteFile(filepath.Join(to, name), bytes.ReplaceAll(text, []byte(foreign.Library), []byte(selfPath)))
	})
}

// treeSum identifies the files of a folder.
func treeSum(dir string) string {
	var all bytes.Buffer
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		fmt.Fprintf(&all, "%s %s\n", file, sum(text))
		return err
	})
	if err != nil {
		return "unknown"
	}
	return sum(all.Bytes())
}
