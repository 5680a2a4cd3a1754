package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

var regexpTime = regexp.MustCompile(`\d\d\d\d-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)|\d\d:\d\d:\d\d`)

func TestComma(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1: "-1", -999: "-999", -1000: "-1,000"} {
		if got := comma(n); got != want {
			t.Errorf("comma(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{-time.Hour: "0s", 1400 * time.Millisecond: "1s", 119 * time.Second: "119s",
		2 * time.Minute: "2m", 119 * time.Minute: "119m", 2 * time.Hour: "2h", 47 * time.Hour: "47h", 48 * time.Hour: "2d"} {
		if got := age(d); got != want {
			t.Errorf("age(%v) = %s, want %s", d, got, want)
		}
	}
}

// A shell reads a quoted word as the word.
func TestQuote(t *testing.T) {
	if got := quote("/srv/fleet-1/a.cred"); got != "/srv/fleet-1/a.cred" {
		t.Errorf("a simple word became %s", got)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, word := range []string{"", "my fleet", "it's", "$HOME", "`id`", "a;b", "*", "!x", "~", "a\nb", `\`, `"`} {
		out, err := exec.Command(sh, "-c", "printf %s "+quote(word)+"x").Output()
		if err != nil || string(out) != word+"x" {
			t.Errorf("quote(%q) = %s is read as %q, %v", word, quote(word), out, err)
		}
	}
}

func TestIndent(t *testing.T) {
	if got := indent("a\n\n b \n  ", "    "); got != "    a\n\n     b\n" || strings.Contains(got, " \n") {
		t.Errorf("got %q", got)
	}
}
