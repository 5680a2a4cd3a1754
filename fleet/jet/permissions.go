package jet

import (
	"fmt"
	"slices"
)

// Role is what a user may do.
type Role string

// The roles of a campaign.
const (
	Worker    Role = "worker"    // runs the tests
	Submitter Role = "submitter" // decides what runs
	Viewer    Role = "viewer"    // reads
)

// Allowed are the subjects that a user may publish and subscribe to. Everything else must be denied.
type Allowed struct {
	Publish, Subscribe []string
}

// InboxPrefix is the beginning of the subjects that the replies for a user are sent to: see ConnOptions. Only that user
// may subscribe to it. The name must be a part of a subject, such as the public key of the user.
func InboxPrefix(user string) string { return "_INBOX_" + user }

// Permissions returns what a user with a role may do. No role may make a consumer with a subject to deliver to:
// a server would publish there what the user may not. A submitter makes pull consumers only, but a server cannot tell the two
// apart by subject, so a submitter can publish anything in the campaign.
//
// A reply subject is not checked by the servers: a worker can have the answer to a request sent to any subject of the
// campaign. So readers of CAMP and JOBS must not trust what is there because of where it is: what an agent executes must be
// signed.
func Permissions(role Role, inbox string) (Allowed, error) {
	if inbox == "" {
		return Allowed{}, fmt.Errorf("jet: a user needs an inbox of its own")
	}
	a := Allowed{Subscribe: []string{inbox + ".>"}}
	switch role {
	case Worker:
		a.Subscribe = append(a.Subscribe, "live.corpus.>") // Follow
		a.Publish = slices.Concat(
			[]string{
				"corpus.*.*", // Offer
				"fail.*",     // Report
				"done.*.*",   // Lease.Done
				"blob.*.*",   // large data of all three
				"agent.*",    // Heartbeat
				"$JS.API.CONSUMER.MSG.NEXT." + Jobs + ".*", // TakeJobs
				"$JS.API.CONSUMER.INFO." + Jobs + ".*",     // TakeJobs, if nobody answers
				"$JS.ACK." + Jobs + ".>",                   // Lease.Extend, Lease.Done
			},
			reads(Corpus, Done, Camp, Blob, Bin),
			[]string{
				"$JS.API.DIRECT.GET." + Fail + ".fail.*", // Report: who was first
				"$JS.API.STREAM.MSG.GET." + Fail,
			})
	case Submitter:
		a.Subscribe = append(a.Subscribe, "live.corpus.>")
		a.Publish = slices.Concat(
			[]string{
				"job.*.*",  // PutJob
				"blob.*.*", // large jobs
				"camp.>",   // PutState
				"bin.*.*",  // PutBin
				"$JS.API.INFO",
				"$JS.API.STREAM.CREATE.*", // Create
				"$JS.API.STREAM.UPDATE.*",
				"$JS.API.STREAM.INFO.*",
				"$JS.API.CONSUMER.CREATE." + Jobs + ".>", // PutJob
				"$JS.API.CONSUMER.DURABLE.CREATE." + Jobs + ".*", // by older clients
				"$JS.API.CONSUMER.INFO." + Jobs + ".*",
			},
			reads(Corpus, Fail, Jobs, Done, Camp, Agents, Blob, Bin))
	case Viewer:
		a.Publish = reads(Corpus, Fail, Done, Camp, Agents, Blob)
		for _, s := range []string{Corpus, Fail, Jobs, Done, Camp, Agents} {
			a.Publish = append(a.Publish, "$JS.API.STREAM.INFO."+s)
		}
	default:
		return Allowed{}, fmt.Errorf("jet: no role %.40q", role)
	}
	return a, nil
}

// reads are the requests for stored messages.
func reads(streams ...string) (subjects []string) {
	for _, s := range streams {
		subjects = append(subjects,
			"$JS.API.DIRECT.GET."+s,      // from any replica, by sequence
			"$JS.API.DIRECT.GET."+s+".>", // by subject
			"$JS.API.STREAM.MSG.GET."+s)  // from the leader
	}
	return subjects
}
