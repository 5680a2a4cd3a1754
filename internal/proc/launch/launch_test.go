//go:build go1.25

package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
)

// TestMain makes this binary the test binary that is started: it reports two events and
// exits.
func TestMain(m *testing.M) {
	j, err := job.Current()
	if err != nil || j.Mode == job.Plain {
		os.Exit(m.Run())
	}
	dir, _ := os.Getwd()
	event.Append(j.Events, event.Event{Property: "TestA", Body: event.Listed{Type: dir}})
	event.Append(j.Events, event.Event{Body: event.Note{Text: strings.Join(os.Args[1:], " ")}})
	if slices.Contains(os.Args, oldFlag) {
		old(j.Events)
	}
	fmt.Print("out")
	os.Exit(3)
}

func TestRun(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	var shown, received []string
	var group Group
	l := Launcher{Temp: temp, Show: func(c proc.Config) {
		shown = append(shown, fmt.Sprint(c.Dir == dir, c.Args, c.Job.Events == ""))
	}}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	j := &job.Job{Mode: job.List}
	d, events, err := l.Run(Task{
		Property: Property{Package: "example.com/a", Dir: dir},
		Config:   proc.Config{Path: binary, Job: j, Args: []string{TestsFlag([]string{"TestA", "TestB"})}},
		OnEvent:  func(e event.Event) { received = append(received, string(e.Kind())) },
		Groups:   []*Group{&group},
	})
	if err != nil || d.Code != 3 || d.Out != "out" || len(events) != 2 {
		t.Fatalf("%+v, %+v, %v", d, events, err)
	}
	if want := "-test.run=^(TestA|TestB)$ -test.timeout=0"; events[1].Body != (event.Note{Text: want}) {
		t.Errorf("arguments %v, want %q", events[1].Body, want)
	}
	if real, _ := filepath.EvalSymlinks(dir); events[0].Body != (event.Listed{Type: dir}) && events[0].Body != (event.Listed{Type: real}) {
		t.Errorf("ran in %v, want %s", events[0].Body, dir)
	}
	if got := strings.Join(received, " "); got != "listed note" {
		t.Errorf("received %s", got)
	}
	if want := "true [-test.run=^(TestA|TestB)$ -test.timeout=0] true"; len(shown) != 1 || shown[0] != want {
		t.Errorf("shown %q, want %q", shown, want)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 || j.Events != "" || len(group.members)+len(l.All.members) > 0 {
		t.Errorf("left behind: files %v, job %+v, %d processes", left, j, len(group.members)+len(l.All.members))
	}
}

// oldFlag makes the test binary report an event of format 1, too.
const oldFlag = "-test.run=old"

func old(file string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		fmt.Fprintln(f, `{"v":1,"kind":"note","text":"old"}`)
		f.Close()
	}
}

// A test binary that was built with another version of allele is an error with the next step.
func TestRunOtherVersion(t *testing.T) {
	l := Launcher{Temp: t.TempDir()}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	conf := proc.Config{Path: binary, Job: &job.Job{Mode: job.List}, Args: []string{oldFlag}}
	_, events, err := l.Run(Task{Property: Property{Dir: l.Temp}, Config: conf})
	if len(events) != 2 || !errors.Is(err, event.ErrOlder) {
		t.Fatalf("%v, %v", events, err)
	}
	for _, want := range []string{binary, "an event of format 1", "run: go get -tool github.com/allele-go/allele/cmd/allele"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no %q", err, want)
		}
	}
}

func TestRunThatCannotStart(t *testing.T) {
	l := Launcher{Temp: t.TempDir()}
	if _, _, err := l.Run(Task{Config: proc.Config{Path: filepath.Join(l.Temp, "none"), Job: &job.Job{Mode: job.List}}}); err == nil {
		t.Error("no error")
	}
	if left, _ := os.ReadDir(l.Temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestProperty(t *testing.T) {
	p := Property{Package: "example.com/a", Name: "TestX/one#2", Test: "TestX/one.b"}
	if got, want := p.String(), "a.TestX/one#2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := p.TestFlag(), `-test.run=^TestX$/^one\.b$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// process records the requests it gets.
type process struct{ asked []string }

func (p *process) Stop() { p.asked = append(p.asked, "stop") }
func (p *process) Kill() { p.asked = append(p.asked, "kill") }

func TestGroup(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(g *Group, p *process)
		want string
	}{
		{"no request", func(g *Group, p *process) { g.Enter(p) }, ""},
		{"once", func(g *Group, p *process) { g.Enter(p); g.Ask() }, "stop"},
		{"twice", func(g *Group, p *process) { g.Enter(p); g.Ask(); g.Ask() }, "stop kill"},
		{"before it entered", func(g *Group, p *process) { g.Ask(); g.Enter(p) }, "stop"},
		{"twice before it entered", func(g *Group, p *process) { g.Ask(); g.Ask(); g.Enter(p) }, "stop kill"},
		{"after it left", func(g *Group, p *process) { g.Enter(p)(); g.Ask() }, ""},
		{"stop is the first request", func(g *Group, p *process) { g.Enter(p); g.Stop(); g.Ask() }, "stop kill"},
		{"stop does not count as a second request", func(g *Group, p *process) { g.Enter(p); g.Ask(); g.Stop() }, "stop stop"},
	} {
		var g Group
		p := &process{}
		c.do(&g, p)
		if got := strings.Join(p.asked, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if g.Killed() != (g.count() > 1) || g.Stopped() != (g.count() > 0) {
			t.Errorf("%s: stopped %v, killed %v after %d requests", c.name, g.Stopped(), g.Killed(), g.count())
		}
	}
}
