package fleet

import (
	"context"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/fleet/jet/cluster"
	"github.com/allele-go/allele/fleet/prove"
)

// Kills fails if anything that was confirmed is lost, or is there twice.
var Kills = lab.Experiment{
	Name: "fleetkills",
	Doc:  "a campaign on three servers while they are killed and cut off: what is lost, doubled or out of order",
	Run:  runKills,
}

var killsConfig = lab.Default[prove.Config]{
	Full:  prove.Config{Offers: 200_000, Jobs: 2000, Kills: 6, KillAlls: 5, Cuts: 3},
	Quick: prove.Config{Offers: 1000, Jobs: 20, Kills: 1},
}

func runKills(cfg lab.Config) (*lab.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	want := killsConfig.Full
	if cfg.Quick {
		want = killsConfig.Quick
	}
	c, stop, err := servers(ctx, cluster.Options{Proxies: want.Cuts > 0})
	if err != nil {
		return nil, err
	}
	defer stop()
	n, err := prove.Run(ctx, c, want)
	res := &lab.Result{Rows: killsRows(n, want)}
	res.Summary = map[string]any{"calls repeated": n.Errors, "offers left at a kill, at least": n.Open}
	if err != nil {
		return res, err
	}
	var p problems
	p.check(n.Problems() == "", "problems: %s", n.Problems())
	p.check(n.Won == n.Keys && n.Offers == 2*n.Keys, "%d offers of %d keys, %d won", n.Offers, n.Keys, n.Won)
	p.check(n.Jobs == want.Jobs && n.Redelivered >= want.Jobs/10, "%d jobs judged, %d leased again", n.Jobs, n.Redelivered)
	p.check(n.Kills == want.Kills && n.KillAlls == want.KillAlls && n.Cuts == want.Cuts && n.Open > 0,
		"not all kills and cuts happened: %+v", n)
	return res, p.err()
}

func killsRows(n prove.Counts, want prove.Config) (rows []lab.Row) {
	add := func(what string, count int, must any) {
		rows = append(rows, lab.Row{lab.Col("what", what), lab.Col("count", count), lab.Col("must be", must)})
	}
	add("leaders killed with SIGKILL", n.Kills, want.Kills)
	add("all three servers killed at once", n.KillAlls, want.KillAlls)
	add("leaders cut off from everybody", n.Cuts, want.Cuts)
	add("offers that were answered, two of each case", n.Offers, want.Offers)
	add("offers that have won", n.Won, want.Offers/2)
	add("cases that have won and are not stored", n.Lost, 0)
	add("cases that are stored twice", n.Doubled, 0)
	add("cases with two winners", n.TwoWinners, 0)
	add("cases without a winner", n.NoWinner, 0)
	add("cases stored for another worker than the one that was told", n.WrongOwner, 0)
	add("cases that a follower never got", n.Missed, 0)
	add("cases that a follower got out of order", n.Disorder, 0)
	add("failures reported", n.Failures, (n.Keys+49)/50)
	add("failures that are not stored exactly once", n.FailuresWrong, 0)
	add("jobs with a result", n.Jobs, want.Jobs)
	add("jobs whose worker died, leased again", n.Redelivered, nil)
	add("jobs without exactly one result", n.JobsWrong, 0)
	add("stored data that cannot be read", n.Damaged, 0)
	return rows
}
