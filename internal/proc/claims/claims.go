//go:build go1.25

// Package claims lets the processes of one property agree on which of them shows a
// failure to the user.
//
// Several workers may find the same bug at the same time, and a campaign shows each bug
// once. A sign is a text that identifies a failure. The processes share a file of lines:
//
//	claimed 4711 panic tree.(*Tree).Insert tree.go:31   // process 4711 confirms it
//	told panic tree.(*Tree).Insert tree.go:31           // and has shown it
//
//	state := file.Claim(sign)  // may I show it? yes, if Unknown
//	file.Shown(sign)           // I have shown it
//
// A claim holds while its process lives. If the process dies before it has shown the
// failure, the next process that finds the failure may claim it. If the file cannot be
// read, locked or written, every process shows what it finds: twice is better than never.
package claims

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/filelock"
)

// File is the path of the file with the claims of a property. A process that works alone
// uses the empty path, which means no file.
type File string

// State is the state of a failure among the processes of a property.
type State int

// The states of a failure.
const (
	Unknown State = iota // no living process has claimed it
	Shown                // a process has shown it
	Claimed              // another living process has claimed it
)

const (
	// fileMax is how much is read of the file, which may be damaged.
	fileMax = 1 << 20
	// The lock of the file is held while a few lines are read and written. A process that
	// waits longer than lockWait continues without the lock.
	lockWait  = 2 * time.Second
	lockPause = 2 * time.Millisecond
)

// Look returns the state of a failure.
func (f File) Look(sign string) State {
	l, done := f.open()
	defer done()
	return l.state(sign)
}

// Claim claims a failure for this process if its state is Unknown. It returns the state
// before the claim.
func (f File) Claim(sign string) State {
	l, done := f.open()
	defer done()
	s := l.state(sign)
	if s == Unknown {
		l.add(fmt.Sprintf("claimed %d %s", os.Getpid(), sign))
	}
	return s
}

// Shown marks a failure as shown, for the other processes. It must be called after the
// event was written for the command: a process that dies before has shown nothing.
func (f File) Shown(sign string) {
	l, done := f.open()
	defer done()
	l.add("told " + sign)
}

// open locks and reads the file, if there is one.
func (f File) open() (l lines, done func()) {
	none := func() {}
	if f == "" {
		return lines{}, none
	}
	file, err := os.OpenFile(string(f), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return lines{}, none
	}
	for end := time.Now().Add(lockWait); ; time.Sleep(lockPause) {
		if held, able := filelock.Lock(file); held || !able || time.Now().After(end) {
			break
		}
	}
	data, err := io.ReadAll(io.LimitReader(file, fileMax))
	if err != nil || len(data) == fileMax {
		file.Close()
		return lines{}, none
	}
	return lines{file, string(data)}, func() { file.Close() }
}

// lines is the file while it is locked. The zero value stands for a file that cannot be
// used: it has no lines, and add does nothing.
type lines struct {
	file *os.File
	text string
}

// state returns the state of the failure with this sign. It skips damaged lines and lines
// about other failures, and a last line without a newline: the process that wrote it died.
func (l lines) state(sign string) (s State) {
	for line := range strings.Lines(l.text) {
		text, whole := strings.CutSuffix(line, "\n")
		if whole && text == "told "+sign {
			return Shown
		}
		claim, _ := strings.CutPrefix(text, "claimed ")
		number, claimed, _ := strings.Cut(claim, " ")
		pid, err := strconv.Atoi(number)
		if whole && err == nil && claimed == sign && pid > 0 && pid != os.Getpid() && !filelock.Ended(pid) {
			s = Claimed
		}
	}
	return s
}

// add appends a line in one write, so that it is not written in part.
func (l lines) add(line string) {
	if l.file == nil {
		return
	}
	if l.text != "" && !strings.HasSuffix(l.text, "\n") {
		line = "\n" + line
	}
	l.file.WriteString(line + "\n") // if it fails, the failure is shown twice
}
