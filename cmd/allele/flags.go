//go:build go1.25

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/words"
)

// call is one call of a subcommand: its flags and arguments, and where its output goes.
type call struct {
	*flagSet
	command        string // that the user has called, for messages
	stdout, stderr io.Writer
	last           func() // prints what follows the error of the command; may be nil
}

// action does what a subcommand does. Its error ends the command with a message.
type action func(c *call) error

// errFailed is the error of a command that has already printed what is wrong.
var errFailed = errors.New("failed")

// unless returns errFailed if not all went well, which was printed.
func unless(ok bool, err error) error {
	if err == nil && !ok {
		return errFailed
	}
	return err
}

// flagSet is the flags of a subcommand. As in go test, flags may also follow the packages.
type flagSet struct {
	*flag.FlagSet
	args []string // what is left without the flags
	help func()   // prints the help
}

// newFlags returns an empty set of flags. help is printed before the list of flags.
func newFlags(name, help string, stdout io.Writer) *flagSet {
	f := &flagSet{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.SetOutput(io.Discard) // parse returns errors, and its caller prints them
	f.Usage = func() {}     // the flag package would call it for every error
	f.help = func() {
		fmt.Fprint(stdout, inOurWords(help))
		f.SetOutput(stdout)
		f.PrintDefaults()
	}
	return f
}

// parse reads the flags, wherever they are, up to an argument "--". For -h it prints the
// help and returns flag.ErrHelp.
func (f *flagSet) parse(args []string) error {
	f.args = nil
	for len(args) > 0 {
		if err := f.Parse(args); err != nil {
			return f.explain(err)
		}
		rest := f.FlagSet.Args()
		if end := len(args) - len(rest); len(rest) == 0 || end > 0 && args[end-1] == "--" {
			f.args = append(f.args, rest...)
			break
		}
		f.args = append(f.args, rest[0])
		args = rest[1:]
	}
	return nil
}

// Args, NArg and Arg hide those of the embedded set, which stops at the first argument
// that is not a flag.
func (f *flagSet) Args() []string { return f.args }

func (f *flagSet) NArg() int { return len(f.args) }

func (f *flagSet) Arg(i int) string {
	if i < len(f.args) {
		return f.args[i]
	}
	return ""
}

// given returns those of the named flags that the user gave, as text for another command.
// It ends with a space if it is not empty.
func (f *flagSet) given(names ...string) (text string) {
	f.Visit(func(x *flag.Flag) {
		if slices.Contains(names, x.Name) {
			text += words.Shell("-"+x.Name+"="+x.Value.String()) + " "
		}
	})
	return text
}

// isGiven reports whether the user gave a flag.
func (f *flagSet) isGiven(name string) bool { return isGiven(f.FlagSet, name) }

func isGiven(f *flag.FlagSet, name string) (given bool) {
	f.Visit(func(x *flag.Flag) { given = given || x.Name == name })
	return given
}

// explain names the nearest flag if the error is about an unknown one, and prints the help
// if that is what the user asked for.
func (f *flagSet) explain(err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.help()
		return err
	case !unknown:
		return err
	case name == "args":
		return errors.New("-args: allele passes no arguments to tests; an environment variable can do this")
	}
	var all []string
	f.VisitAll(func(x *flag.Flag) { all = append(all, x.Name) })
	text := "unknown flag -" + name
	if near := nearest(name, all); near != "" {
		text += "; did you mean -" + near + "?"
	}
	return fmt.Errorf("%s\nto list the flags, run: %s -h", text, inOurWords("go tool "+f.Name()))
}

// unknownCommand returns a message about a subcommand that does not exist. It ends with
// two line ends, and help follows it.
func unknownCommand(of, name string, all []string) string {
	text := fmt.Sprintf("%s: unknown command %q", of, name)
	if near := nearest(name, all); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text + "\n\n"
}

// isHelp reports whether an argument asks for help.
func isHelp(arg string) bool {
	return slices.Contains([]string{"help", "-h", "-help", "--h", "--help"}, arg)
}

// nearest returns the name that somebody who typed a wrong one has probably meant, and ""
// if none is near. A name of which the wrong one is a part counts as near: -timeout is
// near -run-timeout.
func nearest(wrong string, names []string) (best string) {
	least := min(2, len(wrong)/2) + 1 // of a short name, little may be wrong
	for _, name := range names {
		if d := distance(wrong, name); d < least {
			best, least = name, d
		}
	}
	for _, name := range names {
		if best == "" && slices.Contains(strings.Split(name, "-"), wrong) {
			best = name
		}
	}
	return best
}

// distance returns how many letters must be inserted, removed, replaced or swapped with
// their neighbour to turn a into b.
func distance(a, b string) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := []int{i + 1}
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row = append(row, d)
		}
		before, last = last, row
	}
	return last[len(b)]
}
