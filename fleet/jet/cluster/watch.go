package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"syscall"
)

// Traffic is what a server has received and sent since it was started, by its own count: messages of clients and of other
// servers.
type Traffic struct {
	InMsgs      int64 `json:"in_msgs"`
	OutMsgs     int64 `json:"out_msgs"`
	InBytes     int64 `json:"in_bytes"`
	OutBytes    int64 `json:"out_bytes"`
	Slow        int64 `json:"slow_consumers"` // clients that were cut off because they did not read
	Connections int   `json:"connections"`    // of clients
}

// Traffic asks a server for its counts.
func (c *Cluster) Traffic(ctx context.Context, i int) (t Traffic, err error) {
	ctx, cancel := context.WithTimeout(ctx, trafficTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.nodes[i].health+"/varz", nil)
	if err != nil {
		return t, err
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return t, fmt.Errorf("cluster: traffic of %s: %w", c.nodes[i].name, err)
	}
	defer reply.Body.Close()
	if err := json.NewDecoder(reply.Body).Decode(&t); err != nil {
		return t, fmt.Errorf("cluster: traffic of %s: %w", c.nodes[i].name, err)
	}
	return t, nil
}

// trafficTime is long because a server with thousands of clients answers late.
const trafficTime = 15 * askTime

// Pid returns the process of a server, or 0 if it was killed.
func (c *Cluster) Pid(i int) int {
	if cmd := c.nodes[i].cmd; cmd != nil {
		return cmd.Process.Pid
	}
	return 0
}

// Data returns the folder where a server stores its streams.
func (c *Cluster) Data(i int) string { return filepath.Join(c.nodes[i].folder, "data") }

// TerminateAll asks all servers to exit, and waits until they have.
func (c *Cluster) TerminateAll() {
	for _, n := range c.nodes {
		if n.cmd != nil {
			n.cmd.Process.Signal(syscall.SIGTERM) // fails if it has exited
		}
	}
	for _, n := range c.nodes {
		if n.cmd != nil {
			<-n.exited
			n.cmd = nil
		}
	}
}
