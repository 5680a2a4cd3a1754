package decoders

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// figures has a value for each trial of a group.
type figures struct {
	runs, cpu, accepted, statements, paths []float64
	early                                  []float64 // statements after as many runs as the paper's list has
	other                                  []float64
}

func (s *study) figures(t target, a arm, base int) (f figures) {
	early := s.listed(t, base)
	for _, o := range s.outcomes[group(t.name, a, base)] {
		f.runs, f.cpu = append(f.runs, float64(o.Runs)), append(f.cpu, o.CPU)
		f.accepted = append(f.accepted, float64(o.Accepted)/float64(max(1, o.Distinct)))
		f.statements = append(f.statements, float64(at(o.Statements, o.Runs)))
		f.paths = append(f.paths, float64(at(o.Paths, o.Runs)))
		f.early = append(f.early, float64(at(o.Statements, early)))
		f.other = append(f.other, float64(o.Other))
	}
	return f
}

// listed returns how many inputs the paper's list of faults makes.
func (s *study) listed(t target, base int) int {
	for _, o := range s.outcomes[group(t.name, paper, base)] {
		return o.Runs
	}
	return 0
}

// report makes a row for each target, value and arm, the summary and the plot.
func (s *study) report(res *lab.Result) {
	for _, t := range s.targets {
		for value := range 2 {
			for _, a := range arms {
				if f := s.figures(t, a, value); len(f.runs) > 0 {
					res.Rows = append(res.Rows, s.row(t, value, a, f))
				}
			}
		}
		s.reuse(res, t)
	}
	s.summarise(res)
	res.Plot = s.plot()
}

// over returns the statements that are not reached by the encoded value.
func over(statements, base []float64) float64 {
	if len(statements) == 0 || len(base) == 0 {
		return math.NaN()
	}
	return lab.Median(statements) - lab.Median(base)
}

func (s *study) row(t target, value int, a arm, f figures) lab.Row {
	zero, blind := s.figures(t, base, value), s.figures(t, bytes, value)
	gain, blindGain := over(f.statements, zero.statements), over(blind.statements, zero.statements)
	early, blindEarly := over(f.early, zero.early), over(blind.early, zero.early)
	row := lab.Row{lab.Col("value", value+1), lab.Col("target", t.name), lab.Col("arm", string(a)), lab.Col("n", len(f.runs)),
		lab.Col("runs", lab.Median(f.runs)), lab.Col("cpu s", lab.Median(f.cpu)), lab.Col("accepted", lab.Median(f.accepted)),
		lab.Col("paths", lab.Median(f.paths)), lab.Col("statements", lab.Median(f.statements)), lab.Col("gain", number(gain)),
		lab.Col("increase %", number(100*gain/lab.Median(zero.statements))), lab.Col("to bytes", number(gain/blindGain)),
		lab.Col("gain early", number(early)), lab.Col("to bytes early", number(early/blindEarly))}
	for _, other := range []arm{guided, native} {
		if g := s.figures(t, other, value); a != other && len(g.runs) > 0 {
			row = append(row, lab.Col("a12 "+string(other), lab.A12(f.statements, g.statements)))
		}
	}
	return row
}

// number returns a value for a table; it is empty if there is none.
func number(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return x
}

// reuse says what the same inputs reach in another decoder of the format.
func (s *study) reuse(res *lab.Result, t target) {
	if len(t.other) == 0 {
		return
	}
	text := ""
	zero := s.figures(t, base, 0)
	for _, a := range arms {
		if f := s.figures(t, a, 0); len(f.other) > 0 && len(zero.other) > 0 {
			text += fmt.Sprintf(", %s %.0f", a, over(f.other, zero.other))
		}
	}
	if text != "" {
		res.Summary["statements beyond the encoded value in "+t.other[0]] = text[2:]
	}
}

// summarise counts the formats in which the search over three levels is better.
func (s *study) summarise(res *lab.Result) {
	var ratios, early []float64
	wins, against := 0, 0
	most, least := "", ""
	for _, t := range s.targets {
		zero, blind, ours := s.figures(t, base, 0), s.figures(t, bytes, 0), s.figures(t, levels, 0)
		if len(zero.runs)*len(blind.runs)*len(ours.runs) == 0 {
			continue
		}
		r := over(ours.statements, zero.statements) / max(1, over(blind.statements, zero.statements))
		if len(ratios) == 0 || r > slices.Max(ratios) {
			most = fmt.Sprintf("%.2f (%s)", r, t.name)
		}
		if len(ratios) == 0 || r < slices.Min(ratios) {
			least = fmt.Sprintf("%.2f (%s)", r, t.name)
		}
		ratios = append(ratios, r)
		early = append(early, over(ours.early, zero.early)/max(1, over(blind.early, zero.early)))
		if g := s.figures(t, guided, 0); len(g.runs) > 0 {
			against++
			if lab.A12(ours.statements, g.statements) >= 0.4 {
				wins++
			}
		}
	}
	if len(ratios) == 0 {
		return
	}
	res.Summary["gain of three levels to that of blind bytes, equal CPU time"] =
		fmt.Sprintf("geometric mean %.2f, least %s, most %s", lab.Geomean(ratios), least, most)
	res.Summary["the same after as many runs as the paper's list has"] = fmt.Sprintf("geometric mean %.2f", lab.Geomean(early))
	res.Summary["formats with A12 of at least 0.4 against guided bytes"] = fmt.Sprintf("%d of %d", wins, against)
}

// The plot begins at plotFirst, and each unit of its axis doubles the time.
const plotFirst = 32 * time.Millisecond

// plot draws what the arms have reached after which time.
func (s *study) plot() []byte {
	l := lab.Lines{Title: "What inputs reach in a decoder beyond the encoded value: statements, median",
		Axis: "CPU time: 32 ms, doubled so many times"}
	end := math.Log2(float64(s.BudgetOr(budget)) / float64(plotFirst))
	for _, t := range s.targets {
		p := lab.Panel{Name: t.name}
		zero := s.figures(t, base, 0)
		for _, a := range arms[1:] {
			line := lab.Line{Name: string(a)}
			all := s.outcomes[group(t.name, a, 0)]
			for x := 0.0; len(all) > 0 && len(zero.runs) > 0 && x <= end+0.24; x += 0.25 {
				var values []float64
				for _, o := range all {
					cpu := time.Duration(float64(plotFirst) * math.Exp2(x))
					values = append(values, max(0, float64(at(o.Statements, o.runsAt(cpu)))-lab.Median(zero.statements)))
				}
				line.At, line.To = append(line.At, x), append(line.To, lab.Median(values))
			}
			if len(line.At) > 0 {
				p.Of = append(p.Of, line)
			}
		}
		l.Panels = append(l.Panels, p)
	}
	return l.SVG()
}

// check returns an error if an arm of a quick run has made nothing.
func (s *study) check() (err error) {
	if !s.Quick {
		return nil
	}
	for _, t := range s.targets {
		zero := s.figures(t, base, 0)
		for _, a := range []arm{bytes, paper, levels} {
			if f := s.figures(t, a, 0); len(f.runs) == 0 || !(over(f.statements, zero.statements) > 0) || lab.Median(f.runs) < 10 {
				err = errors.Join(err, fmt.Errorf("%s: %s reaches no more than the encoded value: %+v", t.name, a, f))
			}
		}
	}
	return err
}
