//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package proc

import (
	"os"
	"syscall"
)

const canShare = true

func share(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

func unshare(mem []byte) { syscall.Munmap(mem) }

// hold keeps a lock on a file for as long as this process has it open.
func hold(f *os.File) { syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// held reports whether a process holds a file.
func held(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return true // a pipe would be waited for
	}
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close() // which gives the lock back
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}
