//go:build !unix

package access

import "io/fs"

// ours reports whether a file belongs to the user of this process. Where files have no owner, all do.
func ours(fs.FileInfo) bool { return true }
