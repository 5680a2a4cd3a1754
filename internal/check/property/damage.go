//go:build go1.25

package property

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/store/strays"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/words"
)

// damage is what a change of the source has done to the stored cases of a property. Each kind
// of damage is one line, with the command that repairs it, and an error with ALLELE_STRICT=1: a
// regression test that silently stops testing is worse than none.
type damage struct {
	changed []Seed // cases with fields that the type does not have
	moved   []Seed // cases that name another property than their folder does
}

// elsewhere adds a case that names another property. Where file names do not distinguish upper
// and lower case, two properties may share a folder.
func (d *damage) elsewhere(p *Property, file, owner string) {
	if strings.EqualFold(casefile.Stored(owner), filepath.Base(p.Place.Dir)) {
		p.Logf("%s belongs to %s", file, owner)
		return
	}
	d.moved = append(d.moved, Seed{File: file, Owner: owner})
}

// gone adds a case if its type no longer has some of its fields.
func (d *damage) gone(s Seed) {
	if len(s.Gone) > 0 {
		d.changed = append(d.changed, s)
	}
}

// report shows the damage. ok is false if it is an error.
func (d *damage) report(p *Property) (ok bool) {
	p.TB.Helper()
	ok = reportStrays(p)
	var lines []string
	if len(d.moved) > 0 {
		lines = append(lines, d.movedText(p))
	}
	if len(d.changed) > 0 {
		lines = append(lines, goneText(p, d.changed))
	}
	return Warn(p, lines...) && ok
}

// Warn shows lines about stored cases. With ALLELE_STRICT=1 they are errors, and ok is false.
func Warn(p *Property, lines ...string) (ok bool) {
	p.TB.Helper()
	for _, line := range lines {
		if Strict() {
			p.TB.Errorf("allele: %s", line)
		} else {
			note(p, line)
		}
	}
	return len(lines) == 0 || !Strict()
}

func (d *damage) movedText(p *Property) string {
	first := d.moved[0]
	return fmt.Sprintf("%s is not run: its first lines name %s%s; if that is %s now, run: %s",
		first.File, first.Owner, more(len(d.moved)), p.Name, p.Commands().Move(first.Owner, p.Name, p.Place.Tested()))
}

// more returns how many other cases there are.
func more(all int) string {
	if all == 1 {
		return ""
	}
	return fmt.Sprintf(" (and %s more)", words.Group(all-1))
}

// GoneText returns the line for a case with fields that the type does not have.
func GoneText(p *Property, s Seed) string { return goneText(p, []Seed{s}) }

func goneText(p *Property, all []Seed) string {
	first := all[0].Gone[0]
	text := fmt.Sprintf("%s:%s%s, so the case is another input than the one that was stored", all[0].File, first, more(len(all)))
	renamed, removed := renames(all)
	if len(renamed) == 0 {
		return text + "; fix or delete the file"
	}
	rewrite := fmt.Sprintf("%s-run %s %s -allele.rewrite ", p.Commands().GoTest, p.TestPattern(), p.Place.Tested())
	since := fmt.Sprintf("%s is %s now", first.Field, first.Like)
	switch {
	case first.Like == codec.Dissolved:
		since = fmt.Sprintf("the fields of %s are fields of %s now", first.Field, cmp.Or(first.Struct, "the struct around it"))
	case len(first.Maybe) > 0:
		since = fmt.Sprintf("%s is %s now", first.Field, strings.Join(first.Maybe, " or "))
	case first.Like == "":
		return fmt.Sprintf("%s; if it was removed, run: %s%s; if it was renamed: -allele.rewrite %sNEW",
			text, rewrite, strings.Join(renamed, ","), removed[0])
	}
	return fmt.Sprintf("%s; if %s, run: %s%s; if it was removed: -allele.rewrite %s",
		text, since, rewrite, strings.Join(renamed, ","), strings.Join(removed, ","))
}

// renames returns the arguments of -allele.rewrite for what the Gone fields have probably become,
// and for the case that they were removed. If this differs between two types, the arguments name
// the type too.
func renames(all []Seed) (renamed, removed []string) {
	like := map[string]string{}
	differs := map[string]bool{}
	each := func(f func(l codec.Loss, to string)) {
		for _, s := range all {
			for _, l := range s.Gone {
				to := l.Like
				if len(l.Maybe) > 0 {
					to = "NEW"
				}
				if l.Field != "" {
					f(l, to)
				}
			}
		}
	}
	each(func(l codec.Loss, to string) {
		if other, ok := like[l.Field]; ok && other != to {
			differs[l.Field] = true
		}
		like[l.Field] = to
	})
	each(func(l codec.Loss, to string) {
		name := l.Field
		if differs[name] && l.Struct != "" {
			name = l.Struct + "." + name
		}
		if !slices.Contains(removed, name+"=") {
			renamed, removed = append(renamed, name+"="+to), append(removed, name+"=")
		}
	})
	return renamed, removed
}

// looked has the folders of packages whose strays were reported.
var looked sync.Map

// reportStrays shows, once in a test binary, which folders of stored cases no test of the package
// uses. The allele command does this itself.
func reportStrays(p *Property) (ok bool) {
	p.TB.Helper()
	if _, done := looked.LoadOrStore(Home, true); done || p.Job.Mode != job.Plain {
		return true
	}
	var lines []string
	for _, s := range strays.Find(Home) {
		lines = append(lines, s.Text(p.Commands(), "", p.Place.Tested()))
	}
	return Warn(p, lines...)
}

// Idle is a stored case that an assumption discards, so that it checks nothing.
type Idle struct{ File, By string }

// Explain returns the outcome of the seed. If a text in it is refused, the outcome says so.
func (x *Seed) Explain(o Outcome) Outcome {
	if o.Verdict == engine.Discarded {
		o.Rejected.By = cmp.Or(x.Prop.World.Refusal(x.Term), o.Rejected.By)
	}
	return o
}

// IdleText returns the line for such cases.
func IdleText(all []Idle) string {
	place, assumption, _ := strings.Cut(all[0].By, "   ")
	if assumption != "" {
		place += ", " + assumption
	}
	return fmt.Sprintf("%s checks nothing: it was discarded by %s%s; if its input is not valid any more, delete the file",
		all[0].File, place, more(len(all)))
}
