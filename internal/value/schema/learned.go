//go:build go1.25

package schema

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/value/attempt"
)

// learnedFuncs are the results of learned by builder.
var learnedFuncs sync.Map // *Func to []*Func

// learned returns the builders to use for a function that was found in the source. If it has one
// argument, a string, and refuses most texts, it parses them. Then it is called with texts of the
// common forms that it accepts, and a hidden builder is for stored cases with other texts.
func (m *Func) learned() []*Func {
	if ms, ok := learnedFuncs.Load(m); ok {
		return ms.([]*Func)
	}
	ms, _ := learnedFuncs.LoadOrStore(m, learn(m))
	return ms.([]*Func)
}

func learn(m *Func) []*Func {
	if m.origin.source == askedSource || !Is[Call](m) || len(m.Args) != 1 || m.Args[0].Type != stringType || m.Args[0].Decls != nil {
		return []*Func{m}
	}
	if ms := attempt.Call(m.Result, m.Name, func() []*Func { return parsers(m) }); ms != nil {
		return ms
	}
	return []*Func{m}
}

// parsers returns the builders of a function that refuses most texts, or nil.
func parsers(m *Func) []*Func {
	refuses := func(text string) bool {
		_, ok := m.Call(values(text))
		return !ok
	}
	if len(slices.DeleteFunc(slices.Clone(anyForm.probes), refuses)) > len(anyForm.probes)/2 {
		return nil
	}
	seen := map[string]bool{}
	var exprs []string
	for _, f := range commonForms {
		if slices.ContainsFunc(f.probes, refuses) {
			continue
		}
		exprs = append(exprs, f.expr)
		for _, text := range f.probes {
			v, _ := m.Call(values(text))
			seen[fmt.Sprintf("%+v", v)] = true
		}
	}
	if len(seen) < 3 {
		return nil
	}
	made, other := *m, *m
	made.Args = []Arg{{Type: stringType, Decls: []Decl{matchOf(strings.Join(exprs, "|"))}}}
	made.Form, made.origin.first = Parser{}, m.first()
	other.Args = []Arg{{Type: stringType}}
	other.hidden, other.origin.first = true, m.first()
	other.Template = strings.Replace(m.Template, "(_0)", "((_0))", 1) // two builders need different templates
	return []*Func{&other, &made}
}

// hiddenFirst returns the builders with the hidden ones first, as First requires.
func hiddenFirst(ms []*Func) []*Func {
	ms = slices.Clone(ms)
	slices.SortStableFunc(ms, func(a, b *Func) int {
		switch {
		case a.hidden == b.hidden:
			return 0
		case a.hidden:
			return -1
		}
		return 1
	})
	return ms
}
