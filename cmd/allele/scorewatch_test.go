//go:build go1.25

package main

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// Without a terminal, the first line comes within two seconds, and further ones more and more rarely. A line says what is
// done and how much memory is used.
func TestScoreLines(t *testing.T) {
	var out strings.Builder
	w := &scoreWatch{}
	ticks := make(chan time.Time)
	begin := time.Unix(0, 0)
	done := w.follow(&out, begin, ticks)
	for i := range 120 {
		ticks <- begin.Add(time.Duration(i) * time.Second / 2)
	}
	close(ticks)
	<-done
	lines := regexp.MustCompile(`(?m)^ +(\d+:\d\d)  builds the tests with faults(?: · \d.*B)?\n`).FindAllStringSubmatch(out.String(), -1)
	var times []string
	for _, l := range lines {
		times = append(times, l[1])
	}
	if got, want := strings.Join(times, " "), "0:01 0:02 0:04 0:08 0:16 0:32"; got != want {
		t.Errorf("lines at %s, want %s:\n%s", got, want, out.String())
	}
}
