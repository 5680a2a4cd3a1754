//go:build go1.25 && (linux || darwin || freebsd || netbsd || openbsd || dragonfly)

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
