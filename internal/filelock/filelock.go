//go:build go1.25

// Package filelock finds out whether a process still uses a file.
//
// The process that creates a file locks it, and the system releases the lock when the
// process exits, for whatever reason. On a system without locks the number of the
// process is stored in the file or in its name, and Ended reports whether the process has
// exited:
//
//	held, able := filelock.Lock(f)   // false, true: another process holds the lock
//	gone := filelock.Ended(pid)      // if able is false
package filelock
