//go:build go1.25

package allele

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
)

// Of the messages of a run that logs in a loop, the first and the last ones are kept, the first errors, and those just before the first
// error.
func TestLogsOfALongRun(t *testing.T) {
	log := func(t *T) { t.Log("log") }
	fails := func(t *T) { t.Error("error") }
	written := func(t *T) {
		fmt.Fprint(t.Output(), "writ")
		fmt.Fprint(t.Output(), "ten\n")
	}
	type times struct {
		n    int
		does func(*T)
	}
	for _, c := range []struct {
		name string
		run  []times
		want string // without the last messages
	}{
		{"as many as are kept", []times{{logMax - 1, log}, {1, fails}}, "999 log, 1 error"},
		{"the error is last", []times{{5000, log}, {1, fails}}, "100 log, ..."},
		{"the error is in the middle", []times{{5000, log}, {1, fails}, {5000, log}}, "100 log, 4800 left out, 100 log, 1 error, ..."},
		{"the error is first", []times{{1, fails}, {5000, log}}, "1 error, 99 log, ..."},
		{"many errors", []times{{50, log}, {3000, fails}, {3000, log}}, "50 log, 50 error, ..."},
		{"errors far apart", []times{{3000, log}, {2, fails}, {3000, log}, {1, fails}, {3000, log}},
			"100 log, 2800 left out, 100 log, 2 error, 3000 left out, 1 error, ..."},
		{"lines of Output", []times{{5000, written}, {1, fails}}, "100 written, ..."},
	} {
		p, r := prepared(t, func(t *T, _ bool) {
			for _, x := range c.run {
				for range x.n {
					x.does(t)
				}
			}
		}, "TestLogs")
		x, err := p.World.Read(reflect.ValueOf(true))
		if err != nil {
			t.Fatal(err)
		}
		made, logs := 0, r.One(x, true).Logs
		for _, x := range c.run {
			made += x.n
		}
		for _, l := range logs {
			made -= 1 + l.Left
		}
		if got := outline(logs); got != c.want || made != 0 || len(logs) > logMax {
			t.Errorf("%s: %s; want %s; %d messages, %d are missing", c.name, got, c.want, len(logs), made)
		}
	}
}

// outline renders messages: how many have the same text, and how many are left out before them. It leaves out the last
// logLast messages, if some before them are left out.
func outline(lines []property.Line) string {
	var all []string
	n, last := 0, len(lines)
	for i, l := range lines {
		if l.Left > 0 && i <= len(lines)-logLast {
			last = i
		}
	}
	for i, l := range lines[:last] {
		if l.Left > 0 {
			all = append(all, fmt.Sprint(l.Left, " left out"))
		}
		if n++; i+1 == last || lines[i+1].Text != l.Text || lines[i+1].Left > 0 {
			all, n = append(all, fmt.Sprint(n, " ", l.Text)), 0
		}
	}
	if last < len(lines) {
		all = append(all, "...")
	}
	return strings.Join(all, ", ")
}
