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

// noFollow makes it an error to open a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// private reports whether a file is a regular file that belongs to this user, under one name.
func private(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid() && stat.Nlink == 1
}
