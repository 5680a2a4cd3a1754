//go:build go1.25

package worker

import (
	"bytes"
	"encoding/json"
	"os"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/words"
)

// searchLog is the file that gets a line for every input that the search saves.
type searchLog struct {
	file    string // empty if no log was requested
	trouble string // why lines are missing; empty if none are
}

// logged is called for every input that the search saves.
func (s *searcher) logged(e engine.Entry) {
	if s.log.file != "" && !(s.known && e.Verdict == engine.Failed) {
		s.logKept(e)
	}
	if s.keeper != nil && e.ID > 0 && !(e.Kills > 0 && e.Given()) {
		s.keeper.keep(e, s.Watch.Latest())
	}
}

// logLine is a line of the log, about an input that showed something new.
type logLine struct {
	Package  string `json:"package"`
	Property string `json:"property"`
	engine.Entry
	Input string `json:"input"`
}

// logKept appends a line about a saved input.
func (s *searcher) logKept(e engine.Entry) {
	p := s.Prop
	input := words.Bounded(codec.Print(p.World, e.Term, p.Place.Style()).Expr, property.InputMax)
	if s.log.trouble == "" {
		if err := appendLine(s.log.file, logLine{p.Place.Tested(), p.Name, e, input}); err != nil {
			s.log.trouble = err.Error()
		}
	}
}

// appendLine appends a line of JSON to a file.
func appendLine(file string, v any) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	return appendTo(f, v)
}

// appendTo writes a line of JSON, in one call: nothing is lost if the process dies.
func appendTo(f *os.File, v any) error {
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false) // people read the log, so < and > stay as they are
	if err := to.Encode(v); err != nil {
		return err
	}
	_, err := f.Write(line.Bytes())
	return err
}
