//go:build go1.25

package job

import (
	"os"
	"path/filepath"
	"strings"
)

const (
	modulePath = "github.com/allele-go/allele"
	// ToolPath is the import path of the allele command.
	ToolPath = modulePath + "/cmd/allele"
	// AsTool is how the command is called where it is a tool of the module.
	AsTool = "go tool allele"
)

// Tool returns how the allele command is called in a folder, whether it is installed or not.
// If it is a tool of the module, go tool runs it. Otherwise go run does, if the module
// requires the library: the command is a part of the same module, so this adds no
// requirement. ok is false if neither can be told from the go.mod file.
func Tool(dir string) (name string, ok bool) {
	root, mods := modules(dir)
	requires := false
	for _, mod := range mods {
		for _, line := range directives(mod) {
			switch {
			case line[0] == "tool" && line[1] == ToolPath:
				return AsTool, true
			case line[0] == "require" || line[0] == "module":
				requires = requires || line[1] == modulePath
			}
		}
	}
	switch vendor := filepath.Join(root, "vendor"); {
	case !requires:
		return "", false
	case exists(filepath.Join(vendor, "modules.txt")) && !exists(filepath.Join(vendor, filepath.FromSlash(ToolPath))):
		return "go run -mod=readonly " + ToolPath, true // the command is not vendored
	}
	return "go run " + ToolPath, true
}

// Module returns the root folder and the path of the module that contains a folder, or "".
func Module(dir string) (root, path string) {
	root, mod := above(dir, "go.mod")
	for _, line := range directives(mod) {
		if line[0] == "module" {
			return root, line[1]
		}
	}
	return "", ""
}

// modules returns the go.mod files that the go command reads in a folder: that of its module
// or, in a workspace, those of all modules. root is the folder of the module or the
// workspace.
func modules(dir string) (root string, mods []string) {
	root, mod := above(dir, "go.mod")
	if mod == "" {
		return "", nil
	}
	work := os.Getenv("GOWORK")
	if work == "" {
		_, work = above(dir, "go.work")
	}
	if work == "" || work == "off" {
		return root, []string{mod}
	}
	root = filepath.Dir(work)
	for _, line := range directives(work) {
		if used := filepath.FromSlash(line[1]); line[0] == "use" && filepath.IsAbs(used) {
			mods = append(mods, filepath.Join(used, "go.mod"))
		} else if line[0] == "use" {
			mods = append(mods, filepath.Join(root, used, "go.mod"))
		}
	}
	return root, mods
}

// above finds a file in a folder, or in the nearest folder above it.
func above(dir, name string) (folder, file string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", ""
	}
	for ; ; dir = filepath.Dir(dir) {
		if file := filepath.Join(dir, name); exists(file) {
			return dir, file
		}
		if dir == filepath.Dir(dir) {
			return "", ""
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// directives returns the directives of a go.mod or go.work file, each with its verb and its
// first argument. It is no complete parser, but test binaries need no more.
func directives(file string) (found [][2]string) {
	data, _ := os.ReadFile(file) // without the file, there are none
	block := ""
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		verb, opens := strings.CutSuffix(words[0], "(")
		switch {
		case verb == ")":
			block = ""
		case block != "":
			found = append(found, [2]string{block, unquoted(words[0])})
		case opens || len(words) > 1 && words[1] == "(":
			block = verb
		case len(words) > 1:
			found = append(found, [2]string{verb, unquoted(words[1])})
		}
	}
	return found
}

func unquoted(word string) string { return strings.Trim(word, "\"`") }
