//go:build go1.25

package verdict

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
)

// columns is the width of a report.
const columns = 80

// situation is what is known about a vacuous Check when its report is written. It decides
// which advice the report gives.
type situation struct {
	hollow   []property.Hollow // interfaces of the user without variants
	still    bool              // the input cannot vary
	none     bool              // nothing passed
	trivial  bool              // only trivial inputs passed
	strict   bool              // more inputs were discarded than passed, so larger inputs would not help
	traced   bool              // the command ran the search, with probes
	timed    bool              // the command has searched for a time limit
	outdated bool              // most of the saved cases are discarded now
	built    bool              // the input contains values that builders make, which an Example cannot contain
	builder  string            // the builder that refused nearly all inputs, if one did
	stopper  string            // the place of the assumption that discarded nearly all inputs, if one did, or byKnown

	command string // allele test for this property, without -for and -save
	pkg     string
	dir     string // folder of the cases
	size    int

	allow *idea // for an operation that was never allowed
}

// byKnown stands for known bugs, which most of the discarded runs were about.
const byKnown = "known"

// idea is one thing to try: a sentence, and a command or option to copy.
type idea struct{ say, do string }

// advice returns the end of the report of a vacuous Check: two things to try, and how to
// accept it. A search by the command comes first if there has been none. After a search
// without success the same advice would be useless, so there is another idea.
func (s situation) advice() string {
	ideas := s.ideas()
	var b strings.Builder
	const first = "This test has checked almost nothing."
	space := " "
	if line, _, _ := strings.Cut(ideas[0].say, "\n"); len(first)+1+len(line) >= columns {
		space = "\n"
	}
	fmt.Fprintf(&b, "%s%s%s:\n    %s\n", first, space, capital(ideas[0].say), ideas[0].do)
	for _, i := range ideas[1:] {
		fmt.Fprintf(&b, "or %s:\n    %s\n", i.say, i.do)
	}
	b.WriteString("or accept a vacuous test: add allele.AllowVacuous()")
	return b.String()
}

func (s situation) ideas() []idea {
	search := idea{"search for inputs that pass, and save them", s.command + " -for 1m -save " + s.pkg}
	larger := fmt.Sprintf("allele.Size(%d)", 5*s.size)
	switch {
	case len(s.hollow) > 0:
		return s.declareVariants()
	case s.allow != nil:
		return []idea{*s.allow}
	case s.still: // no search can help
		return []idea{builderIdea}
	case s.outdated:
		return []idea{{"the saved inputs no longer pass. Delete them, and search again",
			"rm " + s.dir + "/keep-*.case && " + search.do}, s.start()}
	case s.stopper == byKnown:
		return []idea{{"call t.Known for fewer inputs, or fix the bug", "go doc github.com/allele-go/allele.T.Known"}, search}
	case s.builder != "":
		return []idea{{"nearly all arguments were refused by " + s.builder + ".\n" +
			"Declare a function whose arguments are all valid, and that calls it", "go doc github.com/allele-go/allele.Builder"}, search}
	case !s.none && !s.trivial && s.traced:
		return []idea{{"save the inputs that pass", search.do}, builderIdea}
	case s.timed && s.trivial && !s.strict:
		return []idea{{"the search found only trivial inputs that pass. Generate larger inputs", larger},
			s.start(), builderIdea}
	case s.timed:
		return []idea{s.start(), builderIdea}
	case s.traced:
		search.say = "search longer for inputs that pass"
		return []idea{search, s.start()}
	case s.trivial && !s.strict:
		return []idea{search, {"generate larger inputs", larger}}
	}
	return []idea{search, builderIdea}
}

// declareVariants returns the ideas for interfaces without variants: options with the types
// in sight that implement them, and with nil. A search would change nothing. Nor would allele
// facts: it finds no other types.
func (s situation) declareVariants() []idea {
	var variants, nils []string
	for _, h := range s.hollow {
		if h.Type != "" {
			nils = append(nils, h.Nil())
		}
		if h.Option != "" {
			variants = append(variants, h.Option)
		}
	}
	if nils == nil { // the property's package cannot name the interfaces
		return []idea{builderIdea}
	}
	declare := idea{"declare types that implement the interface", "go doc github.com/allele-go/allele.Variants"}
	if variants != nil {
		declare = idea{"declare the types that implement the interface", strings.Join(variants, ",\n    ")}
	}
	return []idea{declare, {"declare that nil is intended", strings.Join(nils, ",\n    ")}}
}

var builderIdea = idea{"declare functions that build such inputs, with allele.Builder", "go doc github.com/allele-go/allele.Builder"}

// start returns the idea to give the search an input to start from.
func (s situation) start() idea {
	say := "give the search an input that passes"
	if s.stopper != "" {
		say += " " + s.stopper
	}
	if s.built {
		return idea{say + ", in a case file", s.dir + "/first.case"}
	}
	return idea{say + ", with allele.Example", "go doc github.com/allele-go/allele.Example"}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// nearlyAll is the share of the discarded inputs that one assumption must have discarded to
// be named in the advice: all but one in nearlyAll.
const nearlyAll = 10

// situation describes a vacuous Check.
func (c Check) situation() situation {
	p, n := c.Prop, c.Engine.Counts
	s := situation{
		hollow:   property.Hollows(p),
		still:    p.World.Still() != "",
		none:     n.Passed == 0,
		trivial:  n.Passed > 0 && !c.worthSaving(),
		strict:   n.Discarded > n.Passed,
		traced:   p.Traced,
		timed:    p.Traced && p.Config.Runs == 0,
		outdated: c.Tally.saved.discarded > c.Tally.saved.passed,
		built:    property.DeclaresBuilders(p),
		command:  p.Commands().Test + "-run " + p.Pattern(),
		pkg:      p.Place.Tested(),
		dir:      filepath.ToSlash(p.Place.Dir),
		size:     p.Config.Size,
		allow:    c.allow(),
	}
	known := 0
	for _, n := range c.Tally.known {
		known += n
	}
	if 2*known > n.Discarded {
		s.stopper = byKnown
	} else if r, ok := c.Tally.main(p); ok {
		if text, isBuilder := strings.CutSuffix(r, " refused its arguments"); isBuilder {
			s.builder = text
		} else {
			s.stopper, _, _ = strings.Cut(text, " ")
		}
	}
	return s
}

// main returns what discarded nearly all of the discarded inputs, if one thing did.
func (t *Tally) main(p *property.Property) (text string, ok bool) {
	counts, total := t.counts(p)
	for c, n := range counts {
		if (total-n)*nearlyAll < total {
			return c.text, true
		}
	}
	return "", false
}
