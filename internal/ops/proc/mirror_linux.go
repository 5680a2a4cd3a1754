//go:build linux && (amd64 || arm64 || riscv64 || loong64 || ppc64le)

package proc

import (
	"os"
	"syscall"
	"unsafe"
)

// Mirror puts a file under memory: what is written there from now on is in the
// file, also when this process is no more. It must hold no pointers. The memory
// begins where it likes but a file can only lie under whole pages, so some bytes
// at its beginning are skipped, and some at its end.
func Mirror(memory []byte, file string) (skipped int, err error) {
	page := os.Getpagesize()
	at := int(uintptr(unsafe.Pointer(&memory[0])) % uintptr(page))
	skipped = (page - at) % page
	size := (len(memory) - skipped) / page * page
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	// Taken from the disk now, so that a full one is no fault later.
	if _, err := f.WriteAt(memory[skipped:skipped+size], 0); err != nil {
		return 0, err
	}
	_, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(unsafe.Pointer(&memory[skipped])), uintptr(size),
		syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_FIXED, f.Fd(), 0)
	if errno != 0 {
		return 0, errno
	}
	return skipped, nil
}
