//go:build go1.25

package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/words"
)

// Without a terminal there is a line for each package that is done.
func TestBoardPlain(t *testing.T) {
	var out strings.Builder
	b := NewBoard(Config{Out: &out, Err: &out}, []string{"tree", "lang\x1b"}, nil)
	b.Tick(time.Unix(1, 0))
	b.Set(0, Tally{Total: 412, State: "TestInsert"})
	b.Set(1, Tally{Judged: 9, Total: 9, Killed: 9, State: "100 % (cached)", Done: true})
	b.Set(0, Tally{Judged: 412, Total: 412, Killed: 371, State: "90 %", Done: true})
	b.Set(0, Tally{Judged: 412, Total: 412, Killed: 371, State: "90 %", Done: true})
	b.Close()
	want := "package          judged   killed\n" +
		"lang\\x1b         9 of 9        9  100 % (cached)\n" +
		"tree         412 of 412      371  90 %\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

func TestBoardFrame(t *testing.T) {
	var out strings.Builder
	b := NewBoard(Config{Out: &out, Err: &out, Mode: Live}, []string{"done", "waits", "runs"}, nil)
	b.Tick(time.Unix(1, 0))
	b.now = time.Unix(35, 0)
	b.Set(0, Tally{Judged: 5, Total: 5, Killed: 5, State: "100 %", Done: true})
	b.Set(2, Tally{Judged: 1, Total: 5, Killed: 1, State: "TestInsert"})
	const titles = "package          judged   killed\n"
	for _, c := range []struct {
		height int
		want   string
	}{
		{24, titles + "done             5 of 5        5  100 %\nwaits                 -        -  waiting\nruns             1 of 5        1  TestInsert\n" +
			"0:34 · 1 of 3 packages done · ctrl-c to stop and keep everything"},
		{6, titles + "runs             1 of 5        1  TestInsert\nwaits                 -        -  waiting\nand 1 more\n" +
			"0:34 · 1 of 3 packages done · ctrl-c to stop and keep everything"},
		{2, "0:34 · 1 of 3 packages done · ctrl-c to stop and keep everything"},
		{1, "0:34 · 1 of 3 packages done · ctrl-c to stop and keep everything"},
	} {
		if got := strings.Join(b.frame(79, c.height), "\n"); got != c.want {
			t.Errorf("%d rows:\n%s\nwant\n%s", c.height, got, c.want)
		}
	}
}

// No line is wider than the terminal.
func TestBoardFits(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, strings.Repeat("long", i)+fmt.Sprint(i))
	}
	b := NewBoard(Config{Mode: Live, Out: &strings.Builder{}}, names, nil)
	for i := range names {
		b.Set(i, Tally{Judged: 1 << i, Total: 1 << 30, Killed: 1, State: names[len(names)-1-i]})
	}
	for width := 19; width < 200; width += 7 {
		for height := 1; height < 40; height += 3 {
			lines := b.frame(width, height)
			for _, line := range lines {
				if words.Width(line) > width || len(lines) > max(1, height-1) {
					t.Fatalf("%d columns, %d rows: %d lines, %q", width, height, len(lines), line)
				}
			}
		}
	}
}

// The state of all packages is a line of its own: it is too long to share one.
func TestBoardStatus(t *testing.T) {
	b := NewBoard(Config{Out: &strings.Builder{}, Mode: Live}, []string{"a"}, func(time.Time) string { return "9 of 12 faults judged\x1b" })
	b.Set(0, Tally{Judged: 9, Total: 12, State: "TestA"})
	b.Tick(time.Unix(5, 0))
	got := strings.Join(b.frame(80, 6), "\n")
	if want := "9 of 12 faults judged\n0:00 · ctrl-c to stop and keep everything"; !strings.Contains(strings.ReplaceAll(got, "\\x1b", ""), want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
