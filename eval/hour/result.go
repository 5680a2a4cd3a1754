package hour

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

const (
	samplesMax = 240 // samples in the result; a plot cannot show more
	// growthMax bounds the memory in the last third of the second half, relative to the
	// middle third. Some growth is normal, because the corpus in memory changes and
	// garbage is collected late.
	growthMax = 1.15
	// flatLeast is the minimal length of a half in which growth is checked. In a shorter
	// half, searches still find many new paths, and some searches have not had their
	// second turn.
	flatLeast = 10 * time.Minute
)

// period is a part of the campaign's time.
type period struct {
	name string
	of   []sample
}

// periods returns the first half and the thirds of the second half.
func (c *campaign) periods() []period {
	first, second := c.samples[0], c.samples[1]
	a, b := len(second)/3, 2*len(second)/3
	return []period{
		{"first half", first}, {"second half, first third", second[:a]},
		{"middle third", second[a:b]}, {"last third", second[b:]},
	}
}

func mean(of []sample, what func(sample) float64) float64 {
	sum := 0.0
	for _, s := range of {
		sum += what(s)
	}
	return sum / float64(max(1, len(of)))
}

func most(of []sample, what func(sample) float64) (v float64) {
	for _, s := range of {
		v = max(v, what(s))
	}
	return v
}

func processes(s sample) float64 { return float64(s.processes) }
func command(s sample) float64   { return s.command }
func all(s sample) float64       { return s.all }
func once(s sample) float64      { return s.once }
func largest(s sample) float64   { return s.largest }

func (p period) row() lab.Row {
	last := sample{}
	if len(p.of) > 0 {
		last = p.of[len(p.of)-1]
	}
	return lab.Row{lab.Col("time", p.name), lab.Col("samples", len(p.of)),
		lab.Col("processes", round(mean(p.of, processes))), lab.Col("most processes", int(most(p.of, processes))),
		lab.Col("the command MB", round(mean(p.of, command))),
		lab.Col("all MB", round(mean(p.of, all))), lab.Col("all at most MB", round(most(p.of, all))),
		lab.Col("shared pages once MB", round(mean(p.of, once))), lab.Col("largest process MB", round(most(p.of, largest))),
		lab.Col("kept on disk MB", round(last.kept))}
}

func round(v float64) float64 { return math.Round(10*v) / 10 }

// growth returns the mean of a figure in the last third, divided by its mean in the
// middle third.
func growth(ps []period, what func(sample) float64) float64 {
	n := len(ps)
	return math.Round(1000*mean(ps[n-1].of, what)/max(1, mean(ps[n-2].of, what))) / 1000
}

// result checks the measurements and returns the figures, even if there are problems.
func (c *campaign) result() (*lab.Result, error) {
	ps := c.periods()
	res := &lab.Result{Plot: c.plot()}
	for _, p := range ps {
		res.Rows = append(res.Rows, p.row())
	}
	for _, s := range c.thinned() {
		res.Samples = append(res.Samples, lab.Row{lab.Col("s", round(s.at)), lab.Col("processes", s.processes),
			lab.Col("command MB", round(s.command)), lab.Col("all MB", round(s.all)), lab.Col("once MB", round(s.once)),
			lab.Col("largest MB", round(s.largest)), lab.Col("kept MB", round(s.kept)), lab.Col("cache MB", round(s.cache))})
	}
	resumed, problems := c.log.resumed(c.firstKept, c.budget/2 < flatLeast)
	c.problems = append(c.problems, problems...)
	lost := c.firstKept.lost(c.kept, c.log.finished)
	if lost > 0 {
		c.problem("%d of %d saved inputs are lost", lost, c.firstKept.count())
	}
	ofAll, ofCommand := growth(ps, all), growth(ps, command)
	if c.budget/2 >= flatLeast && max(ofAll, ofCommand) > growthMax {
		c.problem("memory grows: the last third of the second half has %.3f times that of the middle one, "+
			"the command %.3f times; at most %v", ofAll, ofCommand, growthMax)
	}
	res.Summary = map[string]any{
		"memory": fmt.Sprintf("the last third of the second half has %v times what the middle third has; the command alone %v times",
			ofAll, ofCommand),
		"kill": fmt.Sprintf("all processes were gone %d ms after the command; %d temporary files were left for the next one to remove",
			c.goneAfter.Milliseconds(), c.leftFiles),
		"going on": fmt.Sprintf("%d inputs were kept by then; the second half went on with %d, lost %d and had %d in the end",
			c.firstKept.count(), resumed, lost, c.kept.count()),
		"campaign": fmt.Sprintf("%d properties, %v, %d processes at a time; %d runs in the second half; %d processes died",
			len(c.log.finished), c.budget, c.log.whole.Workers, c.log.whole.Runs, c.log.died),
		"left": "no process and no temporary file",
	}
	if len(c.problems) > 0 {
		res.Summary["left"] = fmt.Sprintf("%d problems", len(c.problems))
		return res, fmt.Errorf("%d problems:\n%s", len(c.problems), strings.Join(c.problems, "\n"))
	}
	return res, nil
}

// thinned returns at most samplesMax samples, evenly spaced.
func (c *campaign) thinned() (some []sample) {
	whole := slices.Concat(c.samples[0], c.samples[1])
	step := (len(whole) + samplesMax - 1) / samplesMax
	for i := 0; i < len(whole); i += step {
		some = append(some, whole[i])
	}
	return some
}

// plot draws memory and processes over time.
func (c *campaign) plot() []byte {
	line := func(name string, what func(sample) float64) lab.Line {
		l := lab.Line{Name: name}
		second := false
		for _, s := range c.thinned() {
			if !second && len(c.samples[1]) > 0 && s.at >= c.samples[1][0].at { // leave a gap in the line between the two commands
				second = true
				l.At, l.To = append(l.At, s.at/60), append(l.To, math.NaN())
			}
			l.At, l.To = append(l.At, s.at/60), append(l.To, what(s))
		}
		return l
	}
	l := lab.Lines{Title: "A campaign that is killed once, and goes on", Axis: "minutes",
		Panels: []lab.Panel{
			{Name: "memory of all processes, MB", Of: []lab.Line{line("resident, summed up", all), line("shared pages once", once)}},
			{Name: "memory of the command, MB", Of: []lab.Line{line("the command", command)}},
			{Name: "processes", Of: []lab.Line{line("with the command", processes)}},
		},
		Moments: []lab.Moment{{Name: "killed", At: c.budget.Minutes() / 2}}}
	return l.SVG()
}
