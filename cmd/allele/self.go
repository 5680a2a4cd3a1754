//go:build go1.25

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/words"
)

// asTool is how the command is called in help texts, and where it is installed as a tool
// of the module.
const asTool = job.AsTool

// self is how the user called this command. Commands in messages begin with it.
var self = asTool

// inOurWords replaces asTool in a text by self.
func inOurWords(text string) string { return strings.ReplaceAll(text, asTool, self) }

// builtByGo matches an executable that go tool and go run have built: in the go command's
// build cache, or in a temporary folder.
var builtByGo = regexp.MustCompile(`/[0-9a-f]{2}/[0-9a-f]{64}-d/[^/]+$|/go-build[0-9]+/b[0-9]+/exe/[^/]+$`)

// called finds out how the user called the command. The go command passes the path of the
// executable that it has built; a shell passes what was typed.
func called() string {
	typed := os.Args[0]
	if builtByGo.MatchString(filepath.ToSlash(typed)) {
		info, _ := debug.ReadBuildInfo()
		return byGo(info, ".")
	}
	if name := strings.TrimSuffix(filepath.Base(typed), ".exe"); name == typed || inPath(name, typed) {
		return name
	}
	return words.Shell(typed)
}

// byGo returns the command line for an executable that the go command has built. If the
// module neither has the tool nor requires its module, the user has called go run with a
// version.
func byGo(info *debug.BuildInfo, dir string) string {
	if name, ok := job.Tool(dir); ok {
		return name
	}
	if info == nil || !strings.HasPrefix(info.Main.Version, "v") {
		return asTool
	}
	return "go run " + job.ToolPath + "@" + info.Main.Version
}

// inPath reports whether a shell finds this executable by its name alone.
func inPath(name, executable string) bool {
	found, err := exec.LookPath(name)
	if err != nil {
		return false
	}
	a, err1 := os.Stat(found)
	b, err2 := os.Stat(executable)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}
