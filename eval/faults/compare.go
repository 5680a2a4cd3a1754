package faults

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Gremlins compares allele score with gremlins.
var Gremlins = lab.Experiment{
	Name: "gremlins",
	Doc:  "faults judged per CPU-second by allele score and by gremlins, and every verdict compared",
	Run:  compare,
}

// rivals are the modules that both tools judge.
var rivals = []subject{
	{Module: foreign.At("github.com/hashicorp/go-version", "v1.9.0"), quick: true},
	{Module: foreign.At("github.com/valyala/fastjson", "v1.6.10")},
	{Module: foreign.At("github.com/Masterminds/semver/v3", "v3.5.0")},
	{Module: foreign.At("github.com/gorilla/mux", "v1.8.1")},
	{Module: foreign.At("github.com/google/uuid", "v1.6.0")},
	{Module: foreign.At("github.com/spf13/cast", "v1.7.1")},
}

// times is how often our tool judges each module: before gremlins, after it, and at the end.
const times = 3

// The ratios that we aim at.
const (
	perFaultWanted = 100
	endToEndWanted = 20
)

func compare(cfg lab.Config) (*lab.Result, error) {
	list, b, err := begin(cfg, rivals)
	if err != nil {
		return nil, err
	}
	defer b.close()
	all := make([]contest, len(list))
	rounds := times
	if cfg.Quick {
		rounds = 1
	}
	var errs []error
	for round := range rounds {
		for i, s := range list {
			all[i].subject = s
			if err := b.round(&all[i], round); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", s.Module, err))
			}
		}
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{
		"gremlins": fmt.Sprintf("%s, --workers 1 --timeout-coefficient %d", gremlinsVersion, gremlinsCoefficient)}}
	for i := range all {
		if err := b.crossCheck(&all[i]); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", all[i].Module, err))
		}
	}
	return res, errors.Join(append(errs, report(res, all, cfg.Quick))...)
}

// begin returns the subjects of a run, and where they are judged.
func begin(cfg lab.Config, all []subject) (list []subject, b *bench, err error) {
	if list, err = chosen(cfg, all); err == nil {
		b, err = open(cfg)
	}
	return list, b, err
}

// chosen returns the subjects of a run: those of the quick tier, or those that -only matches.
func chosen(cfg lab.Config, all []subject) ([]subject, error) {
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(all), func(s subject) bool {
		return cfg.Quick && !s.quick || !only(s.Path)
	})
	if len(list) == 0 {
		return nil, errors.New("-only matches no module")
	}
	return list, nil
}

// contest has the outcomes of one module.
type contest struct {
	subject
	hunt          hunt
	scores        []score
	plain         []float64 // CPU seconds of go test, beside each score
	pairs         []pair
	unmatched     map[string]int
	disagreements []disagreement
}

// round scores the module. In the first round gremlins follows. A quick run compares no more than
// our side, because gremlins takes minutes.
func (b *bench) round(c *contest, round int) error {
	src, err := b.copied(c.subject)
	if err != nil {
		return err
	}
	plain, err := plainTest(src, foreign.UserCache, c.patterns())
	if err != nil {
		return err
	}
	s, err := b.scored("score", c.subject, src, fmt.Sprint(round))
	if err == nil {
		b.Logf("%s: %d faults, %d judged, score %.3f, %.1f s of CPU time, %.1f s without building",
			c.Module, len(s.Faults), s.judged(), s.share(true), s.CPU, s.Warm)
		for _, line := range s.Differ {
			err = errors.Join(err, fmt.Errorf("judged again: %s", line))
		}
		c.scores, c.plain = append(c.scores, s), append(c.plain, plain)
	}
	if round > 0 || b.Quick {
		return err
	}
	var hunted error
	c.hunt, hunted = b.hunt(c.subject)
	return errors.Join(err, hunted)
}

// crossCheck compares the verdicts of a module, and runs the changed program of every disagreement.
func (b *bench) crossCheck(c *contest) error {
	if len(c.scores) == 0 || len(c.hunt.Changed) == 0 {
		return nil
	}
	src := filepath.Join(b.dir, "src", c.file())
	ops, err := scan(src)
	if err != nil {
		return err
	}
	c.pairs, c.unmatched = pairs(ops, c.hunt, c.scores[0])
	for _, p := range c.pairs {
		if p.agree() || !p.decided() {
			continue
		}
		d := disagreement{Module: c.Path, Place: p.String(), Change: brief(p.ours.From) + " => " + brief(p.ours.To),
			Gremlins: p.Status, Ours: strings.TrimSpace(p.ours.Verdict + " " + p.ours.By)}
		b.Logf("%s: gremlins %s, ours %s", d.Place, d.Gremlins, d.Ours)
		if d.Program, err = judge(src, foreign.UserCache, ops, p.gremlin); err != nil {
			return err
		}
		d.Cause = d.cause()
		c.disagreements = append(c.disagreements, d)
	}
	return nil
}

// scored scores a module, or returns what an earlier run of the same command has kept.
func (b *bench) scored(kind string, s subject, src string, more ...string) (o score, err error) {
	version, err := foreign.Checksum(b.command())
	if err != nil {
		return o, err
	}
	part := b.part(kind, s, append(more, version)...)
	if o, known := lab.Recall[score](part); known && !b.Quick {
		return o, nil
	}
	if o, err = b.score(src, s.patterns(), s.flags...); err != nil || b.Quick {
		return o, err
	}
	return o, lab.Keep(part, o)
}

// report makes a row for each module and a sample for each disagreement, and the summary.
func report(res *lab.Result, all []contest, quick bool) (err error) {
	matched, agreed := 0, 0
	var perFault, endToEnd []float64
	for _, c := range all {
		if len(c.scores) == 0 {
			continue
		}
		row := c.row()
		res.Rows = append(res.Rows, row)
		for _, p := range c.pairs {
			if p.decided() {
				matched++
				if p.agree() {
					agreed++
				}
			}
		}
		for _, d := range c.disagreements {
			res.Samples = append(res.Samples, lab.Row{lab.Col("module", d.Module), lab.Col("place", d.Place), lab.Col("change", d.Change),
				lab.Col("gremlins", d.Gremlins), lab.Col("ours", d.Ours), lab.Col("changed program", d.Program), lab.Col("cause", d.Cause)})
			if d.Cause == "" {
				err = errors.Join(err, fmt.Errorf("%s %s: gremlins %s, ours %s, and no cause is known",
					d.Module, d.Place, d.Gremlins, d.Ours))
			}
		}
		if len(c.hunt.Changed) > 0 {
			perFault, endToEnd = append(perFault, row.Get("per fault").(float64)), append(endToEnd, row.Get("end to end").(float64))
		}
	}
	res.Summary["matched"], res.Summary["agree"] = matched, agreed
	if len(perFault) == 0 || quick {
		return err
	}
	res.Summary["least per fault"], res.Summary["least end to end"] = slices.Min(perFault), slices.Min(endToEnd)
	res.Summary["wanted per fault"], res.Summary["wanted end to end"] = perFaultWanted, endToEndWanted
	return err
}

// row compares the speed on one module. The CPU time of our side is the median of its scores.
func (c contest) row() lab.Row {
	var cpu, judging []float64
	for _, s := range c.scores {
		cpu, judging = append(cpu, s.CPU), append(judging, s.Warm)
	}
	s := c.scores[0]
	n := float64(s.judged())
	row := lab.Row{lab.Col("module", c.Module.String()), lab.Col("faults", len(s.Faults)), lab.Col("judged", s.judged()),
		lab.Col("cpu s", lab.Median(cpu)), lab.Col("cpu s without build", lab.Median(judging)),
		lab.Col("judged/cpu s", n/lab.Median(judging))}
	h := c.hunt
	if len(h.Changed) == 0 {
		return row
	}
	rate := float64(h.judged()) / h.CPU
	return append(row, lab.Col("gremlins", len(h.Changed)), lab.Col("gremlins judged", h.judged()), lab.Col("gremlins cpu s", h.CPU),
		lab.Col("gremlins judged/cpu s", rate),
		lab.Col("per fault", n/lab.Median(judging)/rate), lab.Col("end to end", n/lab.Median(cpu)/rate),
		lab.Col("go test then", h.Plain), lab.Col("go test now", lab.Median(c.plain)),
		lab.Col("matched", len(c.pairs)), lab.Col("disagree", len(c.disagreements)), lab.Col("unmatched", texts(c.unmatched)))
}

// texts shows counts, the largest first.
func texts(counts map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var all []string
	for _, k := range keys {
		all = append(all, fmt.Sprintf("%d %s", counts[k], k))
	}
	return strings.Join(all, ", ")
}
