//go:build go1.25 && linux && (amd64 || arm64 || riscv64 || loong64 || ppc64le)

package proc

import (
	"os"
	"syscall"
	"unsafe"
)

// Mirror maps a file over existing memory: writes to the memory go to the file, which
// outlives this process. The memory must not contain pointers. Only whole pages can be
// mapped, so Mirror leaves out some bytes at the beginning of the memory, whose number it
// returns, and some at its end.
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
	// This allocates the disk space. On a full disk a later write to the memory would
	// crash the process.
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
