//go:build go1.25

package event_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
)

// A test binary reports the progress of a property, and the command follows the file.
func Example() {
	dir, err := os.MkdirTemp("", "event")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "events")

	tail := event.Tail{File: file}
	fmt.Println(len(tail.Next()), "events")

	if err := event.Append(file, event.Event{Property: "TestInsert", Body: event.Progress{Counts: event.Counts{Runs: 1200, Passed: 700}}}); err != nil {
		fmt.Println(err)
	}
	for _, e := range tail.Next() {
		if p, ok := e.Body.(event.Progress); ok {
			fmt.Println(e.Kind(), e.Property, p.Counts.Runs, p.Counts.Passed)
		}
	}
	line, _ := os.ReadFile(file)
	fmt.Print(string(line))
	// Output:
	// 0 events
	// progress TestInsert 1200 700
	// {"v":2,"kind":"progress","property":"TestInsert","progress":{"counts":{"runs":1200,"passed":700}}}
}

func ExampleRead() {
	file := strings.NewReader(`{"v":2,"kind":"died","died":{"death":"deadlock"}}
{"v":2,"kind":"fou
{"v":9,"kind":"found"}
{"v":2,"kind":"stopped","stopped":{}}
`)
	for e, err := range event.Read(file) {
		switch {
		case errors.Is(err, event.ErrNewer):
			fmt.Println(err)
		case err != nil:
			fmt.Println("a damaged line")
		default:
			fmt.Printf("%s %+v\n", e.Kind(), e.Body)
		}
	}
	// Output:
	// died {Deaths:0 Run:0 Death:deadlock Text:}
	// a damaged line
	// line 3: an event of format 9, but this version of allele reads only 2: update allele
	// stopped {Text:}
}

func ExampleWriter() {
	dir, err := os.MkdirTemp("", "event")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	log, err := event.Create(filepath.Join(dir, "log"))
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 30 { // ten events a second
		log.Write(event.Event{Time: start.Add(time.Duration(i) * 100 * time.Millisecond), Body: event.Progress{Counts: event.Counts{Runs: i}}})
	}
	log.Close()
	text, _ := os.ReadFile(filepath.Join(dir, "log"))
	fmt.Print(string(text))
	// Output:
	// {"v":2,"time":"2026-03-01T12:00:00Z","kind":"progress","progress":{}}
	// {"v":2,"time":"2026-03-01T12:00:01Z","kind":"progress","progress":{"counts":{"runs":10}}}
	// {"v":2,"time":"2026-03-01T12:00:02Z","kind":"progress","progress":{"counts":{"runs":20}}}
	// {"v":2,"time":"2026-03-01T12:00:02.9Z","kind":"note","note":{"text":"events left out of this log: 27 of progress, 0 because the log was full"}}
}
