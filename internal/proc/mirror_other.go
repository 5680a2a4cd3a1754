//go:build go1.25 && !(linux && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

package proc

import "errors"

// Mirror returns an error: it is not supported on this system.
func Mirror(memory []byte, file string) (skipped int, err error) { return 0, errors.ErrUnsupported }
