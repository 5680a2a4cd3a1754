// Package fleet measures campaigns on many hosts: what is lost when servers are killed, what a
// message costs, and how many hosts and cases the servers can hold.
//
// The servers are real nats-server processes on this machine, or one in this process. All traffic stays
// on the loopback interface, and clients and servers share the cores. So a rate is a floor, and counts
// are what the experiments check.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/fleet/jet/cluster"
)

// longest stops an experiment that hangs.
const longest = time.Hour

// servers starts three servers in a temporary folder.
func servers(ctx context.Context, o cluster.Options) (c *cluster.Cluster, stop func(), err error) {
	if o.Folder, err = os.MkdirTemp("", "fleet-"); err != nil {
		return nil, nil, err
	}
	if c, err = cluster.Start(ctx, o); err != nil {
		os.RemoveAll(o.Folder)
		return nil, nil, err
	}
	return c, func() {
		c.Stop()
		os.RemoveAll(o.Folder)
	}, nil
}

// problems collects what is wrong.
type problems []string

func (p *problems) check(ok bool, format string, args ...any) {
	if !ok {
		*p = append(*p, fmt.Sprintf(format, args...))
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return errors.New(strings.Join(p, "\n"))
}

// megabytes is the unit of memory and of files in the tables.
const megabytes = 1 << 20

// resident returns the memory of a process in MB.
func resident(pid int) float64 {
	stat := lab.Stat(pid)
	if len(stat) < 22 {
		return 0
	}
	var pages int
	fmt.Sscan(stat[21], &pages)
	return float64(pages*os.Getpagesize()) / megabytes
}

// seconds returns the CPU time of a process.
func seconds(pid int) float64 {
	stat := lab.Stat(pid)
	if len(stat) < 13 {
		return 0
	}
	var user, system float64
	fmt.Sscan(stat[11], &user)
	fmt.Sscan(stat[12], &system)
	const ticks = 100 // in a second, on Linux
	return (user + system) / ticks
}

// stored returns the size of the files in a folder, in MB.
func stored(folder string) (mb float64, err error) {
	err = filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			mb += float64(info.Size()) / megabytes
		}
		return err
	})
	return mb, err
}
