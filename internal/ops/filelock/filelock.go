// Package filelock tells whether somebody still works on a file.
//
// Who makes a file takes its lock, and the system gives that back however the
// process ends. Where there are no locks a file is named after its process:
//
//	held, able := filelock.Lock(f)   // false, true: another process has it
//	gone := filelock.Ended(pid)      // where nobody is able to lock
package filelock
