//go:build go1.25

package testkit

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// diffContext is how many equal lines are shown on either side of a change.
	diffContext = 2
	// cellsMax bounds the table of diff (a few tens of MB). Texts that differ in
	// more than about two thousand lines each are shown as replaced as a whole:
	// nobody reads such a diff line by line.
	cellsMax = 1 << 22
)

// Diff returns "" for equal texts, and otherwise the changed lines with a little
// context. A line that begins with "- " is only in want, one with "+ " only in got.
func Diff(want, got string) string {
	if want == got {
		return ""
	}
	return render(edits(lines(want), lines(got)))
}

// An edit is one line of the diff. Its op is ' ', '-' or '+'.
type edit struct {
	op   byte
	text string
}

// lines splits text so that a missing newline at the end is a visible difference.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	body, ended := strings.CutSuffix(text, "\n")
	all := strings.Split(body, "\n")
	if !ended {
		all[len(all)-1] += " (no newline at end)"
	}
	return all
}

// edits returns all lines of the diff. It first sets aside the equal lines at both ends,
// which are most of the text, because the table for the middle is quadratic.
func edits(want, got []string) []edit {
	head := 0
	for head < len(want) && head < len(got) && want[head] == got[head] {
		head++
	}
	tail := 0
	for tail < len(want)-head && tail < len(got)-head && want[len(want)-1-tail] == got[len(got)-1-tail] {
		tail++
	}
	all := mark(nil, ' ', want[:head])
	all = append(all, middle(want[head:len(want)-tail], got[head:len(got)-tail])...)
	return mark(all, ' ', want[len(want)-tail:])
}

func mark(to []edit, op byte, texts []string) []edit {
	for _, text := range texts {
		to = append(to, edit{op, text})
	}
	return to
}

// middle walks the table of longest common subsequences from the start; on a
// tie the line of want goes first, so removed lines come before added ones.
func middle(want, got []string) []edit {
	if len(want)*len(got) > cellsMax {
		return mark(mark(nil, '-', want), '+', got)
	}
	common := table(want, got)
	var all []edit
	i, j := 0, 0
	for i < len(want) && j < len(got) {
		switch {
		case want[i] == got[j]:
			all = append(all, edit{' ', want[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			all = append(all, edit{'-', want[i]})
			i++
		default:
			all = append(all, edit{'+', got[j]})
			j++
		}
	}
	return mark(mark(all, '-', want[i:]), '+', got[j:])
}

// table[i][j] is the length of the longest common subsequence of want[i:] and got[j:].
func table(want, got []string) [][]int32 {
	cells := make([][]int32, len(want)+1)
	cells[len(want)] = make([]int32, len(got)+1)
	for i, line := range slices.Backward(want) {
		cells[i] = make([]int32, len(got)+1)
		for j := len(got) - 1; j >= 0; j-- {
			if line == got[j] {
				cells[i][j] = cells[i+1][j+1] + 1
			} else {
				cells[i][j] = max(cells[i+1][j], cells[i][j+1])
			}
		}
	}
	return cells
}

// render prints the edits near a change. In "@ n", n is the number of the next line of want.
func render(all []edit) string {
	var out strings.Builder
	shown, line := true, 1
	for i, e := range all {
		near := nearChange(all, i)
		if near && (!shown || i == 0) {
			fmt.Fprintf(&out, "@ %d\n", line)
		}
		if near {
			fmt.Fprintf(&out, "%c %s\n", e.op, e.text)
		}
		shown = near
		if e.op != '+' {
			line++
		}
	}
	return out.String()
}

func nearChange(all []edit, at int) bool {
	around := all[max(0, at-diffContext):min(len(all), at+diffContext+1)]
	return slices.ContainsFunc(around, func(e edit) bool { return e.op != ' ' })
}
