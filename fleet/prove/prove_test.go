package prove_test

import (
	"context"
	"testing"
	"time"

	"github.com/allele-go/allele/fleet/jet/cluster"
	"github.com/allele-go/allele/fleet/prove"
)

func check(t *testing.T, o cluster.Options, c prove.Config) {
	t.Helper()
	o.Folder = t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // only a run that hangs takes so long
	defer cancel()
	servers, err := cluster.Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(servers.Stop)
	counts, err := prove.Run(ctx, servers, c)
	t.Logf("%+v", counts)
	if err != nil {
		t.Fatal(err)
	}
	if p := counts.Problems(); p != "" {
		t.Error(p)
	}
	if counts.Won != counts.Keys || counts.Offers != 2*counts.Keys || counts.Jobs != c.Jobs || counts.Redelivered < c.Jobs/10 ||
		counts.Kills != c.Kills || counts.KillAlls != c.KillAlls || counts.Cuts != c.Cuts || counts.Open <= 0 {
		t.Error("the counts do not agree with each other")
	}
}

// Servers are killed while workers offer cases, and nothing is lost.
func TestKills(t *testing.T) {
	c := prove.Config{Offers: 20000, Jobs: 500, Kills: 2, KillAlls: 1}
	if testing.Short() {
		c = prove.Config{Offers: 2000, Jobs: 100, Kills: 1}
	}
	check(t, cluster.Options{}, c)
}

// Servers are cut off while workers offer cases, and nothing is lost.
func TestCuts(t *testing.T) {
	c := prove.Config{Offers: 8000, Jobs: 200, Cuts: 3}
	if testing.Short() {
		c = prove.Config{Offers: 2000, Jobs: 50, Cuts: 1}
	}
	check(t, cluster.Options{Proxies: true}, c)
}
