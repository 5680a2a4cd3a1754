package allele

import (
	"os"
	"strings"
)

// begun is the environment of a process that the command has started, as it was
// then: a property may clear it.
var begun = func() []string {
	if os.Getenv("ALLELE_WORK") == "" {
		return nil
	}
	return os.Environ()
}()

// commanded is what the command has told this process under a name. In others it is
// a variable like any.
func commanded(name string) string {
	if begun == nil {
		return os.Getenv(name)
	}
	for i := len(begun) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(begun[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// environment is what a process that is started here gets.
func environment() []string {
	if begun == nil {
		return os.Environ()
	}
	return begun
}
