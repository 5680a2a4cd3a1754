//go:build go1.25

package facts

import (
	"go/types"
	"slices"
	"strings"
)

// pure lists packages of the standard library whose functions only compute. An entry
// that ends in a slash stands for all packages below it. Functions of the standard
// library are judged by their package, because reading their bodies would take longer
// than everything else.
var pure = []string{
	"strings", "bytes", "math", "math/big", "math/bits", "math/cmplx", "sort", "slices", "maps", "strconv", "unicode", "unicode/",
	"errors", "cmp", "iter", "container/", "regexp", "regexp/", "encoding", "encoding/",
	"hash", "hash/adler32", "hash/crc32", "hash/crc64", "hash/fnv",
	"crypto/sha1", "crypto/sha256", "crypto/sha512", "crypto/sha3", "crypto/md5", "net/netip", "net/url", "sync", "sync/atomic", "reflect",
	"bufio", "io", "text/", "html", "path", "go/token", "go/ast", "go/constant", "go/scanner", "unsafe", "unique", "internal/",
}

// partly lists packages where some functions only compute, with the names of these
// functions. Fprint counts as one of them: whatever it writes to is named elsewhere in
// the code, and judged there.
var partly = map[string][]string{
	"fmt": {
		"Sprint", "Sprintf", "Sprintln", "Errorf", "Append", "Appendf", "Appendln",
		"Fprint", "Fprintf", "Fprintln", "Sscan", "Sscanf", "Sscanln",
	},
	"path/filepath": {
		"Join", "Clean", "Base", "Dir", "Ext", "Split", "SplitList", "Rel", "ToSlash", "FromSlash",
		"IsAbs", "IsLocal", "Match", "VolumeName",
	},
}

// except lists functions of pure packages, and of package time, that do more than
// compute.
var except = map[string]string{
	"time.Now": "reads the clock", "time.Since": "reads the clock", "time.Until": "reads the clock",
	"time.Sleep": "waits", "time.After": "waits", "time.AfterFunc": "starts a goroutine", "time.Tick": "waits",
	"time.NewTimer": "waits", "time.NewTicker": "waits", "time.LoadLocation": "reads files",
	"(*sync.WaitGroup).Go": "starts a goroutine", "(*sync.WaitGroup).Wait": "waits", "(*sync.Cond).Wait": "waits",
	"text/template.ParseFiles": "reads files", "text/template.ParseGlob": "reads files",
	"(*text/template.Template).ParseFiles": "reads files", "(*text/template.Template).ParseGlob": "reads files",
}

// impure lists common packages that do more than compute, with what they do.
var impure = map[string]string{
	"os": "reaches the operating system", "os/exec": "starts programs", "syscall": "reaches the operating system",
	"log": "prints", "log/slog": "prints",
	"math/rand": "draws random numbers", "math/rand/v2": "draws random numbers",
	"crypto/rand": "draws random numbers", "hash/maphash": "draws random numbers",
	"net": "reaches the network", "net/http": "reaches the network",
	"fmt": "prints or reads", "path/filepath": "reads folders", "context": "waits for other goroutines",
	"runtime": "depends on the runtime",
}

// outside returns the reason why a builder must not use a function or variable of a
// package outside the scope, or "" if it may use it.
func outside(o types.Object) string {
	path, full := o.Pkg().Path(), o.Name()
	if f, ok := o.(*types.Func); ok {
		full = f.FullName()
	} else {
		full = path + "." + full
		if types.Identical(o.Type(), types.Universe.Lookup("error").Type()) {
			return "" // an error value such as os.ErrNotExist
		}
	}
	if does := except[full]; does != "" {
		return "calls " + full + ", which " + does
	}
	covers := func(p string) bool { return p == path || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) }
	if path == "time" || slices.ContainsFunc(pure, covers) {
		return ""
	}
	if slices.Contains(partly[path], o.Name()) {
		return ""
	}
	if does := impure[path]; does != "" {
		return "calls " + full + ", which " + does
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return "calls " + full + ", which is not in scope; to analyse it too, add -scope " + path
	}
	return "calls " + full + ", which may do more than compute"
}
