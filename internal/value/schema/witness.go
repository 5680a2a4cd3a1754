//go:build go1.25

package schema

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// witness returns a short text that matches the expression, if there is one. It is for
// expressions with conditions, such as a\b, for which no derivation shows that there is
// a text. It searches the program of the expression, breadth first. Where a condition
// depends on the next character, it assumes one of four kinds, and only characters of
// this kind may follow.
func (m *Match) witness() (text string, ok bool) {
	prog, err := syntax.Compile(m.re.Simplify())
	if err != nil {
		return "", false
	}
	w := witnesser{prog: prog, seen: map[witnessState]bool{}}
	w.push(step{witnessState: witnessState{pc: prog.Start, prev: noRune, next: anyRune}, from: -1, r: noRune})
	for i := 0; i < len(w.steps) && i < witnessMax; i++ {
		if w.expand(i) {
			return w.text(i), true
		}
	}
	return "", false
}

// witnessMax is the maximal number of states that are searched.
const witnessMax = 1 << 20

// A text begins and ends with noRune. anyRune means that nothing is assumed.
const (
	noRune  rune = -1
	anyRune rune = -2
)

// kinds has one character of each kind that conditions distinguish.
var kinds = [...]rune{noRune, '\n', 'a', ' '}

func kindOf(r rune) rune {
	switch {
	case r == '\n' || r == noRune:
		return r
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

type witnessState struct {
	pc         int
	prev, next rune // kinds of the last character, and of the next one
}

// step is a state, and how it was reached.
type step struct {
	witnessState
	from int  // index of the state before, -1 for the first
	r    rune // the character between them, or noRune
}

type witnesser struct {
	prog  *syntax.Prog
	seen  map[witnessState]bool
	steps []step
}

func (w *witnesser) push(s step) {
	if !w.seen[s.witnessState] {
		w.seen[s.witnessState] = true
		w.steps = append(w.steps, s)
	}
}

// expand adds the states that follow a state. It reports whether the state is the end
// of a match.
func (w *witnesser) expand(i int) bool {
	s := w.steps[i]
	in := &w.prog.Inst[s.pc]
	to := func(pc uint32, next rune) {
		w.push(step{witnessState{int(pc), s.prev, next}, i, noRune})
	}
	switch in.Op {
	case syntax.InstMatch:
		return s.next == anyRune || s.next == noRune
	case syntax.InstAlt, syntax.InstAltMatch:
		to(in.Out, s.next)
		to(in.Arg, s.next)
	case syntax.InstCapture, syntax.InstNop:
		to(in.Out, s.next)
	case syntax.InstEmptyWidth:
		for _, next := range kinds {
			holds := syntax.EmptyOpContext(s.prev, next)&syntax.EmptyOp(in.Arg) == syntax.EmptyOp(in.Arg)
			if holds && (s.next == anyRune || s.next == next) {
				to(in.Out, next)
			}
		}
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		for _, r := range members(in) {
			if s.next == anyRune || s.next == kindOf(r) {
				w.push(step{witnessState{int(in.Out), kindOf(r), anyRune}, i, r})
			}
		}
	}
	return false
}

// members returns a character of each kind that an instruction matches.
func members(in *syntax.Inst) (found []rune) {
	add := func(r rune) {
		if utf8.ValidRune(r) && in.MatchRune(r) && !slices.ContainsFunc(found, func(f rune) bool { return kindOf(f) == kindOf(r) }) {
			found = append(found, r)
		}
	}
	for i := 0; i < len(preferred); i += 2 {
		for r := preferred[i]; r <= preferred[i+1]; r++ {
			add(r)
		}
	}
	for i, r := range in.Rune {
		add(r)
		if i%2 == 0 && surrogateLo <= r && r <= surrogateHi {
			add(surrogateHi + 1)
		}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			add(f)
		}
	}
	return found
}

func (w *witnesser) text(i int) string {
	var text []rune
	for ; i >= 0; i = w.steps[i].from {
		if r := w.steps[i].r; r != noRune {
			text = append(text, r)
		}
	}
	slices.Reverse(text)
	return string(text)
}
