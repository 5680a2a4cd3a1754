package refactorings

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// bugText is in the report of the bug.
const bugText = "unlucky"

// report is what a command printed.
type report struct {
	dir    string
	text   string
	failed bool
}

// shows reports whether the bug was found.
func (r report) shows() bool { return r.failed && strings.Contains(r.text, bugText) }

// lines returns what is said about stored cases, apart from the report of the bug.
func (r report) lines() (all []string) {
	for s := range strings.Lines(r.text) {
		if s = strings.TrimSpace(s); strings.Contains(s, "testdata/allele") && !inReport.MatchString(s) {
			all = append(all, s)
		}
	}
	return all
}

// inReport are the lines of the report of a failure that name case files.
var inReport = regexp.MustCompile(`^(from|saved|replay|as test|allele\.ReplayFile)\b`)

// String is how a report is shown in the table.
func (r report) String() string {
	lines := len(r.lines()) > 0
	switch {
	case r.shows() && lines:
		return "fails, line"
	case r.shows():
		return "fails"
	case r.failed && lines:
		return "error"
	case lines:
		return "line"
	}
	return "nothing"
}

// look is what happened after a change.
type look struct {
	plain        []report // go test in each folder
	strict       bool     // go test ./... fails with ALLELE_STRICT=1
	allele       *report  // allele test ./..., nil if it was not run
	alleleStrict bool
}

// goTest combines the reports of go test in all folders.
func (l look) goTest() (all report) {
	for _, r := range l.plain {
		all.text += r.text
		all.failed = all.failed || r.failed
	}
	return all
}

// reports returns all reports that a user may see.
func (l look) reports() []report {
	if l.allele == nil {
		return l.plain
	}
	return append(slices.Clip(l.plain), *l.allele)
}

func (l look) shows() bool { return slices.ContainsFunc(l.reports(), report.shows) }

func (l look) lines() (all []string) {
	for _, r := range l.reports() {
		all = append(all, r.lines()...)
	}
	return all
}

// Classes of outcomes.
const (
	stillFails = "still fails"
	line       = "line"
	silent     = "silent"
)

// outcome is what became of a stored case.
type outcome struct {
	first look
	guess string // how the commands were found that lines suggest: see follow
	last  look   // after the commands
	ended bool   // a line leaves the rest to the user
}

func (o outcome) class() string {
	switch {
	case o.first.shows():
		return stillFails
	case len(o.first.lines()) > 0:
		return line
	}
	return silent
}

func color(red bool) string {
	if red {
		return "red"
	}
	return "green"
}

// row returns the row of the table.
func (o outcome) row(r refactoring) lab.Row {
	plain, strict := o.first.goTest().String(), color(o.first.strict)
	row := lab.Row{lab.Col("refactoring", r.name), lab.Col("`go test`", plain), lab.Col("strict", strict)}
	if a := o.first.allele; a != nil {
		row = append(row, lab.Col("`allele test`", a.String()), lab.Col("strict ", color(o.first.alleleStrict)))
	}
	return append(row, lab.Col("class", o.class()), lab.Col("advice", o.advice(r)))
}

// advice returns what happened after the lines were followed.
func (o outcome) advice(r refactoring) string {
	switch {
	case o.ended:
		return "edit the file"
	case o.guess == "":
		return ""
	case r.gone && len(o.last.lines()) == 0 && !o.last.strict && !o.last.alleleStrict:
		return o.guess + ", settled"
	case !r.gone && o.last.shows() && len(o.last.lines()) == 0:
		return o.guess + ", bug found"
	}
	return o.guess + ", " + wrong
}

const wrong = "wrong"

// problems returns an error if something is silent or wrong.
func (o outcome) problems(r refactoring) error {
	var errs []error
	bad := func(text string) { errs = append(errs, fmt.Errorf("%s: %s", r.name, text)) }
	if o.class() == silent {
		bad("no test fails, and no line names the case")
	}
	if !o.first.strict && !o.first.alleleStrict {
		bad("go test ./... and allele test ./... pass with ALLELE_STRICT=1")
	}
	if strings.HasSuffix(o.advice(r), wrong) {
		bad("the commands of these lines do not help:\n" + strings.Join(o.first.lines(), "\n"))
	}
	return errors.Join(errs...)
}

// checkLeft reports whether a package with stored cases still has a Check.
func (r refactoring) checkLeft() bool {
	for name, text := range r.after {
		dir, base := path.Split(name)
		if dir == "shop/" && strings.HasSuffix(base, "_test.go") && base[0] != '_' && strings.Contains(text, "allele.Check") {
			return true
		}
	}
	return false
}

// commandsMax is how often the lines are followed.
const commandsMax = 3

// follow does what the lines suggest, until there are none.
func (m *module) follow(o *outcome) (err error) {
	o.last = o.first
	for range commandsMax {
		r, said := o.last.speaker()
		if said == "" {
			return nil
		}
		command, how := m.command(said)
		if command == "" {
			o.ended = true
			return nil
		}
		if o.guess == "" || o.guess == asPrinted {
			o.guess = how
		}
		if _, _, err := m.shell(r.dir, command, false); err != nil {
			return err
		}
		if o.last, err = m.look(len(r.lines()) == 0 || r.dir == "."); err != nil {
			return err
		}
	}
	return nil
}

// speaker returns the first line and the report that has it.
func (l look) speaker() (report, string) {
	for _, r := range l.reports() {
		if all := r.lines(); len(all) > 0 {
			return r, all[0]
		}
	}
	return report{}, ""
}

// How the command of a line was found.
const (
	asPrinted = "as printed"
	asks      = "asks for the name"
	corrected = "names another"
	deleted   = "deleted"
)

var (
	runCommand = regexp.MustCompile(`, run: ([^;]+)`)
	ifRemoved  = regexp.MustCompile(`if it was removed: (-allele\.rewrite \S+)`)
	rewriting  = regexp.MustCompile(`-allele\.rewrite \S+`)
	moving     = regexp.MustCompile(`( corpus mv \S+) (\S+) (\S+)( \S+)?$`)
	stored     = regexp.MustCompile(`\S*testdata/allele/[^\s:]+`)
)

// command returns the command that a line suggests for what the user did, and how it was found. A
// user who removed the test or the field follows the part of the line that says so.
func (m *module) command(said string) (text, how string) {
	if c := runCommand.FindStringSubmatch(said); c != nil {
		text = strings.TrimSpace(c[1])
	}
	if m.gone {
		switch {
		case ifRemoved.MatchString(said):
			return rewriting.ReplaceAllString(text, ifRemoved.FindStringSubmatch(said)[1]), asPrinted
		case strings.Contains(said, "delete the folder"), strings.Contains(said, "delete the file"):
			return "rm -r '" + stored.FindString(said) + "'", deleted
		}
		return text, asPrinted
	}
	return m.answered(text)
}

// answered returns a command with the names that the user knows.
func (m *module) answered(text string) (command, how string) {
	if m.answer == "" {
		if strings.Contains(text, "NEW") {
			return "", ""
		}
		return text, asPrinted
	}
	command = rewriting.ReplaceAllString(text, "-allele.rewrite "+m.answer)
	if test, pkg, _ := strings.Cut(m.answer, " "); moving.MatchString(text) {
		command = strings.TrimSpace(moving.ReplaceAllString(text, "$1 "+test+" $3 "+pkg))
	}
	switch {
	case command == text:
		return command, asPrinted
	case strings.Contains(text, "NEW"):
		return command, asks
	}
	return command, corrected
}

// summary is a line of the log.
func (o outcome) summary(r refactoring) string {
	allele := ""
	if o.first.allele != nil {
		allele = o.first.allele.String()
	}
	return fmt.Sprintf("%-12s %-6s %-12s %-6s %-12s %s", o.first.goTest(), color(o.first.strict),
		allele, color(o.first.alleleStrict), o.class(), o.advice(r))
}
