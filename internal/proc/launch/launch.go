//go:build go1.25

// Package launch starts a test binary with a job and reads the events it reports.
//
// A command that needs the types of a property runs the test binary of its package with
// a job.Job: list your properties, search, write this case as a test. The result is a
// list of events and how the process ended.
//
//	l := &launch.Launcher{Temp: dir}
//	d, events, err := l.Run(launch.Task{Property: p, Config: proc.Config{Path: binary, Job: j}})
//
// A process may crash in the middle of a line, so it writes events to a file that is
// read while the process runs: the file contains all events before the crash.
package launch

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// Property is a Check in a test binary.
type Property struct {
	Package string
	Name    string
	Test    string // the Go test that the Check is in
	Dir     string // the folder of the package, where its tests run
	Encoder bool   // its inputs are made by an encoder
}

func (p Property) String() string { return words.PackageName(p.Package) + "." + p.Name }

// TestFlag returns the flag that makes a test binary run the test of this property and
// no other.
func (p Property) TestFlag() string {
	parts := strings.Split(p.Test, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return "-test.run=" + strings.Join(parts, "/")
}

// TestsFlag returns the flag that makes a test binary run the top-level tests with these
// names.
func TestsFlag(tests []string) string { return "-test.run=^(" + strings.Join(tests, "|") + ")$" }

// Task is one process to run.
type Task struct {
	Property    Property
	proc.Config                   // Run sets Dir and the event file of the job
	OnEvent     func(event.Event) // called for each event as it arrives; may be nil
	Groups      []*Group          // the groups that the process enters
}

// Launcher starts test binaries.
type Launcher struct {
	Temp string            // folder for event files
	Show func(proc.Config) // called before each start, for -x; may be nil
	All  Group             // all processes that are running
}

// readEvery is how often the event file of a running process is read.
const readEvery = 100 * time.Millisecond

// Run runs a test binary in the folder of its package until it exits. It returns how
// the process ended and all events that it reported.
func (l *Launcher) Run(t Task) (d proc.Death, events []event.Event, err error) {
	file, err := l.eventFile()
	if err != nil {
		return d, nil, err
	}
	defer os.Remove(file)
	process, err := l.start(t, file)
	if err != nil {
		return d, nil, err
	}
	for _, group := range append(t.Groups[:len(t.Groups):len(t.Groups)], &l.All) {
		defer group.Enter(process)()
	}
	ended := make(chan struct{})
	go func() {
		d = process.Wait()
		close(ended)
	}()
	tail := event.Tail{File: file} // Tail skips a line that a crash has truncated
	for over := false; !over; {
		select {
		case <-ended:
			over = true
		case <-time.After(readEvery):
		}
		for more := tail.Next(); len(more) > 0; more = tail.Next() {
			events = append(events, more...)
			t.deliver(more)
		}
	}
	if tail.Refused != nil {
		err = fmt.Errorf("the test binary %s was built with another version of allele: %w; to use one version for the command "+
			"and the tests, run: go get -tool %s && go tool allele test", t.Path, tail.Refused, commandPath)
	}
	return d, events, err
}

// commandPath is the import path of the command.
const commandPath = "github.com/allele-go/allele/cmd/allele"

func (l *Launcher) eventFile() (string, error) {
	f, err := os.CreateTemp(l.Temp, "events-*")
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// start shows the command and starts the process. The command that it shows does not
// contain the event file, because that file is removed before the user could repeat the
// command.
func (l *Launcher) start(t Task, events string) (*proc.Process, error) {
	conf := t.Config
	conf.Dir = t.Property.Dir
	conf.Args = append(conf.Args[:len(conf.Args):len(conf.Args)], "-test.timeout=0")
	if l.Show != nil {
		l.Show(conf)
	}
	j := *conf.Job
	j.Events, conf.Job = events, &j
	return proc.Start(conf)
}

func (t *Task) deliver(events []event.Event) {
	if t.OnEvent == nil {
		return
	}
	for _, e := range events {
		t.OnEvent(e)
	}
}
