//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/chart"
	"github.com/allele-go/allele/internal/ops/dist"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/report"
)

const distUsage = `usage: allele dist [flags] PROPERTY [package]

Shows how often each constructor is generated in the inputs of a property, and how large
and deep the inputs are. Each number is shown as predicted and as counted. All are shown
for the property as it is declared, for even odds, and for tuned odds. The inputs are
generated but not run.

PROPERTY is a name as allele test prints it, or a regular expression that matches one
property.

Example:
    go tool allele dist TestInsert ./tree

Flags:
`

// inputsMax is the largest number of inputs. The test binary has the same bound.
const inputsMax = 1_000_000

// distribution is the state of allele dist.
type distribution struct {
	program
	stdout io.Writer
	wanted string // the argument that selects the property
	inputs int
	html   string
	json   bool
	whole  bool
}

// distCommand runs allele dist.
func distCommand(args []string, stdout, stderr io.Writer) int {
	d := &distribution{program: program{stderr: stderr}, stdout: stdout}
	defer d.close()
	err := d.parse(args)
	if err == nil {
		err = d.all()
	}
	return ended("allele dist", err, stderr)
}

func (d *distribution) parse(args []string) error {
	f := newFlags("allele dist", distUsage, d.stdout)
	d.register(f.FlagSet)
	d.registerSuites(f.FlagSet)
	f.IntVar(&d.inputs, "n", 10_000, "`number` of inputs to generate with each kind of odds")
	f.StringVar(&d.html, "html", "", "write an HTML page to this `file` instead of printing")
	f.BoolVar(&d.json, "json", false, "print JSON instead, with all types and the tuned odds")
	f.BoolVar(&d.whole, "all", false, "show all types and constructors, however many there are")
	if err := f.parse(args); err != nil {
		return err
	}
	if d.inputs < 1 || d.inputs > inputsMax {
		return fmt.Errorf("-n: want a number from 1 to %s, not %d", group(inputsMax), d.inputs)
	}
	if f.NArg() == 0 {
		return fmt.Errorf("name a property: %s dist TestName [package]", self)
	}
	d.choose(f.Args()[1:])
	d.wanted = f.Arg(0)
	if _, err := regexp.Compile(d.wanted); err != nil {
		return fmt.Errorf("the property: %w", err)
	}
	return nil
}

func (d *distribution) all() error {
	if err := d.build(); err != nil {
		return err
	}
	warnBroken(d.stderr, d.overlay.Broken)
	p, err := d.find()
	if err != nil {
		return err
	}
	data, err := d.askDist(p, job.Text{Inputs: d.inputs})
	if err != nil {
		return err
	}
	answer, err := dist.Decode(data)
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	return d.print(p, answer, data)
}

// find returns the property that the argument names.
func (d *distribution) find() (property, error) {
	var all []property
	var errs []error
	for _, t := range d.overlay.Tests {
		test, _, _ := strings.Cut(strings.NewReplacer("/", " ", "#", " ").Replace(d.wanted), " ")
		switch {
		case slices.Contains(t.Names, test):
			t.Names, t.Maybe = []string{test}, nil
		case slices.Contains(t.Maybe, test):
			t.Names, t.Maybe = nil, []string{test}
		}
		found, err := d.list(t)
		if err != nil {
			errs = append(errs, fmt.Errorf("cannot list the properties of %w", err))
		}
		all = append(all, found...)
	}
	p, err := chooseOne(all, d.wanted)
	if err != nil {
		return p, errors.Join(append(errs, err)...)
	}
	return p, nil // errors of other tests do not matter
}

// chooseOne returns the property with the name wanted. If there is none, it returns the
// only property that matches wanted as a regular expression.
func chooseOne(all []property, wanted string) (property, error) {
	match := regexp.MustCompile(wanted)
	var same, matching []property
	for _, p := range all {
		if p.Name == wanted || strings.HasSuffix("/"+p.Package+"."+p.Name, "/"+wanted) {
			same = append(same, p)
		}
		if match.MatchString(p.String()) || match.MatchString(p.Name) {
			matching = append(matching, p)
		}
	}
	if len(same) > 0 {
		matching = same
	}
	switch {
	case len(matching) == 1:
		return matching[0], nil
	case len(matching) > 1:
		return property{}, fmt.Errorf("%s properties match %s; name one of them\n%s", group(len(matching)), wanted, enumerated(matching))
	case len(all) == 0:
		return property{}, errors.New("there are no properties here; a property is a call of allele.Check in a test. " +
			"Name the package after the property, or ./... for all packages")
	}
	return property{}, fmt.Errorf("no property matches %s; there %s here; add ./... after the name to search all packages\n%s",
		wanted, are(len(all)), enumerated(all))
}

// listedMax is how many names a message lists.
const listedMax = 20

func enumerated(all []property) string {
	var b strings.Builder
	for i, p := range all {
		if i == listedMax {
			fmt.Fprintf(&b, "    and %s more", group(len(all)-i))
			break
		}
		fmt.Fprintf(&b, "    %s.%s\n", p.Package, printable(p.Name))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// askDist makes the test binary of a property generate inputs and count constructors:
// only the binary contains the types of the inputs. Package dist decodes the result.
func (p *program) askDist(of property, want job.Text) ([]byte, error) {
	text, err := os.CreateTemp(p.temp.path, "dist-*")
	if err != nil {
		return nil, err
	}
	text.Close()
	defer os.Remove(text.Name())
	want.To = text.Name()
	j := &job.Job{Mode: job.Dist, Property: of.Name, Text: want}
	d, events, err := p.exec(of, proc.Config{Idle: askMax, Args: []string{of.TestFlag()}, Job: j})
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if e.Kind != event.Note || e.Property != of.Name {
			continue
		}
		if e.Verdict == event.Failed {
			return nil, fmt.Errorf("%s: %s", of, printable(e.Text))
		}
		return readBounded(text.Name(), dist.BytesMax)
	}
	return nil, fmt.Errorf("%s: the test process exited (%s) before all inputs were generated and counted\n%s",
		of, d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
}

func readBounded(file string, size int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, size+1)) // one more byte, so that the decoder can reject a longer file
}

// print shows the distribution in the format that the flags request.
func (d *distribution) print(p property, answer dist.Dist, data []byte) error {
	if d.html != "" {
		file := d.html
		if !filepath.IsAbs(file) {
			file = filepath.Join(d.dir, file)
		}
		page, err := chart.Page(answer)
		if err == nil {
			err = os.WriteFile(file, page, 0o666)
		}
		if err != nil {
			return fmt.Errorf("-html: %w", err)
		}
		if !d.json {
			fmt.Fprintf(d.stdout, "wrote the distribution of %s to %s; open it in a browser\n", p, d.relative(file))
		}
	}
	switch {
	case d.json:
		_, err := d.stdout.Write(data)
		return err
	case d.html != "":
		return nil
	}
	style := chart.Style{All: d.whole, Command: d.sameFlags() + d.scopeFlag() + shellWord(p.Name)}
	if where := d.where(p.Package); where != "." {
		style.Command += " " + shellWord(where)
	}
	var conf report.Config
	if conf.At(d.stdout, d.stderr, os.Getenv); conf.Size != nil {
		style.Columns, _ = conf.Size()
		style.Colour = conf.Colour
	}
	_, err := io.WriteString(d.stdout, inOurWords(chart.Text(answer, style)))
	return err
}
