//go:build go1.25

package stack

import "strings"

// Misuse is a panic of package testing, or of the T that this library passes to properties,
// because a test has used it wrongly.
type Misuse struct {
	Call string // the method or function that the test called, for example Setenv
	Own  bool   // of this library
	At   Frame  // the call in the user's code; zero if it is not in the stack
}

// Misused reports whether a goroutine panicked because it misused package testing or a T. The
// function that called panic must be theirs: code under test may panic with the same words.
func Misused(goroutine string) (m Misuse, ok bool) {
	frames := frames(goroutine)
	first := 0 // the frame that panicked first
	for i, f := range frames {
		if strings.HasPrefix(f.Call, "panic(") {
			first = i + 1
		}
	}
	if frames = frames[min(first, len(frames)):]; len(frames) == 0 {
		return m, false
	}
	m.Own = frames[0].ours() && frames[0].called() == library+".(*T).set"
	if !m.Own && !frames[0].isTesting() {
		return m, false
	}
	for _, f := range frames {
		if !f.isTesting() && !f.ours() {
			if !strings.HasPrefix(f.Call, "created by ") {
				m.At = f
			}
			break
		}
		m.Call = f.called()[strings.LastIndexByte(f.called(), '.')+1:]
	}
	return m, true
}

// isTesting reports whether a frame is in package testing.
func (f Frame) isTesting() bool { return strings.HasPrefix(f.name(), "testing.") && f.Std() }

// frames returns all frames of a goroutine.
func frames(goroutine string) (fs []Frame) {
	lines := strings.Split(goroutine, "\n")
	for i := 1; i+1 < len(lines); i++ {
		if isPosition(lines[i+1]) {
			fs = append(fs, Frame{strings.TrimSpace(lines[i]), position(lines[i+1])})
			i++
		}
	}
	return fs
}
