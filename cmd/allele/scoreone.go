//go:build go1.25

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/apply"
	"github.com/allele-go/allele/internal/score/last"
	"github.com/allele-go/allele/internal/show/report"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/cache"
	"github.com/allele-go/allele/internal/words"
)

// oneFault is a command about a fault of the last run: allele score show, apply or undo.
type oneFault struct {
	program   *testbin.Program
	call      *call
	root, dir string // of all work folders; where the command runs
	key       string
}

// aboutOne returns what does a command about one fault, if the arguments are one.
func aboutOne(p *testbin.Program, c *call) (do func() error, ok bool) {
	o := &oneFault{program: p, call: c, key: strings.ToLower(c.Arg(1))}
	run := map[string]func() error{"show": o.show, "apply": o.apply, "undo": o.undo}[c.Arg(0)]
	if run == nil {
		return nil, false
	}
	return func() (err error) {
		if c.NArg() != 2 {
			return fmt.Errorf("name one fault by its key, which the report shows: %s%s KEY", o.command(), c.Arg(0))
		}
		if o.root, err = cache.Root(); err != nil {
			return err
		}
		if o.dir, err = filepath.Abs(p.Dir); err != nil {
			return err
		}
		return run()
	}, true
}

// command returns the beginning of allele score with the same -C.
func (o *oneFault) command() string { return scoreWith(o.program) }

func scoreWith(p *testbin.Program) string { return self + " score " + p.SameFlags() }

// find returns the last run, and the fault in it that the key names.
func (o *oneFault) find() (run last.Run, n score.Named, err error) {
	if run, err = last.Find(o.root, o.dir); err != nil {
		return run, n, fmt.Errorf("%w; run: %s", err, strings.TrimSpace(o.command()))
	}
	r := run.Score.Report()
	some := r.Find(o.key)
	switch {
	case len(some) == 0 && len(o.key) < score.KeyMin:
		return run, n, fmt.Errorf("%q is too short for a key: type at least %d of its digits", o.key, score.KeyMin)
	case len(some) == 0:
		return run, n, fmt.Errorf("no fault has the key %q in the last run here; to see the keys, run: %s-all", o.key, o.command())
	case len(some) == 1:
		return run, some[0], nil
	}
	var keys []string
	for _, x := range some {
		f := x.Package.Faults[x.Index]
		keys = append(keys, fmt.Sprintf("%s at %s:%d", x.Package.Keys[f.ID], o.program.Relative(f.File), f.Line))
	}
	return run, n, fmt.Errorf("%q is the key of several faults: %s; type a whole key", o.key, words.And(keys))
}

// style returns how the fault is printed.
func (o *oneFault) style() score.Style {
	var conf report.Config
	conf.At(o.call.stdout, o.call.stderr, os.Getenv)
	s := score.Style{Colour: conf.Colour, Relative: o.program.Relative, Source: os.ReadFile, Score: o.command()}
	if conf.Size != nil {
		s.Columns, _ = conf.Size()
	}
	return s
}

func (o *oneFault) show() error {
	_, n, err := o.find()
	if err == nil {
		fmt.Fprint(o.call.stdout, inOurWords(n.Text(o.style())))
	}
	return err
}

func (o *oneFault) apply() error {
	run, n, err := o.find()
	if err != nil {
		return err
	}
	f := n.Package.Faults[n.Index]
	key, name := n.Package.Keys[f.ID], o.program.Relative(f.File)
	src, err := os.ReadFile(f.File)
	if err != nil {
		return err
	}
	for _, a := range last.AllApplied(o.root, o.dir) {
		if a.File == f.File && a.After == string(src) {
			return fmt.Errorf("%s already contains the fault %s; first run: %sundo %[2]s", name, a.Key, o.command())
		}
	}
	if last.Sum(src) != run.Sums[f.File] {
		return fmt.Errorf("%s has changed since its faults were judged, so nothing was applied; to judge them again, run %s "+
			"with the flags and packages of before", name, strings.TrimSpace(o.command()))
	}
	text, err := apply.Edit(f.File, string(src), f.Edit, func(text string) (string, error) { return o.compile(f.File, text, run.Flags) })
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	a := last.Applied{Dir: o.dir, Key: key, File: f.File, Before: string(src), After: text}
	if err := a.Save(run.Folder); err != nil {
		return fmt.Errorf("remember what was in %s: %w", name, err)
	}
	if err := overwrite(f.File, text); err != nil {
		return err
	}
	fmt.Fprintf(o.call.stdout, "%s now contains the fault %s: write a test that fails\nto undo   %sundo %[2]s\n", name, key, o.command())
	return nil
}

// compile compiles the package of a file with another text in it. It returns what the compiler
// prints if that fails.
func (o *oneFault) compile(file, text string, flags []string) (string, error) {
	dir, err := os.MkdirTemp("", "allele-apply-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, filepath.Base(file)), filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{file: changed}})
	if err = errors.Join(err, os.WriteFile(changed, []byte(text), 0o666), os.WriteFile(overlay, data, 0o666)); err != nil {
		return "", err
	}
	cmd := exec.Command("go", slices.Concat([]string{"build", "-overlay", overlay, "-o", os.DevNull}, flags, []string{"."})...)
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) > 0 {
		return changedName.ReplaceAllString(string(out), ""), nil
	}
	return "", err
}

// changedName matches the folder of the changed file in messages of the compiler.
var changedName = regexp.MustCompile(`\S*allele-apply-\d+[/\\]`)

// overwrite writes a file that exists, which keeps its mode.
func overwrite(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func (o *oneFault) undo() error {
	all := last.AllApplied(o.root, o.dir)
	i := slices.IndexFunc(all, func(a last.Applied) bool { return len(o.key) >= score.KeyMin && strings.HasPrefix(a.Key, o.key) })
	if i < 0 {
		return fmt.Errorf("the fault %q was not applied here, or was undone", o.key)
	}
	a := all[i]
	name := o.program.Relative(a.File)
	src, err := os.ReadFile(a.File)
	switch {
	case err != nil:
		return err
	case string(src) == a.Before: // the user has undone it
		fmt.Fprintf(o.call.stdout, "%s was already as before the fault %s\n", name, a.Key)
		return a.Remove()
	case string(src) != a.After:
		copied, err := a.Copy()
		if err != nil {
			return err
		}
		return fmt.Errorf("%s has changed since the fault was applied, so nothing was undone, and your changes are kept; "+
			"what was in it before is in %s; compare the two files", name, copied)
	}
	if err := overwrite(a.File, a.Before); err != nil {
		return err
	}
	fmt.Fprintf(o.call.stdout, "%s is as it was before the fault %s\n", name, a.Key)
	return a.Remove()
}

// saveRun keeps the result for commands about one fault. Without it they say that there is none.
func saveRun(p *testbin.Program, r score.Report) {
	dir, err := filepath.Abs(p.Dir)
	data, failed := score.Encode(r, func(file string) string { return file })
	if err != nil || failed != nil || p.Work == "" {
		return
	}
	run := last.Run{Dir: dir, Flags: p.Flags(), Sums: map[string]string{}}
	if run.Score, err = score.Decode(data); err != nil {
		return
	}
	for _, x := range r.Packages {
		for _, f := range x.Faults {
			if run.Sums[f.File] == "" {
				src, _ := os.ReadFile(f.File) // the hash of a file that is gone fits no source
				run.Sums[f.File] = last.Sum(src)
			}
		}
	}
	if err := last.Save(p.Work, run); err != nil {
		fmt.Fprintf(p.Stderr, "allele score: the result cannot be kept for allele score show: %v\n", err)
	}
}
