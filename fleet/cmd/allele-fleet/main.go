// Command allele-fleet runs a campaign of allele on many hosts.
//
//	allele-fleet serve    -dir DIR                     a server, alone or one of three
//	allele-fleet submit   -dir DIR -campaign NAME ...  build tests and order agents to search
//	allele-fleet agent    -cred FILE                   search on this host
//	allele-fleet status   -dir DIR -campaign NAME      what the agents do
//	allele-fleet findings -dir DIR -campaign NAME      what they have found
//
// The other commands are grant, revoke, node, drain, export and import. One host is enough for most
// modules: see go tool allele test.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const (
	exitOK     = 0
	exitFailed = 1 // findings has found some
	exitUsage  = 2
)

// command is a subcommand.
type command struct {
	name, args, doc string
	run             func(*call) error
}

func commands() []command {
	return []command{
		{"serve", "-dir DIR | -config FILE", "run a server, alone or as one of three", serve},
		{"submit", "-dir DIR -campaign NAME [packages]", "build the tests of packages, and order the agents to search", submit},
		{"agent", "-cred FILE", "search on this host", runAgent},
		{"status", "-dir DIR -campaign NAME", "show what the agents do", status},
		{"findings", "-dir DIR -campaign NAME [-module DIR]", "list the failures, and write their cases to the module", findings},
		{"drain", "-dir DIR -campaign NAME [-undo]", "order the agents to stop searching", drain},
		{"grant", "-dir DIR -campaign NAME -role ROLE -o FILE", "make a credential for a host or a person", grant},
		{"revoke", "-dir DIR -campaign NAME [USER]", "list credentials, or make one useless", revoke},
		{"node", "-dir DIR -names HOSTS -o DIR", "make the folder of another server of a cluster", node},
		{"distil", "-dir DIR -campaign NAME", "find out which cases are needed, so that new agents run no others", distilCommand},
		{"export", "-dir DIR -campaign NAME -o FILE", "write all cases and failures to a zip file", export},
		{"import", "-dir DIR -campaign NAME FILE", "read cases and failures of an export", imports},
	}
}

func usage() string {
	var b strings.Builder
	b.WriteString("usage: allele-fleet COMMAND [flags]\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "    %-9s %s\n", c.name, c.doc)
	}
	b.WriteString("\nExample, each in a terminal of its own:\n" +
		"    allele-fleet serve -dir fleet\n" +
		"    allele-fleet submit -dir fleet -campaign tree ./...\n" +
		"    allele-fleet agent -cred fleet/credentials/tree-worker.cred\n\n" +
		"Instead of -dir and -campaign most commands take -cred FILE, a credential of allele-fleet grant.\n" +
		"allele-fleet COMMAND -h prints the help of a command.\n")
	return b.String()
}

// call is one call of a subcommand.
type call struct {
	*flag.FlagSet
	context.Context
	stdout, stderr io.Writer
	args           []string
}

// errFailed is returned by a command that has done its work and found failures.
var errFailed = errors.New("failures were found")

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage())
		return exitUsage
	}
	if slices.Contains([]string{"-h", "-help", "--help", "help"}, args[0]) {
		fmt.Fprint(stdout, usage())
		return exitOK
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		k := &call{FlagSet: flag.NewFlagSet("allele-fleet "+c.name, flag.ContinueOnError), Context: ctx, stdout: stdout, stderr: stderr,
			args: args[1:]}
		k.SetOutput(io.Discard) // errors are printed below
		k.Usage = func() {}
		err := c.run(k)
		switch {
		case err == nil:
			return exitOK
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprintf(stdout, "usage: allele-fleet %s %s\n\n%s%s.\n\nFlags:\n", c.name, c.args,
				strings.ToUpper(c.doc[:1]), c.doc[1:])
			k.SetOutput(stdout)
			k.PrintDefaults()
			return exitOK
		case errors.Is(err, errFailed):
			return exitFailed
		}
		fmt.Fprintf(stderr, "allele-fleet %s: %v\n", c.name, err)
		return exitUsage
	}
	fmt.Fprintf(stderr, "allele-fleet: unknown command %q\n\n%s", args[0], usage())
	return exitUsage
}

// readMax is how long a command reads from the servers.
const readMax = 2 * time.Minute

// within returns the call with a deadline.
func (k *call) within(d time.Duration) (*call, context.CancelFunc) {
	c := *k
	ctx, cancel := context.WithTimeoutCause(k.Context, d, fmt.Errorf("no answer of the servers within %v", d))
	c.Context = ctx
	return &c, cancel
}

// parse reads the flags. Flags may follow arguments.
func (k *call) parse() (rest []string, err error) {
	for args := k.args; len(args) > 0; {
		if err := k.Parse(args); err != nil {
			if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: "); ok {
				err = fmt.Errorf("unknown flag %s; to list the flags, run: %s -h", name, k.Name())
			}
			return nil, err
		}
		if args = k.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, nil
}

// isGiven reports whether the user gave a flag.
func (k *call) isGiven(name string) (given bool) {
	k.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

// parseAll is parse for a command without arguments.
func (k *call) parseAll() error {
	rest, err := k.parse()
	if err == nil && len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q; to list the flags, run: %s -h", rest[0], k.Name())
	}
	return err
}
