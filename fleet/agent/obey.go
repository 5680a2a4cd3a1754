package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/fleet/report"
)

// obey reads orders and obeys them until the context is done.
func (a *Agent) obey(ctx context.Context) error {
	last, err := a.lastOrder()
	if err != nil {
		return err
	}
	var running *round
	stop := func() {
		if running != nil {
			running.stop()
			running = nil
		}
	}
	defer stop()
	for ; ctx.Err() == nil; wait(ctx, a.config.Look) {
		o, ok := a.order(ctx, &last)
		switch {
		case !ok:
			continue // workers go on with what they do
		case o.Drain:
			stop()
			a.set(report.Drained, o, "")
			continue
		case running != nil && running.order.Bundle == o.Bundle:
			if !running.over() {
				a.set(report.Searching, o, "") // after an order that was refused
				continue
			}
			if running.err == nil {
				a.set(report.Done, o, "")
				continue
			}
			a.set(report.Broken, o, running.err.Error())
			if time.Since(running.end) < a.config.Again { // a full disk may be emptied
				continue
			}
		}
		stop()
		dir, m, err := a.unpacked(ctx, o)
		if err != nil {
			a.set(report.Refused, o, err.Error())
			continue
		}
		running = a.start(o, dir, m)
		a.set(report.Searching, o, "")
		a.Metrics.SetBundle(o.Bundle[:12])
	}
	return nil
}

// order reads the order of the campaign. It returns false if there is none that the agent obeys.
func (a *Agent) order(ctx context.Context, last *order.Order) (o order.Order, ok bool) {
	call, cancel := context.WithTimeout(ctx, max(a.config.Look, 2*time.Second))
	defer cancel()
	text, _, err := a.fleet.State(call, order.StateName)
	if err != nil {
		// In an outage the agent goes on with the last order. A campaign whose order has vanished is an outage too.
		return *last, last.Number > 0
	}
	o, err = order.Open(a.config.Credential.Owner, a.config.Credential.Campaign, text)
	if err == nil && last.After(o) {
		err = fmt.Errorf("order %d of %s is older than order %d of %s, which this agent has obeyed; to go on, submit again",
			o.Number, o.Time.Format(time.DateTime), last.Number, last.Time.Format(time.DateTime))
	}
	if err != nil {
		a.set(report.Refused, *last, err.Error())
		return o, false
	}
	if o != *last {
		if err := a.remember(o); err != nil {
			a.set(report.Refused, *last, err.Error())
			return o, false
		}
		*last = o
	}
	return o, true
}

func (a *Agent) orderFile() string { return filepath.Join(a.config.Dir, "order.json") }

// lastOrder returns the last order that an earlier start has obeyed.
func (a *Agent) lastOrder() (o order.Order, err error) {
	text, err := os.ReadFile(a.orderFile())
	if errors.Is(err, os.ErrNotExist) {
		return o, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w; remove the file to start over", a.orderFile(), err)
	}
	if o.Campaign != a.config.Credential.Campaign {
		return o, fmt.Errorf("the folder %s belongs to an agent of campaign %s; choose another one with -dir", a.config.Dir, o.Campaign)
	}
	return o, nil
}

// remember stores the order, so that an older one is not obeyed after a restart.
func (a *Agent) remember(o order.Order) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	part := a.orderFile() + ".part"
	if err := os.WriteFile(part, text, 0o600); err != nil {
		return err
	}
	return os.Rename(part, a.orderFile())
}
