// Package report has what agents tell people: the failures they find, and how they are. Both are
// read from servers, so they are bounded and checked like all input from outside.
package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// Format is the version of both formats.
const Format = 1

// A Failure is an input that fails, with all that a developer needs to repeat it.
type Failure struct {
	Format   int       `json:"format"`
	Package  string    `json:"package"`
	Property string    `json:"property"`
	Sign     string    `json:"sign"`    // failures with the same sign are the same
	Verdict  string    `json:"verdict"` // failed, crashed, or flaky
	Bundle   string    `json:"bundle"`  // SHA-256 of the bundle that was run
	Host     string    `json:"host"`
	Time     time.Time `json:"time"`
	Input    string    `json:"input"` // as Go, shortened
	Text     string    `json:"text"`  // the report
	File     string    `json:"file"`  // of the case, below the folder of its package
	Case     []byte    `json:"case"`  // its content; empty if there is none
}

// Key returns the fingerprint of the failure. A failure that two hosts find, or that a new bundle
// has too, has one fingerprint.
func (f *Failure) Key() (k transport.Key) {
	h := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", f.Package, f.Property, f.Sign))
	copy(k[:], h[:])
	return k
}

// Encode returns the failure as a worker reports it.
func (f *Failure) Encode(worker string) (transport.Failure, error) {
	f.Format = Format
	data, err := json.Marshal(f)
	return transport.Failure{Key: f.Key(), Worker: worker, Data: data}, err
}

const (
	failureMax   = 32 << 20
	heartbeatMax = 64 << 10
)

// DecodeFailure reads a failure.
func DecodeFailure(t transport.Failure) (*Failure, error) {
	f := &Failure{}
	if err := decode(t.Data, failureMax, f, &f.Format); err != nil {
		return nil, fmt.Errorf("failure %x: %w", t.Key, err)
	}
	if f.Key() != t.Key {
		return nil, fmt.Errorf("failure %x: it is stored under the fingerprint of another one", t.Key)
	}
	if f.File != "" && !isCase(f.File) {
		return nil, fmt.Errorf("failure %x: %q is no file of a case", t.Key, f.File)
	}
	return f, nil
}

// isCase reports whether a path may be the file of a stored case, and nothing else: it is written to
// a folder of the user.
func isCase(file string) bool {
	return filepath.IsLocal(filepath.FromSlash(file)) && path.Clean(file) == file && !strings.Contains(file, `\`) &&
		strings.HasPrefix(file, "testdata/allele/") && path.Ext(file) == ".case"
}

// decode reads a JSON text with the format that this version knows. Unknown fields are ignored: a
// newer agent may say more.
func decode(data []byte, most int, to any, format *int) error {
	if len(data) > most {
		return fmt.Errorf("%d bytes, more than %d", len(data), most)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return errors.New("no JSON object")
	}
	if err := json.Unmarshal(data, to); err != nil {
		return err
	}
	if *format != Format {
		return fmt.Errorf("format %d, this version reads %d; install the same version of allele-fleet everywhere", *format, Format)
	}
	return nil
}

// State is what an agent does.
type State string

// The states of an agent.
const (
	Waiting   State = "waiting"   // there is no order yet
	Searching State = "searching" // workers run
	Done      State = "done"      // all properties are exhausted
	Broken    State = "broken"    // the search has ended with an error and will be tried again; Trouble says why
	Drained   State = "drained"   // it was ordered to stop
	Stopped   State = "stopped"   // it was stopped on its host
	Refused   State = "refused"   // it got an order that it does not obey; Trouble says why
)

// A Heartbeat is what an agent says of itself every few seconds.
type Heartbeat struct {
	Format   int       `json:"format"`
	Host     string    `json:"host"`
	State    State     `json:"state"`
	Bundle   string    `json:"bundle,omitempty"`
	Started  time.Time `json:"started"`
	Workers  int       `json:"workers"`
	Runs     int       `json:"runs"`
	Sent     int       `json:"sent"` // cases
	Won      int       `json:"won"`
	Received int       `json:"received"`
	Failures int       `json:"failures"` // that it has found, also if another agent was first
	Waiting  int       `json:"waiting"`  // failures on its disk that are not confirmed
	Trouble  string    `json:"trouble,omitempty"`
}

// Encode returns the heartbeat as an agent sends it.
func (h Heartbeat) Encode() []byte {
	h.Format = Format
	if len(h.Trouble) > troubleMax {
		h.Trouble = h.Trouble[:troubleMax]
	}
	h.Trouble = strings.ToValidUTF8(h.Trouble, "?")
	data, err := json.Marshal(h)
	if err != nil {
		panic(err) // all fields can be encoded
	}
	return data
}

const troubleMax = 1000

// DecodeHeartbeat reads a heartbeat.
func DecodeHeartbeat(data []byte) (h Heartbeat, err error) {
	if err := decode(data, heartbeatMax, &h, &h.Format); err != nil {
		return h, fmt.Errorf("heartbeat: %w", err)
	}
	return h, nil
}
