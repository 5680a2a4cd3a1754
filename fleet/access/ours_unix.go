//go:build unix

package access

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a file belongs to the user of this process.
func ours(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(s.Uid) == os.Geteuid()
}
