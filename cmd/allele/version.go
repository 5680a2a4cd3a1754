//go:build go1.25

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// versionCommand sets up allele version.
func versionCommand(*flagSet) action {
	return func(c *call) error {
		if c.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q", c.Arg(0))
		}
		info, _ := debug.ReadBuildInfo()
		fmt.Fprintln(c.stdout, version(info))
		return nil
	}
}

// version describes this executable.
func version(info *debug.BuildInfo) string {
	text := "allele (unknown version)"
	if info == nil {
		return text + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	}
	if v := info.Main.Version; v != "" {
		text = "allele " + v
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	text += " " + info.GoVersion + " " + runtime.GOOS + "/" + runtime.GOARCH
	if revision != "" {
		text += " (revision " + revision + changed + ")"
	}
	return text
}
