//go:build go1.25

package load

import (
	"fmt"
	"slices"
	"strings"
)

// GOFLAGS contains flags for every go command: in the environment, or set with go env -w.
// Most of them affect how a program is built, and hold for the builds of allele too. But
// some change what a go command prints or does, so that our commands would not work. They
// have no meaning here, and are left out. With a few others, allele cannot do what they
// request: these are errors.

// unused lists the flags in GOFLAGS that are left out. The go command ignores flags in
// GOFLAGS that the current subcommand does not have, so this list may have flags of any
// subcommand. Flags that it does not have are kept.
var unused = strings.Fields(`
	json f e m u w deps test export find compiled versions retracted reuse changed
	n x v work c o i vet
	cover covermode coverpkg coverprofile
	args artifacts bench benchmem benchtime blockprofile blockprofilerate count cpu cpuprofile failfast fullpath
	fuzz fuzzcachedir fuzzminimizetime fuzztime list memprofile memprofilerate mutexprofile mutexprofilefraction
	outputdir parallel paniconexit0 run short shuffle skip timeout trace`)

// refused lists the flags that are errors, and why.
var refused = map[string]string{
	"overlay":  "allele needs the overlay for its own files",
	"exec":     "allele starts test binaries itself",
	"compiler": "the probes of allele need the compiler gc",
}

// InForce is what GOFLAGS requests for all builds. Race, MSan and ASan are detectors that the
// go command builds into programs.
type InForce struct {
	Race, MSan, ASan bool
	Tags             string
	Linker           bool // there are flags for the linker
}

// Detects reports whether there is a detector.
func (f InForce) Detects() bool { return f.Race || f.MSan || f.ASan }

// Settle returns the configuration with the GOFLAGS that our go commands can use, and the
// flags in it that concern allele too. It asks the go command, because GOFLAGS may be in a file.
func (c Config) Settle() (Config, InForce, error) {
	out, err := c.Go("env", "-json=false", "GOFLAGS")
	if err != nil {
		return c, InForce{}, err
	}
	inForce, ok := splitFlags(strings.TrimSpace(string(out)))
	if !ok {
		return c, InForce{}, nil // the next go command says what is wrong
	}
	kept, on, err := settle(inForce)
	if err == nil && (on.Tags != "" || !slices.Equal(kept, inForce)) { // Building reads the tags there
		c.Env = append(slices.Clone(c.Env), "GOFLAGS="+joinFlags(kept))
	}
	return c, on, err
}

// settle decides about each flag.
func settle(flags []string) (kept []string, on InForce, err error) {
	for _, flag := range flags {
		name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "-"), "=")
		name = strings.TrimPrefix(name, "test.")
		isOn := !hasValue || slices.Contains([]string{"1", "t", "T", "true", "TRUE", "True"}, value)
		switch name {
		case "race":
			on.Race = isOn
		case "msan":
			on.MSan = isOn
		case "asan":
			on.ASan = isOn
		case "tags":
			on.Tags = value
		case "ldflags":
			on.Linker = true
		}
		if why := refused[name]; why != "" && value != "" && flag != "-compiler=gc" {
			rest := joinFlags(slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f == flag }))
			return nil, on, fmt.Errorf("GOFLAGS contains %s, but %s; run the command without this flag, with GOFLAGS=%q in the environment",
				flag, why, rest)
		}
		if !slices.Contains(unused, name) {
			kept = append(kept, flag)
		}
	}
	return kept, on, nil
}

// splitFlags splits GOFLAGS as the go command does: quotes are allowed around a whole flag,
// and there are no escapes. It reports false if a quote is missing.
func splitFlags(text string) (flags []string, ok bool) {
	for {
		text = strings.TrimLeft(text, " \t\n\r")
		if text == "" {
			return flags, true
		}
		end := " \t\n\r"
		if text[0] == '"' || text[0] == '\'' {
			end, text = text[:1], text[1:]
			if !strings.Contains(text, end) {
				return nil, false
			}
		}
		at := strings.IndexAny(text+end, end)
		flags = append(flags, text[:at])
		text = text[min(len(text), at+1):]
	}
}

// joinFlags is the reverse of splitFlags. No flags are a space, because the go command reads
// its file if the variable is empty.
func joinFlags(flags []string) string {
	text := ""
	for _, flag := range flags {
		quote := ""
		if strings.ContainsAny(flag, " \t\n\r'\"") {
			if quote = "'"; strings.Contains(flag, quote) {
				quote = `"`
			}
		}
		text += " " + quote + flag + quote
	}
	if text == "" {
		return " "
	}
	return text[1:]
}
