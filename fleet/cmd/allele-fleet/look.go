package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/fleet/report"
	"github.com/allele-go/allele/internal/ops/transport"
)

// status shows what the agents do.
func status(k *call) error {
	var p place
	p.register(k)
	if err := k.parseAll(); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	c, err := p.connect(access.Viewer)
	if err != nil {
		return err
	}
	defer c.close()
	o, err := c.readOrder(k)
	if err != nil {
		return err
	}
	agents, err := c.AgentsNow(k)
	if err != nil {
		return err
	}
	var beats []report.Heartbeat
	for _, a := range agents {
		h, err := report.DecodeHeartbeat(a.Data)
		if err != nil {
			h.Host, h.Trouble = "?", err.Error()
		}
		beats = append(beats, h)
	}
	failures := 0
	if _, err := c.Failures(k, 0, func(transport.Failure) error { failures++; return nil }); err != nil {
		return err
	}
	show(k, o, beats, failures)
	return nil
}

// show prints the state of a campaign.
func show(k *call, o order.Order, beats []report.Heartbeat, failures int) {
	switch {
	case o.Number == 0:
		fmt.Fprintln(k.stdout, "no order yet; run: allele-fleet submit")
	case o.Drain:
		fmt.Fprintf(k.stdout, "campaign %s: drained since %s; to go on, run: allele-fleet drain -undo\n", o.Campaign,
			o.Time.Format(time.DateTime))
	default:
		fmt.Fprintf(k.stdout, "campaign %s: order of %s, bundle %.12s\n", o.Campaign, o.Time.Format(time.DateTime), o.Bundle)
	}
	w := tabwriter.NewWriter(k.stdout, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "host\tstate\tbundle\tworkers\truns\tsent\treceived\tfailures\t")
	var sum report.Heartbeat
	for _, h := range beats {
		bundle := fmt.Sprintf("%.12s", h.Bundle)
		if h.Bundle != o.Bundle {
			bundle += " (old)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t\n", plain(h.Host), plain(string(h.State)), plain(bundle),
			h.Workers, h.Runs, h.Sent, h.Received, h.Failures)
		sum.Workers, sum.Runs, sum.Won = sum.Workers+h.Workers, sum.Runs+h.Runs, sum.Won+h.Won
	}
	w.Flush()
	for _, h := range beats {
		if h.Trouble != "" {
			fmt.Fprintf(k.stdout, "%s: %s\n", plain(h.Host), plain(h.Trouble))
		}
		if h.Waiting > 0 {
			fmt.Fprintf(k.stdout, "%s: %d failures are on its disk and not confirmed\n", plain(h.Host), h.Waiting)
		}
	}
	fmt.Fprintf(k.stdout, "%d agents · %d workers · %d runs · %d failures\n", len(beats), sum.Workers, sum.Runs, failures)
	if failures > 0 {
		fmt.Fprintln(k.stdout, "to see the failures, run: allele-fleet findings")
	}
}

// plain removes what a terminal would obey: texts of agents are texts of others.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}

// plainLines is plain for a text of several lines.
func plainLines(s string) string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, plain(strings.ReplaceAll(line, "\t", "    ")))
	}
	return strings.Join(lines, "\n")
}

// findings lists the failures.
func findings(k *call) error {
	var p place
	p.register(k)
	out := k.String("o", "", "write each failure, with its case, to this `folder`")
	if err := k.parseAll(); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	c, err := p.connect(access.Viewer)
	if err != nil {
		return err
	}
	defer c.close()
	var all []*report.Failure
	_, err = c.Failures(k, 0, func(t transport.Failure) error {
		f, err := report.DecodeFailure(t)
		if err != nil {
			fmt.Fprintln(k.stderr, "allele-fleet findings:", plain(err.Error()))
			return nil
		}
		all = append(all, f)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b *report.Failure) int {
		return strings.Compare(a.Package+" "+a.Property, b.Package+" "+b.Property)
	})
	for _, f := range all {
		text := strings.ReplaceAll(plainLines(strings.TrimSpace(f.Text)), "\n", "\n    ")
		fmt.Fprintf(k.stdout, "%s %s: %s\n    found by %s on %s, bundle %.12s\n    %s\n\n", plain(f.Package), plain(f.Property),
			plain(f.Sign), plain(f.Host), f.Time.Format(time.DateTime), plain(f.Bundle), text)
		if *out != "" {
			if err := writeFinding(*out, f); err != nil {
				return err
			}
		}
	}
	switch {
	case len(all) == 0:
		fmt.Fprintln(k.stdout, "no failures so far")
		return nil
	case *out == "":
		fmt.Fprintf(k.stdout, "%d failures; to write their cases to a folder, add: -o FOLDER\n", len(all))
	default:
		fmt.Fprintf(k.stdout, "%d failures in %s; each has a folder with a report and, in testdata, its case: "+
			"copy testdata to the folder of the package, and go test runs the case\n", len(all), *out)
	}
	return errFailed
}

// writeFinding writes a failure to a folder of its own.
func writeFinding(out string, f *report.Failure) error {
	key := f.Key()
	dir := filepath.Join(out, hex.EncodeToString(key[:6]))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	head := fmt.Sprintf("package %s\nproperty %s\nfailure %s\nfound by %s on %s\nbundle %s\n\n", f.Package, f.Property, f.Sign, f.Host,
		f.Time.Format(time.RFC3339), f.Bundle)
	if err := os.WriteFile(filepath.Join(dir, "report.txt"), []byte(head+f.Text+"\n"), 0o666); err != nil {
		return err
	}
	if f.File == "" {
		return nil
	}
	file := filepath.Join(dir, filepath.FromSlash(f.File)) // DecodeFailure has checked it
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, f.Case, 0o666)
}
