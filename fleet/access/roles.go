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
var Roles = func() []Role {
	var list []Role
	for _, row := range table {
		list = append(list, row.role)
	}
	return list
}()

// A row is all that a role is. To add a role, add its name and its row. Commands ask the table who may read what they
// read (Readers). The matrix of package server shows what each role may do, and its test names each row that the new role
// does not have yet. Campaigns that exist get the role when they are made again, which the command grant does (see
// record.complete). Three places name roles themselves: method credentials of the command (which roles a host gets when it
// submits), the page docs/guide/fleet.md, and THREATS.md.
type row struct {
	role    Role
	guest   bool     // it has an account of its own, which imports its calls; otherwise it is in the main account
	calls   []call   // all that it may publish
	listens []string // all that it may subscribe to
}

var table = []row{
	{role: Viewer, guest: true, listens: []string{inbox},
		calls: slices.Concat(get(viewed...), guest("STREAM.MSG.GET", viewed...), guest("STREAM.INFO", streams...))},
	{role: Worker, guest: true, listens: []string{inbox, live},
		calls: slices.Concat([]call{
			{subject: "corpus.*.*"}, {subject: "fail.*"}, {subject: "done.*.*"}, {subject: "blob.*.*"},
			{subject: "agent." + self, export: "agent.*"},
			{subject: "$JS.ACK." + jet.Jobs + ".>"},
			{subject: "$JS.API.CONSUMER.MSG.NEXT." + jet.Jobs + ".*", many: true},
			// Only by subject: a worker that knows the key of a failure may ask who reported it.
			{subject: "$JS.API.DIRECT.GET." + jet.Fail + ".fail.*"},
		}, guest("CONSUMER.INFO", jet.Jobs+".*"), get(worked...), guest("STREAM.MSG.GET", worked...))},
	{role: Submitter, listens: []string{inbox, live},
		calls: slices.Concat([]call{
			{subject: "camp.>"}, {subject: "bin.*.*"}, {subject: "job.*.*"}, {subject: "blob.*.*"}, // blob: large jobs
			{subject: "$JS.API.INFO"},
			{subject: "$JS.API.CONSUMER.CREATE." + jet.Jobs + ".>"},
			{subject: "$JS.API.CONSUMER.DURABLE.CREATE." + jet.Jobs + ".*"},
			{subject: "$JS.API.CONSUMER.INFO." + jet.Jobs + ".*"},
		}, get(streams...), each("$JS.API.STREAM.MSG.GET.", streams...), each("$JS.API.STREAM.INFO.", streams...),
			each("$JS.API.STREAM.CREATE.", streams...), each("$JS.API.STREAM.UPDATE.", streams...))},
	{role: Admin, listens: []string{">"}, calls: []call{{subject: ">"}}},
}

// Readers are the roles that may read all of these streams as a whole, the least powerful first.
func Readers(streams ...string) (roles []Role) {
	for _, row := range table {
		may := func(stream string) bool {
			return slices.ContainsFunc(row.calls, func(c call) bool { return c.subject == ">" || c.subject == get(stream)[0].subject })
		}
		if !slices.ContainsFunc(streams, func(stream string) bool { return !may(stream) }) {
			roles = append(roles, row.role)
		}
	}
	return roles
}

// row returns the row of a role. A role that is not in the table has an empty one, and may do nothing.
func (r Role) row() row {
	if i := slices.IndexFunc(table, func(row row) bool { return row.role == r }); i >= 0 {
		return table[i]
	}
	return row{}
}

// A place names one of the accounts of a campaign.
type place string

// mainPlace has the streams, and the users of roles that are not guests.
const mainPlace place = "main"

// places returns the accounts of a campaign, the main one first.
func places() []place {
	list := []place{mainPlace}
	for _, row := range table {
		if row.guest {
			list = append(list, row.role.place())
		}
	}
	return list
}

// place returns the account of a role: that of a guest has the name of its role. A role that is not in the table
// has none.
func (r Role) place() place {
	switch row := r.row(); {
	case row.guest:
		return place(r)
	case row.role != "":
		return mainPlace
	}
	return ""
}

// self stands for the public key of the user in a permission. The server replaces it.
const self = "{{subject()}}"

// inboxPrefix begins the subjects on which a user receives answers. Nobody else in the account may
// subscribe to them.
const inboxPrefix = "_INBOX_"

// inbox are the subjects on which the user of a permission receives answers.
const inbox = inboxPrefix + self + ".>"

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

// GuestAPI is the prefix, instead of $JS.API, under which guests ask for information about
// streams and consumers, and for messages from the leader of a stream. Every account has a $JS.API of its own,
// and theirs answers that JetStream is not enabled. Direct gets and pulls are not affected: they are
// answered by the stream itself.
const GuestAPI = "fleet.API"

// guest returns a call for each name that the accounts of guests make under GuestAPI.
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

// subscriptionsMax bounds the subscriptions of a connection. An agent needs its inbox and the live cases.
const subscriptionsMax = 256

// template returns the permissions of a role, as the account's JWT has them. They are not in the JWT of
// the user: a role can be changed for all its users by a new JWT of the account. A NATS server takes an empty list
// of allowed subjects for a list of all subjects, so an empty list denies all of them instead.
func (r Role) template() jwt.UserPermissionLimits {
	t, row := jwt.UserPermissionLimits{}, r.row()
	for _, c := range row.calls {
		t.Pub.Allow.Add(c.subject)
	}
	t.Sub.Allow.Add(row.listens...)
	for _, p := range []*jwt.Permission{&t.Pub, &t.Sub} {
		if len(p.Allow) == 0 {
			p.Deny.Add(">")
		}
	}
	t.NatsLimits = jwt.NatsLimits{Subs: subscriptionsMax, Data: jwt.NoLimit, Payload: jwt.NoLimit}
	// A leaf node or a websocket would be a second way in, with other rules.
	t.AllowedConnectionTypes.Add(jwt.ConnectionTypeStandard)
	return t
}

// exports returns what the main account offers to the accounts of guests. Exports must not overlap. An import
// may be narrower than the export.
func exports() jwt.Exports {
	var all []call
	for _, row := range table {
		if row.guest {
			all = append(all, row.calls...)
		}
	}
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

// imports returns what the account of a guest takes from the main account.
func (r row) imports(from string) jwt.Imports {
	var list jwt.Imports
	for _, c := range r.calls {
		list.Add(&jwt.Import{Name: c.imported(), Subject: jwt.Subject(c.imported()), Account: from, Type: jwt.Service,
			LocalSubject: jwt.RenamingSubject(c.local)})
	}
	if slices.Contains(r.listens, live) {
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
