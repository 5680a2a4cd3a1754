package page

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// elision is the line of a shown output that stands for any lines.
const elision = "..."

// volatile are the parts of an output that differ from run to run. Seeds are fixed, so
// all else is compared: runs, counts, paths, counterexamples.
var volatile = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\(cached\)`), "TIME"},
	{regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(ns|µs|ms|s)\b`), "TIME"},
	{regexp.MustCompile(`^ +\d+:\d\d  `), "TIME "},                         // a change of state, with -for
	{regexp.MustCompile(`^(\S+ +\S+) +\S+( +\d+ % +\S+  )`), "$1 SPEED$2"}, // a property's line
	{regexp.MustCompile(`\bgoroutine \d+\b`), "goroutine N"},
	{regexp.MustCompile(`( \+|\b)0x[0-9a-f]{2,}`), "${1}ADDRESS"},
}

var blanks = regexp.MustCompile(`[ \t]+`)

// normal returns a line without its volatile parts. Columns move with the width of a
// volatile part, so in such a line runs of blanks count as one.
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

// Lines returns the output of a command as a page shows it: no blanks at the ends of
// lines, no empty lines at the end, and four spaces for a tab behind spaces, where the
// testing package has indented Go code.
func Lines(output string) []string {
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

// Merge returns what a page has to show for an output: shown itself if it matches. If
// not, lines that differ in volatile parts only stay as they are, and elisions stay
// where the lines around them are still found.
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

// elide leaves out lines of got where shown does.
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

// failure is a line of go test, or of allele test, about a failure.
var failure = regexp.MustCompile(`^ *(--- )?FAIL\b|  (FAILED|VACUOUS|FLAKY|CRASHED)( \d+)?$|^(FAILED|VACUOUS|FLAKY|CRASHED)  `)

// ShowsFailure reports whether an output is that of a command that failed.
func ShowsFailure(shown []string) bool { return slices.ContainsFunc(shown, failure.MatchString) }

// Split returns the words of a command. Words may be quoted; there is no shell.
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
			return nil, errors.New("commands run without a shell: no " + string(c))
		default:
			word, open = word+string(c), true
		}
	}
	if quote != 0 {
		err = errors.New("a quote without an end")
	}
	return words, err
}
