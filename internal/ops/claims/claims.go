// Package claims lets the processes of one property agree on who shows a failure.
//
// Several workers may meet the same bug at the same time, and a campaign shows each
// bug once. Failures are told apart by a sign, and processes share a file of lines:
//
//	claimed 4711 panic tree.(*Tree).Insert tree.go:31   // process 4711 looks into it
//	told panic tree.(*Tree).Insert tree.go:31           // and has shown it
//
//	mine := file.Claim(sign)   // may I show it?
//	file.Shown(sign)           // I have
//
// A claim holds while its process lives; one that died in between has left the
// failure to whoever meets it next. If the file cannot be read, locked or written,
// everybody shows what they find: twice is better than never.
package claims

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/filelock"
)

// File is the path of the claims of a property. The empty path is for a process that
// is alone.
type File string

// State is how far a failure is.
type State int

// The states of a failure.
const (
	Unknown State = iota // nobody has claimed it, or who did died
	Shown                // somebody has shown it
	Claimed              // another process that lives looks into it
)

const (
	// fileMax is how much is read of the file, which may hold anything.
	fileMax = 1 << 20
	// The lock of the file is held for a few lines. Who waits longer than this for it
	// does without.
	lockWait  = 2 * time.Second
	lockPause = 2 * time.Millisecond
)

// Look is how far a failure is.
func (f File) Look(sign string) State {
	l, done := f.open()
	defer done()
	return l.state(sign)
}

// Claim takes a failure for this process if it is Unknown, and gives the state it
// found.
func (f File) Claim(sign string) State {
	l, done := f.open()
	defer done()
	s := l.state(sign)
	if s == Unknown {
		l.add(fmt.Sprintf("claimed %d %s", os.Getpid(), sign))
	}
	return s
}

// Shown says to other processes that a failure was shown. The command has learnt of it
// by then: a process that dies before that has shown nothing.
func (f File) Shown(sign string) {
	l, done := f.open()
	defer done()
	l.add("told " + sign)
}

// open takes the file, if there is one.
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

// lines is the file while it is held. The zero value is no file.
type lines struct {
	file *os.File
	text string
}

// state finds a sign. Lines that say something else are passed over, and so is one
// without an end: the process that wrote it died.
func (l lines) state(sign string) (s State) {
	for line := range strings.Lines(l.text) {
		words, whole := strings.CutSuffix(line, "\n")
		if whole && words == "told "+sign {
			return Shown
		}
		claim, _ := strings.CutPrefix(words, "claimed ")
		who, what, _ := strings.Cut(claim, " ")
		if pid, err := strconv.Atoi(who); whole && err == nil && what == sign && pid > 0 && pid != os.Getpid() && !filelock.Ended(pid) {
			s = Claimed
		}
	}
	return s
}

// add appends a line, in one write so that it is there or not.
func (l lines) add(line string) {
	if l.file == nil {
		return
	}
	if l.text != "" && !strings.HasSuffix(l.text, "\n") {
		line = "\n" + line
	}
	l.file.WriteString(line + "\n") // or it is shown twice
}
