package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// plain removes what a terminal would obey: texts of agents are texts of others.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r >= 0x7f && r < 0xa0, // control characters
			r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xfeff, // hidden, or of direction
			r == 0x2028, r == 0x2029: // line ends
			return '?'
		}
		return r
	}, s)
}

// plainLines is plain for a text of several lines.
func plainLines(s string) string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, plain(strings.ReplaceAll(line, "\t", "    ")))
	}
	return strings.Join(lines, "\n")
}

// short is plain for a cell of a table.
func short(s string, most int) string {
	r := []rune(plain(s))
	if len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(r)
}

// head is the beginning of a hash or a user, which is enough for people.
func head(s string) string {
	r := []rune(plain(s))
	return string(r[:min(12, len(r))])
}

// indent indents the lines of a text that are not empty.
func indent(s, by string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimRight(line, " "); lines[i] != "" {
			lines[i] = by + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

var simple = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quote returns a word as a shell reads it, for commands that a person copies.
func quote(s string) string {
	if simple.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// comma returns a number with thousands separators.
func comma(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// count returns a number of things: 1 agent, 2 agents.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return comma(n) + " " + thing + "s"
}

// age returns a duration in its largest unit. The clocks of hosts differ, so it may be negative.
func age(d time.Duration) string {
	switch d = max(d, 0).Round(time.Second); {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/day)
}

// table prints rows in columns. So many columns are aligned on the left, and the others on the right.
func table(w io.Writer, rows [][]string, left int) {
	var widths [16]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < left {
				line.WriteString(cell + space + "  ")
			} else {
				line.WriteString(space + cell + "  ")
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
