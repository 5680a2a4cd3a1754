package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// buildFlags are the flags of everything that builds tests. The same flags lead to
// the same work folder, so that nothing is built twice.
func (c *campaign) buildFlags(f *flag.FlagSet) {
	c.loadFlags(f)
	f.BoolVar(&c.race, "race", false, "build with the race detector")
	f.BoolVar(&c.keepWork, "work", false, "print the work folder")
}

// loadFlags are the flags of everything that reads the source.
func (c *campaign) loadFlags(f *flag.FlagSet) {
	f.StringVar(&c.dir, "C", "", "change to this `folder` first")
	f.StringVar(&c.scope, "scope", "", "rewrite these packages as well: a `list` of import paths with commas, of other modules or the standard library; x/... is x and all below it")
	f.StringVar(&c.tags, "tags", "", "build `tags`")
	f.StringVar(&c.mod, "mod", "", "module download `mode`, as for go build")
	f.BoolVar(&c.commands, "x", false, "print the commands")
}

// limitFlags are the flags of everything that runs inputs. What -memory says is
// read by parseMemory.
func (c *campaign) limitFlags(f *flag.FlagSet) (memory *string) {
	f.DurationVar(&c.hang, "hang", 10*time.Second, "how long one run may take, a `time`; the run that takes longer is a finding")
	return f.String("memory", "4GB", "how much memory a process may take: a `size`, or off")
}

// goFlags makes flags for the go command of those it knows.
func (c *campaign) goFlags() {
	for _, v := range []struct{ name, value string }{{"-tags", c.tags}, {"-mod", c.mod}} {
		if v.value != "" {
			c.flags = append(c.flags, v.name+"="+v.value)
		}
	}
	if c.race {
		c.flags = append(c.flags, "-race")
	}
}

// build lists, rewrites and compiles; what the work folder holds already is not
// made again.
func (c *campaign) build() error {
	conf := c.loadConfig()
	c.affected.began = time.Now()
	listing, err := load.List(conf)
	if err != nil {
		return err
	}
	c.affected.listing = listing
	if err := c.workFolder(); err != nil {
		return err
	}
	defer announce(c.stderr, "building "+count(listing.Len(), "package"))()
	if c.overlay, err = build.Make(listing, build.Config{Work: c.work, Load: conf, Calls: c.race}); err != nil {
		return err
	}
	c.sites = map[uint32]site.Site{}
	for _, s := range c.overlay.Sites {
		c.sites[s.ID] = s
	}
	for _, t := range c.overlay.Tests {
		if err := c.overlay.Test(t.Path, c.binary(t.Path)); err != nil {
			return err
		}
	}
	return nil
}

// loadConfig is what the flags say about what to load.
func (c *campaign) loadConfig() load.Config {
	conf := load.Config{Dir: c.dir, Patterns: c.patterns, Flags: c.flags}
	for pattern := range strings.SplitSeq(c.scope, ",") {
		if pattern = strings.TrimSpace(pattern); pattern != "" {
			conf.Scope = append(conf.Scope, pattern)
		}
	}
	if c.commands {
		conf.Show = func(command []string) { fmt.Fprintln(c.stderr, strings.Join(command, " ")) }
	}
	return conf
}

// patience is how long somebody may look at nothing.
const patience = time.Second

// announce says what takes long, once it does, to somebody at a terminal.
func announce(to io.Writer, what string) (stop func()) {
	switch w := to.(type) {
	case interface{ Terminal() bool }:
		if !w.Terminal() {
			return func() {}
		}
	case *os.File:
		if info, err := w.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
			return func() {}
		}
	default:
		return func() {}
	}
	timer := time.AfterFunc(patience, func() { fmt.Fprintln(to, what) })
	return func() { timer.Stop() }
}
