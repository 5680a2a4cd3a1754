// Command eval runs the experiments behind every figure this project publishes.
//
//	eval list                      # list the experiments
//	eval NAME [-quick] [-seeds N] [-budget D] [-only PATTERN] [-json FILE|-]
//	eval docs [-check]             # write the results in results/*.json into the pages
//	eval strategy NAME             # print the variable with which allele test uses a strategy of package papers
//
// Run it in the eval folder: cd eval && go run ./cmd/eval list.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/bookkeeping"
	"github.com/allele-go/allele/eval/buildcost"
	"github.com/allele-go/allele/eval/containers"
	"github.com/allele-go/allele/eval/coverage"
	"github.com/allele-go/allele/eval/deaths"
	"github.com/allele-go/allele/eval/decoders"
	"github.com/allele-go/allele/eval/defaults"
	"github.com/allele-go/allele/eval/derive"
	"github.com/allele-go/allele/eval/distribution"
	"github.com/allele-go/allele/eval/endless"
	"github.com/allele-go/allele/eval/everyday"
	"github.com/allele-go/allele/eval/facts"
	"github.com/allele-go/allele/eval/faults"
	"github.com/allele-go/allele/eval/fleet"
	"github.com/allele-go/allele/eval/hard"
	"github.com/allele-go/allele/eval/hour"
	"github.com/allele-go/allele/eval/kept"
	"github.com/allele-go/allele/eval/killed"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/mixes"
	"github.com/allele-go/allele/eval/modules"
	"github.com/allele-go/allele/eval/mu2"
	"github.com/allele-go/allele/eval/names"
	"github.com/allele-go/allele/eval/overhead"
	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/programs"
	"github.com/allele-go/allele/eval/protos"
	"github.com/allele-go/allele/eval/realbugs"
	"github.com/allele-go/allele/eval/refactorings"
	"github.com/allele-go/allele/eval/rewriter"
	"github.com/allele-go/allele/eval/search"
	"github.com/allele-go/allele/eval/shop"
	"github.com/allele-go/allele/eval/shrink"
	"github.com/allele-go/allele/eval/sizes"
	"github.com/allele-go/allele/eval/soak"
	"github.com/allele-go/allele/eval/speed"
	"github.com/allele-go/allele/eval/state"
	"github.com/allele-go/allele/eval/strangers"
	"github.com/allele-go/allele/eval/suite"
	"github.com/allele-go/allele/eval/supervision"
	"github.com/allele-go/allele/eval/tags"
	"github.com/allele-go/allele/eval/text"
	"github.com/allele-go/allele/eval/tracelog"
	"github.com/allele-go/allele/eval/vacuity"
	"github.com/allele-go/allele/eval/worked"
	"github.com/allele-go/allele/eval/workers"
)

// experiments lists all experiments, in the order of the pages that show them.
// CI runs each with -quick.
var experiments = []lab.Experiment{
	derive.Experiment,
	tags.Experiment,
	shrink.Experiment,
	overhead.Experiment,
	overhead.SamePaths,
	overhead.Stable,
	overhead.FaultCost,
	buildcost.Experiment,
	buildcost.First,
	buildcost.Shapes,
	shop.Experiment,
	modules.Experiment,
	modules.Modes,
	modules.Unfaulted,
	state.Experiment,
	strangers.Experiment,
	containers.Experiment,
	protos.Experiment,
	rewriter.Experiment,
	search.IFC,
	search.Peers,
	search.Etna,
	search.Schedules,
	worked.Experiment,
	worked.Counters,
	facts.Experiment,
	hard.Experiment,
	deaths.Experiment,
	endless.Experiment,
	refactorings.Experiment,
	bookkeeping.Experiment,
	soak.Experiment,
	killed.Experiment,
	supervision.Experiment,
	workers.Experiment,
	suite.Experiment,
	defaults.Bugs,
	defaults.Times,
	defaults.Cap,
	hour.Experiment,
	sizes.Experiment,
	distribution.Table1,
	distribution.Optimiser,
	distribution.Simplify,
	mixes.Experiment,
	coverage.Experiment,
	speed.Experiment,
	tracelog.Experiment,
	vacuity.Experiment,
	everyday.Experiment,
	text.Experiment,
	text.Magic,
	text.Planted,
	kept.Experiment,
	kept.Waiting,
	names.Experiment,
	realbugs.Experiment,
	realbugs.HeldOut,
	realbugs.Parsers,
	realbugs.KeepGoing,
	faults.Gremlins,
	faults.Same,
	faults.Edits,
	faults.Complete,
	faults.Verdicts,
	faults.Self,
	mu2.Experiment,
	decoders.Experiment,
	decoders.Operators,
	decoders.Bugs,
	programs.Coherence,
	programs.Execs,
	programs.Edges,
	programs.Paths,
	programs.QuickFuzz,
	programs.Campaigns,
	programs.FirstTry,
	fleet.Kills,
	fleet.Agents,
	fleet.Messages,
	fleet.Million,
	fleet.Sim,
}

func main() {
	os.Exit(run(os.Args[1:], experiments, os.Stdout, os.Stderr))
}

// The exit codes distinguish a wrong command line from an experiment that failed.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func run(args []string, all []lab.Experiment, stdout, stderr io.Writer) int {
	if len(args) == 2 && args[0] == "strategy" {
		return strategy(args[1], stdout, stderr)
	}
	cmd, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitUsage // the flags were printed already
	}
	if err != nil {
		fmt.Fprintf(stderr, "eval: %v\n", err)
		return exitUsage
	}
	switch cmd.name {
	case "list":
		list(stdout, all)
		return exitOK
	case "docs":
		return report(stderr, docs("..", cmd.check, stdout))
	}
	i := slices.IndexFunc(all, func(e lab.Experiment) bool { return e.Name == cmd.name })
	if i < 0 {
		fmt.Fprintf(stderr, "eval: unknown experiment %q; the experiments are:\n", cmd.name)
		list(stderr, all)
		return exitUsage
	}
	return report(stderr, measure(all[i], cmd, stdout))
}

// strategy prints the variable for a strategy.
func strategy(name string, stdout, stderr io.Writer) int {
	v, err := papers.Variable(name)
	if err != nil {
		fmt.Fprintf(stderr, "eval: %v\n", err)
		return exitUsage
	}
	fmt.Fprintln(stdout, v)
	return exitOK
}

func report(stderr io.Writer, err error) int {
	if err != nil {
		fmt.Fprintf(stderr, "eval: %v\n", err)
		return exitFailed
	}
	return exitOK
}

// command is the parsed command line.
type command struct {
	name   string
	config lab.Config
	json   string
	check  bool
}

// parse accepts flags before and after the name of the experiment. The flag package alone
// would stop at the name.
func parse(args []string, stderr io.Writer) (*command, error) {
	cmd := &command{config: lab.Config{Progress: stderr}}
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&cmd.config.Quick, "quick", false, "run a small version for CI, whose figures mean nothing")
	flags.IntVar(&cmd.config.Seeds, "seeds", 0, "number of seeds (default: the experiment's own)")
	flags.DurationVar(&cmd.config.Budget, "budget", 0, "CPU time of one trial (default: the experiment's own)")
	flags.StringVar(&cmd.config.Only, "only", "", "measure again what this `pattern` matches (modules, modes, strangers)")
	flags.StringVar(&cmd.json, "json", "", "write the result to this file; - prints JSON instead of the table")
	flags.BoolVar(&cmd.check, "check", false, "docs: change nothing, and fail if a page is out of date")
	if err := flags.Parse(args); err != nil {
		return nil, flag.ErrHelp
	}
	if flags.NArg() == 0 {
		return nil, errors.New("no experiment named; run eval list to see the experiments")
	}
	cmd.name = flags.Arg(0)
	if err := flags.Parse(flags.Args()[1:]); err != nil {
		return nil, flag.ErrHelp
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("want one experiment; unexpected arguments: %s", strings.Join(flags.Args(), " "))
	}
	if cmd.config.Seeds < 0 || cmd.config.Budget < 0 {
		return nil, errors.New("-seeds and -budget cannot be negative")
	}
	return cmd, nil
}

func list(w io.Writer, all []lab.Experiment) {
	width := 0
	for _, e := range all {
		width = max(width, len(e.Name))
	}
	for _, e := range all {
		fmt.Fprintf(w, "%-*s  %s\n", width, e.Name, e.Doc)
	}
}
