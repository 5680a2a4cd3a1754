//go:build go1.25

package load

import (
	"os"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/job"
)

// Building returns the flags of go commands that list or build the program: Flags, with
// job.Tag in addition to the tags of the user. The go command reads only the last -tags, and that of
// GOFLAGS only if there is no other. A program has no jobs.
func (c Config) Building() []string {
	if c.Main {
		return c.Flags
	}
	tags, rest := lastTags(c.goflags()), []string{}
	for _, flag := range c.Flags {
		if given, ok := tagsOf(flag); ok {
			tags = given
		} else {
			rest = append(rest, flag)
		}
	}
	return append(rest, "-tags="+strings.Join(append(SplitTags(tags), job.Tag), ","))
}

// goflags returns the flags in GOFLAGS. Settle puts them into Env if they are in a file.
func (c Config) goflags() []string {
	text := os.Getenv("GOFLAGS")
	for _, v := range c.Env {
		if value, ok := strings.CutPrefix(v, "GOFLAGS="); ok {
			text = value
		}
	}
	flags, _ := splitFlags(text) // the go command says what is wrong
	return flags
}

func lastTags(flags []string) (tags string) {
	for _, flag := range flags {
		if given, ok := tagsOf(flag); ok {
			tags = given
		}
	}
	return tags
}

// tagsOf returns the value of a flag -tags.
func tagsOf(flag string) (tags string, ok bool) {
	return strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "-"), "tags=")
}

// SplitTags splits a list of build tags as the go command does: at commas, or at spaces as long ago.
func SplitTags(list string) []string {
	return slices.Compact(strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }))
}
