package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/distil"
	"github.com/allele-go/allele/internal/campaign/bundle"
)

// distilCommand puts a job for each property: which of its cases are needed? Then it shows the results.
func distilCommand(k *call) error {
	var p place
	p.register(k)
	put := k.Bool("start", false, "ask the agents to find out, for each property of the bundle")
	c, err := p.join(k, access.Submitter)
	if err != nil {
		return err
	}
	defer c.close()
	newest := map[string]distil.Result{}
	err = distil.Results(k, c.Transport, func(r distil.Result) {
		if name := r.Package + " " + r.Property; r.Last >= newest[name].Last {
			newest[name] = r
		}
	})
	if err != nil {
		return err
	}
	if *put {
		n, err := c.putDistil(k)
		if err != nil {
			return err
		}
		fmt.Fprintf(k.stdout, "%s for the agents; to see the results, run: allele-fleet distil %s\n", count(n, "job"), p.flags())
		return nil
	}
	if len(newest) == 0 {
		fmt.Fprintf(k.stdout, "no results yet; to ask the agents, run: allele-fleet distil -start %s\n", p.flags())
	}
	for _, name := range slices.Sorted(maps.Keys(newest)) {
		r := newest[name]
		fmt.Fprintf(k.stdout, "%s: %d of %s needed\n", plain(name), len(r.Needed), count(r.Cases, "case"))
	}
	return nil
}

// putDistil puts a job for each property of the bundle that the agents run.
func (c *connection) putDistil(k *call) (n int, err error) {
	o, err := c.readOrder(k)
	if err != nil {
		return 0, err
	}
	if o.Number == 0 {
		return 0, errors.New("there is no order yet; run: allele-fleet submit")
	}
	dir, err := os.MkdirTemp("", "allele-fleet-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	f, err := os.CreateTemp(dir, "bundle")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := c.Bin(k, o.Bundle, f); err != nil {
		return 0, err
	}
	m, err := bundle.Unpack(f, o.Size, dir)
	if err != nil {
		return 0, err
	}
	number := int(time.Now().Unix())
	for _, p := range m.Properties {
		j := distil.Job{Bundle: o.Bundle, Package: p.Package, Property: p.Name, Number: number}
		text, err := json.Marshal(j)
		if err != nil {
			return n, err
		}
		if err := c.PutJob(k, distil.Queue, j.ID(), text); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
