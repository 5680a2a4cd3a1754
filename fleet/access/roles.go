package access

import (
	"slices"

	"github.com/nats-io/jwt/v2"

	"github.com/allele-go/allele/fleet/jet"
)

// A Role is what a credential is for.
type Role string

// The roles, from the least to the most powerful.
const (
	// Viewer reads cases, failures, results and the state of the campaign. It can write nothing.
	Viewer Role = "viewer"
	// Worker runs tests: it takes jobs, and adds cases, failures and results. It cannot change or delete
	// anything that is stored, and it cannot decide which binaries or jobs run.
	Worker Role = "worker"
	// Submitter decides what runs: state, bundles and jobs. It makes the streams and cannot delete them.
	Submitter Role = "submitter"
	// Admin may do everything in its campaign.
	Admin Role = "admin"
)

// Roles are all roles.
var Roles = []Role{Viewer, Worker, Submitter, Admin}

// A place names one of the accounts of a campaign.
type place string

const (
	mainPlace   place = "main"   // the streams, submitters and admins
	workerPlace place = "worker" // imports the calls of workers
	viewerPlace place = "viewer" // imports the calls of viewers
)

var places = []place{mainPlace, workerPlace, viewerPlace}

func (r Role) place() place {
	switch r {
	case Worker:
		return workerPlace
	case Viewer:
		return viewerPlace
	}
	return mainPlace
}

// self stands for the public key of the user in a permission. The server replaces it.
const self = "{{subject()}}"

// inboxPrefix begins the subjects on which a user receives answers. Nobody else in the account may
// subscribe to them.
const inboxPrefix = "_INBOX_"

// live are the cases as they are accepted.
const live = "live." + "corpus.>"

// streams are the streams of a campaign.
var streams = []string{jet.Corpus, jet.Fail, jet.Jobs, jet.Done, jet.Camp, jet.Agents, jet.Blob, jet.Bin}

// Streams that a role may read as a whole. A viewer of results needs no binaries, and no jobs, which name
// inputs that are not judged yet. A worker must not list the failures that others have found.
var (
	viewed = []string{jet.Corpus, jet.Fail, jet.Done, jet.Camp, jet.Agents, jet.Blob}
	worked = []string{jet.Corpus, jet.Done, jet.Camp, jet.Blob, jet.Bin}
)

// A call is a subject that a role may publish to.
type call struct {
	subject string
	export  string // the subject of the main account; subject if empty
	local   string // the subject of the role's own account; export if empty
	many    bool   // the answer may have several messages
}

// GuestAPI is the prefix, instead of $JS.API, under which workers and viewers ask for information about
// streams and consumers, and for messages from the leader of a stream. Every account has a $JS.API of its own,
// and theirs answers that JetStream is not enabled. Direct gets and pulls are not affected: they are
// answered by the stream itself.
const GuestAPI = "fleet.API"

// guest returns a call for each name that the accounts of workers and viewers make under GuestAPI.
func guest(kind string, names ...string) []call {
	var calls []call
	for _, name := range names {
		end := "." + kind + "." + name
		calls = append(calls, call{subject: GuestAPI + end, export: "$JS.API" + end, local: GuestAPI + end})
	}
	return calls
}

// get returns the calls that read a stream by sequence, in batches, and by subject.
func get(names ...string) []call {
	var calls []call
	for _, name := range names {
		calls = append(calls, call{subject: "$JS.API.DIRECT.GET." + name, many: true},
			call{subject: "$JS.API.DIRECT.GET." + name + ".>"}) // one answer: the server refuses a batch here
	}
	return calls
}

// each returns a call for each stream.
func each(prefix string, names ...string) []call {
	var calls []call
	for _, name := range names {
		calls = append(calls, call{subject: prefix + name})
	}
	return calls
}

// calls returns all that a role may publish.
func (r Role) calls() []call {
	switch r {
	case Viewer:
		return slices.Concat(
			get(viewed...), guest("STREAM.MSG.GET", viewed...), guest("STREAM.INFO", streams...))
	case Worker:
		return slices.Concat([]call{
			{subject: "corpus.*.*"}, {subject: "fail.*"}, {subject: "done.*.*"}, {subject: "blob.*.*"},
			{subject: "agent." + self, export: "agent.*"},
			{subject: "$JS.ACK." + jet.Jobs + ".>"},
			{subject: "$JS.API.CONSUMER.MSG.NEXT." + jet.Jobs + ".*", many: true},
			// Only by subject: a worker that knows the key of a failure may ask who reported it.
			{subject: "$JS.API.DIRECT.GET." + jet.Fail + ".fail.*"},
		}, guest("CONSUMER.INFO", jet.Jobs+".*"), get(worked...), guest("STREAM.MSG.GET", worked...))
	case Submitter:
		return slices.Concat([]call{
			{subject: "camp.>"}, {subject: "bin.*.*"}, {subject: "job.*.*"}, {subject: "blob.*.*"}, // blob: large jobs
			{subject: "$JS.API.INFO"},
			{subject: "$JS.API.CONSUMER.CREATE." + jet.Jobs + ".>"},
			{subject: "$JS.API.CONSUMER.DURABLE.CREATE." + jet.Jobs + ".*"},
			{subject: "$JS.API.CONSUMER.INFO." + jet.Jobs + ".*"},
		}, get(streams...), each("$JS.API.STREAM.MSG.GET.", streams...), each("$JS.API.STREAM.INFO.", streams...),
			each("$JS.API.STREAM.CREATE.", streams...), each("$JS.API.STREAM.UPDATE.", streams...))
	case Admin:
		return []call{{subject: ">"}}
	}
	return nil
}

// listens returns all that a role may subscribe to.
func (r Role) listens() []string {
	inbox := inboxPrefix + self + ".>"
	switch r {
	case Viewer:
		return []string{inbox}
	case Worker, Submitter:
		return []string{inbox, live}
	case Admin:
		return []string{">"}
	}
	return nil
}

// subscriptionsMax bounds the subscriptions of a connection. An agent needs its inbox and the live cases.
const subscriptionsMax = 256

// template returns the permissions of a role, as the account's JWT has them. They are not in the JWT of
// the user: a role can be changed for all its users by a new JWT of the account.
func (r Role) template() jwt.UserPermissionLimits {
	t := jwt.UserPermissionLimits{}
	for _, c := range r.calls() {
		t.Pub.Allow.Add(c.subject)
	}
	t.Sub.Allow.Add(r.listens()...)
	t.NatsLimits = jwt.NatsLimits{Subs: subscriptionsMax, Data: jwt.NoLimit, Payload: jwt.NoLimit}
	// A leaf node or a websocket would be a second way in, with other rules.
	t.AllowedConnectionTypes.Add(jwt.ConnectionTypeStandard)
	return t
}

// exports returns what the main account offers to the accounts of workers and viewers. Exports must not
// overlap. An import may be narrower than the export.
func exports() jwt.Exports {
	all := slices.Concat(Worker.calls(), Viewer.calls())
	var list jwt.Exports
	for i, c := range all {
		subject := jwt.Subject(c.imported())
		if slices.ContainsFunc(all, func(other call) bool {
			return other.imported() != c.imported() && subject.IsContainedIn(jwt.Subject(other.imported()))
		}) || slices.ContainsFunc(all[:i], func(earlier call) bool { return earlier.imported() == c.imported() }) {
			continue
		}
		e := &jwt.Export{Name: c.imported(), Subject: subject, Type: jwt.Service, ResponseType: jwt.ResponseTypeSingleton}
		if c.many {
			e.ResponseType = jwt.ResponseTypeStream
		}
		list.Add(e)
	}
	list.Add(&jwt.Export{Name: live, Subject: live, Type: jwt.Stream})
	return list
}

// imports returns what the account of a role takes from the main account.
func (r Role) imports(from string) jwt.Imports {
	var list jwt.Imports
	for _, c := range r.calls() {
		list.Add(&jwt.Import{Name: c.imported(), Subject: jwt.Subject(c.imported()), Account: from, Type: jwt.Service,
			LocalSubject: jwt.RenamingSubject(c.local)})
	}
	if slices.Contains(r.listens(), live) {
		list.Add(&jwt.Import{Name: live, Subject: live, Account: from, Type: jwt.Stream})
	}
	return list
}

func (c call) imported() string {
	if c.export != "" {
		return c.export
	}
	return c.subject
}
