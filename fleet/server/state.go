package server

import (
	"context"
	"strings"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/observe"
)

// State returns what this server stores, for its metrics.
func (s *Server) State(context.Context) (observe.ServerState, error) {
	info, err := s.nats.Jsz(&server.JSzOptions{Accounts: true, Streams: true})
	if err != nil {
		return observe.ServerState{}, err
	}
	state := observe.ServerState{Memory: int64(info.Memory), Leader: info.Meta == nil || info.Meta.Leader == s.nats.Name()}
	for _, account := range info.AccountDetails {
		name, _, _ := strings.Cut(account.Name, "/") // the accounts of campaign tree are tree/main, tree/worker, tree/viewer
		c := observe.CampaignState{Name: name, Stored: int64(account.Store)}
		for _, stream := range account.Streams {
			n := int(stream.State.Msgs)
			switch stream.Name {
			case jet.Corpus:
				c.Cases = n
			case jet.Fail:
				c.Failures = n
			case jet.Jobs:
				c.JobsWaiting = n
			case jet.Agents:
				c.Agents = n
			}
		}
		if len(account.Streams) > 0 {
			state.Campaigns = append(state.Campaigns, c)
		}
	}
	return state, nil
}
