package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// build lists, rewrites and compiles; what the work folder holds already is not
// made again.
func (c *campaign) build() error {
	conf := load.Config{Dir: c.dir, Patterns: c.patterns, Flags: c.flags}
	for pattern := range strings.SplitSeq(c.scope, ",") {
		if pattern = strings.TrimSpace(pattern); pattern != "" {
			conf.Scope = append(conf.Scope, pattern)
		}
	}
	if c.commands {
		conf.Show = func(command []string) { fmt.Fprintln(c.stderr, strings.Join(command, " ")) }
	}
	listing, err := load.List(conf)
	if err != nil {
		return err
	}
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

// patience is how long somebody may look at nothing.
const patience = time.Second

// announce says what takes long, once it does, to somebody at a terminal.
func announce(to io.Writer, what string) (stop func()) {
	file, ok := to.(*os.File)
	if !ok {
		return func() {}
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func() {}
	}
	timer := time.AfterFunc(patience, func() { fmt.Fprintln(file, what) })
	return func() { timer.Stop() }
}
