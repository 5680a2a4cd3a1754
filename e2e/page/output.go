package page

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// elision is a line in a page's output that stands for any number of lines.
const elision = "..."

// volatile lists the parts of an output that differ from run to run, with their
// replacements. All other parts, such as counts, paths and counterexamples, must be the
// same in every run, because seeds are fixed.
var volatile = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\(cached\)`), "TIME"},
	// An endless run that takes memory ends by its time on a slow machine.
	{regexp.MustCompile(`it had not ended (after \w+|when it used [\w ]+ of memory)\.`), "it had not ended LATER."},
	{regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(ns|µs|ms|s)\b`), "TIME"},
	{regexp.MustCompile(`^ +\d+:\d\d  `), "TIME "},                         // the time of a change of state, printed with -for
	{regexp.MustCompile(`^(\S+ +\S+) +\S+( +\d+ % +\S+  )`), "$1 SPEED$2"}, // the speed in the line about a property
	{regexp.MustCompile(`\bgoroutine \d+\b`), "goroutine N"},
	{regexp.MustCompile(`( \+|\b)0x[0-9a-f]{2,}`), "${1}ADDRESS"},
}

// slow is a line of progress that is printed only on a slow machine.
var slow = regexp.MustCompile(`(?m)^ +\d+:\d\d  (\S+ +shrinks a failure · |builds the tests|lists the |runs the tests|` +
	`[\d,]+ of [\d,]+ faults? judged).*\n`)

var blanks = regexp.MustCompile(`[ \t]+`)

// normal returns a line with its volatile parts replaced. The width of a volatile part
// moves the columns after it, so in a line with volatile parts several blanks in a row
// count as one.
func normal(line string) string {
	changed := line
	for _, v := range volatile {
		changed = v.pattern.ReplaceAllString(changed, v.instead)
	}
	if changed == line {
		return line
	}
	return blanks.ReplaceAllString(changed, " ")
}

// Lines returns the output of a command as a page shows it. It removes blanks at the ends
// of lines, empty lines at the end, and lines that only a slow machine prints. In the indentation of a line it replaces each tab
// by four spaces.
func Lines(output string) []string {
	output = slow.ReplaceAllString(output, "")
	if output = strings.TrimRight(output, " \t\n"); output == "" {
		return nil
	}
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		code := strings.TrimLeft(line, " \t")
		lines[i] = strings.ReplaceAll(line[:len(line)-len(code)], "\t", "    ") + code
	}
	return lines
}

// Merge returns the lines that a page has to show for the output got. If the lines shown
// match got, Merge returns shown. Otherwise it returns got with two exceptions: a line
// that differs from a shown line only in volatile parts stays as shown, and an elision
// stays if the lines around it are still in got.
func Merge(shown, got []string) []string {
	if matches(shown, got) {
		return shown
	}
	old := map[string]string{}
	for _, line := range shown {
		old[normal(line)] = line
	}
	var merged []string
	for _, line := range elide(shown, got) {
		if kept, ok := old[normal(line)]; ok {
			line = kept
		}
		merged = append(merged, line)
	}
	return merged
}

func isElision(line string) bool { return strings.TrimSpace(line) == elision }

func matches(shown, got []string) bool {
	for i, line := range shown {
		if isElision(line) {
			for j := i; j <= len(got); j++ {
				if matches(shown[i+1:], got[j:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) || normal(line) != normal(got[i]) {
			return false
		}
	}
	return len(shown) == len(got)
}

// elide returns got with the elisions of shown: an elision replaces the lines of got
// between the line before it and the line after it.
func elide(shown, got []string) (lines []string) {
	find := func(line string) int {
		return slices.IndexFunc(got, func(l string) bool { return normal(l) == normal(line) })
	}
	for i, line := range shown {
		if !isElision(line) {
			continue
		}
		from, to := 0, len(got)
		if i > 0 {
			from = find(shown[i-1]) + 1
		}
		if i+1 < len(shown) {
			to = find(shown[i+1])
		}
		if from == 0 && i > 0 || to < from {
			continue
		}
		lines = append(append(lines, got[:from]...), line)
		got = got[to:]
	}
	return append(lines, got...)
}

// failure matches a line in which go test or allele test reports a failure.
var failure = regexp.MustCompile(`^ *(--- )?FAIL\b|  (FAILED|VACUOUS|FLAKY|CRASHED)( \d+)?$|^(FAILED|VACUOUS|FLAKY|CRASHED)  `)

// ShowsFailure reports whether an output contains a line about a failure.
func ShowsFailure(shown []string) bool { return slices.ContainsFunc(shown, failure.MatchString) }

// Split returns the words of a command. Words may be quoted, and # starts a comment.
// Other characters that are special in a shell are errors, because commands run without a
// shell.
func Split(command string) (words []string, err error) {
	word, quote, open := "", rune(0), false
	for _, c := range command + " " {
		switch {
		case quote == 0 && c == '#' && !open:
			return words, nil
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && c == ' ':
			if open {
				words, word, open = append(words, word), "", false
			}
		case quote != '\'' && strings.ContainsRune(`|&;<>$*?\`+"`", c):
			return nil, errors.New("commands run without a shell and cannot contain " + string(c))
		default:
			word, open = word+string(c), true
		}
	}
	if quote != 0 {
		err = errors.New("a quote is not closed")
	}
	return words, err
}
