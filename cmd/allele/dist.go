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

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/show/chart"
	"github.com/allele-go/allele/internal/show/report"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/testbin/weigh"
	"github.com/allele-go/allele/internal/words"
)

// inputsMax is the largest number of inputs. The test binary has the same bound.
const inputsMax = 1_000_000

// distribution is the state of allele dist.
type distribution struct {
	testbin.Program
	lister list.Lister
	stdout io.Writer
	wanted string // the argument that selects the property
	inputs int
	html   string
	json   bool
	whole  bool
}

// distCommand sets up allele dist.
func distCommand(f *flagSet) action {
	d := &distribution{}
	d.lister.Program = &d.Program
	buildFlags(f, &d.Settings)
	suitesFlag(f, &d.lister.Suites)
	f.IntVar(&d.inputs, "n", 10_000, "`number` of inputs to generate with each kind of odds")
	f.StringVar(&d.html, "html", "", "write an HTML page to this `file` instead of printing")
	f.BoolVar(&d.json, "json", false, "print JSON instead, with all types and the tuned odds")
	f.BoolVar(&d.whole, "all", false, "show all types and constructors, however many there are")
	return func(c *call) error {
		d.stdout, d.Stderr = c.stdout, c.stderr
		if err := d.check(c); err != nil {
			return err
		}
		return d.generate()
	}
}

// check returns an error for invalid flags and arguments.
func (d *distribution) check(c *call) error {
	if d.inputs < 1 || d.inputs > inputsMax {
		return fmt.Errorf("-n: want a number from 1 to %s, not %d", words.Group(inputsMax), d.inputs)
	}
	if c.NArg() == 0 {
		return fmt.Errorf("name a property: %s dist TestName [package]", self)
	}
	choose(&d.Settings, c.Args()[1:], "")
	d.wanted = c.Arg(0)
	if _, err := regexp.Compile(d.wanted); err != nil {
		return fmt.Errorf("the property: %w", err)
	}
	return nil
}

// generate builds the tests, generates inputs and prints how they are distributed.
func (d *distribution) generate() error {
	defer d.Close()
	if err := d.Build(); err != nil {
		return err
	}
	warnBroken(d.Stderr, d.Overlay.Broken)
	p, err := d.find()
	if err != nil {
		return err
	}
	data, err := weigh.Dist(&d.Program, p, job.Text{Inputs: d.inputs})
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
func (d *distribution) find() (launch.Property, error) {
	var all []launch.Property
	var errs []error
	for _, t := range d.Overlay.Tests {
		test, _, _ := strings.Cut(strings.NewReplacer("/", " ", "#", " ").Replace(d.wanted), " ")
		switch {
		case slices.Contains(t.Names, test):
			t.Names, t.Maybe = []string{test}, nil
		case slices.Contains(t.Maybe, test):
			t.Names, t.Maybe = nil, []string{test}
		}
		found, err := d.lister.List(t)
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
func chooseOne(all []launch.Property, wanted string) (launch.Property, error) {
	match := regexp.MustCompile(wanted)
	var same, matching []launch.Property
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
		return launch.Property{}, fmt.Errorf("%s properties match %s; name one of them\n%s",
			words.Group(len(matching)), wanted, enumerated(matching))
	case len(all) == 0:
		return launch.Property{}, errors.New("there are no properties here; a property is a call of allele.Check in a test. " +
			"Name the package after the property, or ./... for all packages")
	}
	return launch.Property{}, fmt.Errorf("no property matches %s; there %s here; add ./... after the name to search all packages\n%s",
		wanted, are(len(all)), enumerated(all))
}

// listedMax is how many names a message lists.
const listedMax = 20

func are(n int) string {
	if n == 1 {
		return "is 1"
	}
	return "are " + words.Group(n)
}

func enumerated(all []launch.Property) string {
	var b strings.Builder
	for i, p := range all {
		if i == listedMax {
			fmt.Fprintf(&b, "    and %s more", words.Group(len(all)-i))
			break
		}
		fmt.Fprintf(&b, "    %s.%s\n", p.Package, words.Printable(p.Name))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// print shows the distribution in the format that the flags request.
func (d *distribution) print(p launch.Property, answer dist.Dist, data []byte) error {
	if d.html != "" {
		file := d.html
		if !filepath.IsAbs(file) {
			file = filepath.Join(d.Dir, file)
		}
		page, err := chart.Page(answer)
		if err == nil {
			err = os.WriteFile(file, page, 0o666)
		}
		if err != nil {
			return fmt.Errorf("-html: %w", err)
		}
		if !d.json {
			fmt.Fprintf(d.stdout, "wrote the distribution of %s to %s; open it in a browser\n", p, d.Relative(file))
		}
	}
	switch {
	case d.json:
		_, err := d.stdout.Write(data)
		return err
	case d.html != "":
		return nil
	}
	style := chart.Style{All: d.whole, Command: d.SameFlags() + d.ScopeFlag() + words.Shell(p.Name)}
	if where := d.Where(p.Package); where != "." {
		style.Command += " " + words.Shell(where)
	}
	var conf report.Config
	if conf.At(d.stdout, d.Stderr, os.Getenv); conf.Size != nil {
		style.Columns, _ = conf.Size()
		style.Colour = conf.Colour
	}
	_, err := io.WriteString(d.stdout, inOurWords(chart.Text(answer, style)))
	return err
}
