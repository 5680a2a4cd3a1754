//go:build go1.25

// Package proc runs a program that may do anything, and reports how it ended.
//
// The folder is a room: processes, what one asks another to do, and what it reports.
//
//	launch                     starts a test binary with a job and reads its events
//	 |  \
//	 |  event                  what happened: one JSON line for each event
//	 |    |
//	 |    |   share            what workers send to each other: the inputs that they save
//	 |    |    |
//	 |    |    |   child       a test binary that answers the questions of another
//	 |    |    |    |  |
//	 +----+-- proc -+  |       this package
//	            |      |
//	           job ----+       what is requested from a test binary
//
//	claims    which of several processes reports a failure
//	dist      what a test binary reports about the inputs of a property
//	scoring   what allele score requests from a test binary, and its answers
//
// A property under test can overflow its stack, call os.Exit, write to a map from
// two goroutines, wait forever, use all memory or kill its own process. None of that can
// be caught from inside the process. So properties run in a process of their own: the
// same test binary, started again. It writes each input to a Slot before running it:
//
//	slot.Begin(c); property(c); slot.End(seen)    // worker: the hot path
//
//	p, err := proc.Start(proc.Config{Path: binary, Slot: slot, Hang: 10 * time.Second})
//	d := p.Wait()                                 // parent: how did it end?
//	if d.Running { c, err := slot.Case() }        // and during which input?
//
// A process that answers questions needs no slot: its parent sends the inputs one by one
// and therefore knows which input is running.
//
//	answer, ok := p.Ask(c)                        // if not ok the process has exited: Wait
//
// The wall clock is used only for timeouts.
package proc
