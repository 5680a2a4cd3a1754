//go:build !(linux && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

package proc

import "errors"

// Mirror cannot be done here.
func Mirror(memory []byte, file string) (skipped int, err error) { return 0, errors.ErrUnsupported }
