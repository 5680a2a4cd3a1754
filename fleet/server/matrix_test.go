package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
)

// An attempt is one cell of the matrix: one role tries one action.
type attempt struct {
	*client         // of campaign one
	other   *client // the same role in campaign two
	root    *client // an admin of campaign one, who prepares and looks
	id      string  // different in every cell
	victim  *client // another worker of campaign one
	allowed bool    // what the row says: how long to look for an effect
	t       *testing.T
}

// A row is an action, and the roles that can do it.
type row struct {
	name    string
	allowed string
	try     func(*attempt) error
}

// call is an action that is one request. % in the subject is the id of the cell.
func call(name, allowed, subject, data string) row {
	return row{name, allowed, func(a *attempt) error {
		_, err := a.ask(strings.ReplaceAll(subject, "%", a.id), strings.ReplaceAll(data, "%", a.id))
		return err
	}}
}

// api is a call whose subject begins with another prefix for workers and viewers.
func api(name, allowed, subject, data string) row {
	return row{name, allowed, func(a *attempt) error {
		_, err := a.ask(a.cred.API()+subject, data)
		return err
	}}
}

// subscribe is an action that succeeds if the server accepts a subscription.
func subscribe(name, allowed, subject string) row {
	return row{name, allowed, func(a *attempt) error {
		sub, err := a.listen(strings.NewReplacer("VICTIM", a.victim.cred.Inbox()).Replace(subject))
		if sub != nil {
			_ = sub.Unsubscribe()
		}
		return err
	}}
}

// answerTo is a read whose answer is sent to a subject of a stream. It succeeds if the stream has it.
func answerTo(name, allowed, request, data, stream, subject string) row {
	return row{name, allowed, func(a *attempt) error {
		subject := strings.ReplaceAll(subject, "%", a.id)
		if err := a.send(strings.ReplaceAll(request, "%", a.id), subject, data); err != nil {
			return err
		}
		return a.stored(stream, subject)
	}}
}

// look polls until see is true. If the effect must not happen, it sends one more request first: the
// server handles the requests of a client for a stream in order, so an effect would be there soon after
// the answer.
func (a *attempt) look(see func() bool) bool {
	wait := 30 * time.Second
	if !a.allowed {
		wait = 300 * time.Millisecond
		// A role that may not read cases gets no such answer. Then only the time is left.
		if _, err := a.ask(getCorpus, `{"seq":1}`); err != nil && !errors.Is(err, errRefused) {
			a.t.Error(err)
		}
	}
	for end := time.Now().Add(wait); ; time.Sleep(50 * time.Millisecond) {
		if see() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// stored reports whether a stream gets a message.
func (a *attempt) stored(stream, subject string) error {
	if !a.look(func() bool {
		_, err := a.root.ask("$JS.API.DIRECT.GET."+stream, `{"last_by_subj":"`+subject+`"}`)
		return err == nil
	}) {
		return fmt.Errorf("%w: %s is not stored", errRefused, subject)
	}
	return nil
}

// followed reports whether the answer of a read, sent to a subject of live cases, reaches a follower.
func (a *attempt) followed(by *client) error {
	sub, err := by.listen("live.corpus.>")
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := a.send(getCorpus, "live.corpus.00.r"+a.id, `{"seq":1}`); err != nil {
		return err
	}
	if !a.look(func() bool { n, _, _ := sub.Pending(); return n > 0 }) {
		return errRefused
	}
	return nil
}

// again publishes to a subject that has a message.
func again(name, subject string) row {
	return row{name, "", func(a *attempt) error {
		_, err := a.ask(subject, "replaced")
		return err
	}}
}

const (
	getCorpus = "$JS.API.DIRECT.GET.CORPUS"
	everybody = "viewer worker submitter admin"
)

var reads = []row{
	call("read a case by number", everybody, getCorpus, `{"seq":1}`),
	call("read a case by subject", everybody, getCorpus+".corpus.00.first", ""),
	call("read cases in batches", everybody, getCorpus, `{"seq":1,"batch":10,"next_by_subj":">"}`),
	call("read a failure whose key is known", everybody, "$JS.API.DIRECT.GET.FAIL.fail.first", ""),
	call("list failures", "viewer submitter admin", "$JS.API.DIRECT.GET.FAIL", `{"seq":1,"batch":10,"next_by_subj":">"}`),
	call("read a result", everybody, "$JS.API.DIRECT.GET.DONE", `{"seq":1}`),
	call("read the state", everybody, "$JS.API.DIRECT.GET.CAMP.camp.first", ""),
	call("read a part of a large case", everybody, "$JS.API.DIRECT.GET.BLOB", `{"seq":1}`),
	call("read a part of a bundle", "worker submitter admin", "$JS.API.DIRECT.GET.BIN", `{"seq":1}`),
	call("read the reports of agents", "viewer submitter admin", "$JS.API.DIRECT.GET.AGENTS", `{"seq":1}`),
	call("read a job without taking it", "submitter admin", "$JS.API.DIRECT.GET.JOBS.job.idle.first", ""),
	api("read a case from the leader", everybody, ".STREAM.MSG.GET.CORPUS", `{"seq":1}`),
	api("read a failure by number from the leader", "viewer submitter admin", ".STREAM.MSG.GET.FAIL", `{"seq":1}`),
	api("read a part of a bundle from the leader", "worker submitter admin", ".STREAM.MSG.GET.BIN", `{"seq":1}`),
	subscribe("follow accepted cases", "worker submitter admin", "live.corpus.>"),
	api("information about a stream", "viewer submitter admin", ".STREAM.INFO.CORPUS", ""),
	api("information about a queue", "worker submitter admin", ".CONSUMER.INFO.JOBS.q", ""),
	api("delete a stream by the prefix of guests", "", ".STREAM.DELETE.NONE", ""),
	call("list streams", "admin", "$JS.API.STREAM.NAMES", ""),
	call("copy a whole stream", "admin", "$JS.API.STREAM.SNAPSHOT.CORPUS", `{"deliver_subject":"copy.%"}`),
}

var writes = []row{
	call("add a case", "worker admin", "corpus.00.%", "case"),
	call("add a failure", "worker admin", "fail.%", "failure"),
	call("add a result", "worker admin", "done.q.%", "result"),
	call("add a part of a large case", "worker submitter admin", "blob.%.0", "part"),
	{"report as this agent", "worker admin", func(a *attempt) error {
		_, err := a.ask("agent."+a.cred.User, "alive")
		return err
	}},
	{"report as another agent", "admin", func(a *attempt) error {
		_, err := a.ask("agent."+a.victim.cred.User, "alive")
		return err
	}},
	{"take a job and finish it", "worker admin", func(a *attempt) error {
		if _, err := a.root.ask("job.q."+a.id, "job"); err != nil {
			a.t.Fatal(err)
		}
		m, err := a.ask("$JS.API.CONSUMER.MSG.NEXT.JOBS.q", `{"batch":1,"no_wait":true}`)
		if err != nil {
			return err
		}
		_, err = a.ask(m.Reply, "+ACK")
		return err
	}},
	{"finish a job that another worker has taken", "worker admin", func(a *attempt) error {
		if _, err := a.root.ask("job.q."+a.id, "job"); err != nil {
			a.t.Fatal(err)
		}
		m, err := a.root.ask("$JS.API.CONSUMER.MSG.NEXT.JOBS.q", `{"batch":1,"no_wait":true}`)
		if err != nil {
			a.t.Fatal(err)
		}
		_, err = a.ask(m.Reply, "+ACK")
		if _, ended := a.root.ask(m.Reply, "+ACK"); ended != nil {
			a.t.Fatal(ended)
		}
		return err
	}},
	call("add a job", "submitter admin", "job.idle.%", "job"),
	call("set the state", "submitter admin", "camp.%", "state"),
	call("add a part of a bundle", "submitter admin", "bin.%.0", "part"),
	again("replace a case", "corpus.00.first"),
	again("replace a failure", "fail.first"),
	again("replace a result", "done.q.first"),
	again("replace a part of a large case", "blob.first.0"),
	again("replace a part of a bundle", "bin.first.0"),
	{"announce a case that is not stored", "admin", func(a *attempt) error {
		return a.send("live.corpus.00.false", "", "false")
	}},
}

var management = []row{
	{"make the streams again", "submitter admin", func(a *attempt) error { return manage(a, "CREATE", 0) }},
	{"change a stream", "submitter admin", func(a *attempt) error { return manage(a, "UPDATE", 1<<20) }},
	call("make another stream", "admin", "$JS.API.STREAM.CREATE.X%", `{"name":"X%","subjects":["x.%"],"storage":"memory","num_replicas":1}`),
	call("make a stream that copies another", "admin", "$JS.API.STREAM.CREATE.Y%",
		`{"name":"Y%","mirror":{"name":"CORPUS"},"storage":"memory","num_replicas":1}`),
	{"delete a stream", "admin", func(a *attempt) error {
		a.makeGone()
		_, err := a.ask("$JS.API.STREAM.DELETE.GONE", "")
		return err
	}},
	call("purge the state", "", "$JS.API.STREAM.PURGE.CAMP", `{"filter":"camp.none"}`),
	call("purge failures", "", "$JS.API.STREAM.PURGE.FAIL", ""),
	call("delete a case", "", "$JS.API.STREAM.MSG.DELETE.CORPUS", `{"seq":1}`),
	call("delete a failure", "", "$JS.API.STREAM.MSG.DELETE.FAIL", `{"seq":1}`),
	call("make a queue", "submitter admin", "$JS.API.CONSUMER.CREATE.JOBS.q%",
		`{"stream_name":"JOBS","config":{"name":"q%","durable_name":"q%","filter_subject":"job.q%.*","ack_policy":"explicit"}}`),
	call("make a consumer of cases", "admin", "$JS.API.CONSUMER.CREATE.CORPUS.c%",
		`{"stream_name":"CORPUS","config":{"name":"c%","durable_name":"c%","ack_policy":"none"}}`),
	call("make a consumer of cases by the call for queues", "", "$JS.API.CONSUMER.CREATE.JOBS.d%",
		`{"stream_name":"CORPUS","config":{"name":"d%","durable_name":"d%","ack_policy":"none"}}`),
	pushes("make a consumer of cases that publishes jobs", "CORPUS", "job.c%.0", "admin"),
	pushes("make a consumer of cases that publishes state", "CORPUS", "camp.c%", "admin"),
	pushes("make a consumer of jobs that publishes state", "JOBS", "camp.j%", "submitter admin"),
	call("delete a queue", "admin", "$JS.API.CONSUMER.DELETE.JOBS.spare", ""),
}

// pushes is a consumer with a deliver subject: the server publishes there, past the permissions of whoever made it.
func pushes(name, stream, deliver, allowed string) row {
	return call(name, allowed, "$JS.API.CONSUMER.CREATE."+stream+".p%", `{"stream_name":"`+stream+`","config":{"name":"p%",`+
		`"durable_name":"p%","deliver_subject":"`+deliver+`","filter_subject":"`+
		map[string]string{"CORPUS": "corpus.p.%", "JOBS": "job.p%.*"}[stream]+`","ack_policy":"explicit"}}`)
}

// makeGone makes a stream that may be deleted.
func (a *attempt) makeGone() {
	if _, err := a.root.ask("$JS.API.STREAM.CREATE.GONE",
		`{"name":"GONE","subjects":["gone"],"storage":"memory","num_replicas":1}`); err != nil {
		a.t.Fatal(err)
	}
}

// manage sends the config of the state's stream.
func manage(a *attempt, verb string, size int32) error {
	js, err := jetstream.New(a.Conn, jetstream.WithDefaultTimeout(20*time.Second))
	if err != nil {
		return err
	}
	if err := a.send("$JS.API.STREAM."+verb+".CAMP", a.NewInbox(), "{}"); err != nil {
		return err
	}
	all := jet.Streams(jet.Options{})
	config := all[slices.IndexFunc(all, func(s jetstream.StreamConfig) bool { return s.Name == jet.Camp })]
	ctx := context.Background()
	if verb == "CREATE" {
		_, err = js.CreateStream(ctx, config)
		return err
	}
	config.MaxMsgSize = size
	if _, err = js.UpdateStream(ctx, config); err == nil {
		config.MaxMsgSize = 0
		_, err = js.UpdateStream(ctx, config)
	}
	return err
}

var detours = []row{
	answerTo("answer of a read becomes state", "submitter admin", getCorpus, `{"seq":1}`, "CAMP", "camp.r%"),
	answerTo("answer of a read becomes a bundle", "submitter admin", getCorpus, `{"seq":1}`, "BIN", "bin.r%.0"),
	answerTo("answer of a read becomes a job", "submitter admin", getCorpus, `{"seq":1}`, "JOBS", "job.idle.r%"),
	answerTo("answer of a read becomes a failure", "submitter admin", getCorpus, `{"seq":1}`, "FAIL", "fail.r%"),
	answerTo("answer of a read becomes the report of an agent", "submitter admin", getCorpus, `{"seq":1}`, "AGENTS", "agent.r%"),
	answerTo("answer of a write becomes state", "admin", "corpus.00.a%", "case", "CAMP", "camp.a%"),
	answerTo("job that is taken becomes state", "", "$JS.API.CONSUMER.MSG.NEXT.JOBS.full", `{"batch":1}`, "CAMP", "camp.n%"),
	{"answer of a read is followed by submitters", "submitter admin", func(a *attempt) error { return a.followed(a.root) }},
	{"answer of a read is followed by workers", "worker submitter admin", func(a *attempt) error { return a.followed(a.victim) }},
	{"answer of a read deletes a stream", "", func(a *attempt) error {
		a.makeGone()
		if err := a.send(getCorpus, "$JS.API.STREAM.DELETE.GONE", `{"seq":1}`); err != nil {
			return err
		}
		if !a.look(func() bool { _, err := a.root.ask("$JS.API.STREAM.INFO.GONE", ""); return err != nil }) {
			return errRefused
		}
		return nil
	}},
	subscribe("listen to everything", "admin", ">"),
	subscribe("listen to the answers for another user", "admin", "VICTIM.>"),
	subscribe("listen to the usual inboxes", "admin", "_INBOX.>"),
	subscribe("listen to jobs", "admin", "job.>"),
	subscribe("listen to the calls of others", "admin", "$JS.API.>"),
	call("read the newest failure by a wildcard", everybody, "$JS.API.DIRECT.GET.FAIL.fail.*", ""),
	call("add a case whose subject has a wildcard", "worker admin", "corpus.*.%", "case"),
}

var outside = []row{
	{"read a case of another campaign", "", func(a *attempt) error {
		_, err := a.other.ask(getCorpus+".corpus.00.first", "")
		return err
	}},
	{"write to another campaign", "", func(a *attempt) error {
		a.allowed = false
		for _, subject := range []string{"corpus.00.o" + a.id, "camp.o" + a.id} {
			_ = a.other.send(subject, a.other.NewInbox(), "from another campaign")
		}
		return errors.Join(a.stored("CORPUS", "corpus.00.o"+a.id), a.stored("CAMP", "camp.o"+a.id))
	}},
	call("list the servers", "", "$SYS.REQ.SERVER.PING", ""),
	call("list the connections of its own account", "admin", "$SYS.REQ.SERVER.PING.CONNZ", ""),
	{"list the connections of other accounts", "", func(a *attempt) error {
		m, err := a.ask("$SYS.REQ.SERVER.PING.CONNZ", `{"auth":true}`)
		if err == nil && !strings.Contains(string(m.Data), a.other.cred.User) {
			return errRefused
		}
		return err
	}},
	call("change an account", "", "$SYS.REQ.CLAIMS.UPDATE", "token"),
	call("list the accounts", "", "$SYS.REQ.CLAIMS.LIST", ""),
	call("delete an account", "", "$SYS.REQ.CLAIMS.DELETE", "token"),
}

// TestMatrix tries every action as every role. The table for the manual is testdata/matrix.golden.
func TestMatrix(t *testing.T) {
	a, dir := newAuthority(t)
	s := start(t, single(dir))
	url := s.URL("127.0.0.1")
	root := dial(t, grant(t, a, "one", access.Admin, url))
	prepareCampaign(t, root)
	rootTwo := dial(t, grant(t, a, "two", access.Admin, url))
	makeStreams(t, rootTwo, 1)
	victim := dial(t, grant(t, a, "one", access.Worker, url))
	clients := map[string]map[access.Role]*client{}
	for _, campaign := range []string{"one", "two"} {
		clients[campaign] = map[access.Role]*client{}
		for _, role := range access.Roles {
			clients[campaign][role] = dial(t, grant(t, a, campaign, role, url))
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-52s", "")
	for _, role := range access.Roles {
		fmt.Fprintf(&out, " %-9s", role)
	}
	cells := 0
	for _, group := range []struct {
		name string
		rows []row
	}{{"Reading", reads}, {"Writing", writes}, {"Streams and queues", management}, {"Detours", detours}, {"Outside the campaign", outside}} {
		fmt.Fprintf(&out, "\n%s\n", group.name)
		for _, r := range group.rows {
			fmt.Fprintf(&out, "  %-50s", r.name)
			for _, role := range access.Roles {
				cells++
				allowed := slices.Contains(strings.Fields(r.allowed), string(role))
				err := r.try(&attempt{client: clients["one"][role], other: clients["two"][role], root: root,
					id: fmt.Sprintf("%d", cells), victim: victim, allowed: allowed, t: t})
				if (err == nil) != allowed {
					t.Errorf("%s, %s: allowed %v, but: %v", r.name, role, allowed, err)
				}
				fmt.Fprintf(&out, " %-9s", map[bool]string{true: "yes", false: "-"}[err == nil])
			}
			out.WriteString("\n")
		}
	}
	t.Logf("%d attempts", cells)
	golden(t, "matrix.golden", out.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(got) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	got = strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed (-update accepts it):\n%s", file, got)
	}
}

// prepareCampaign stores one message in each stream and makes the queues.
func prepareCampaign(t *testing.T, root *client) {
	t.Helper()
	makeStreams(t, root, 1)
	for _, subject := range []string{"corpus.00.first", "fail.first", "done.q.first", "blob.first.0", "bin.first.0",
		"camp.first", "agent.first", "job.idle.first", "job.full.1", "job.full.2", "job.full.3", "job.full.4"} {
		if _, err := root.ask(subject, "first"); err != nil {
			t.Fatal(err)
		}
	}
	for _, queue := range []string{"q", "full", "spare"} {
		if _, err := root.ask("$JS.API.CONSUMER.CREATE.JOBS."+queue, `{"stream_name":"JOBS","config":{"name":"`+queue+
			`","durable_name":"`+queue+`","filter_subject":"job.`+queue+`.*","ack_policy":"explicit"}}`); err != nil {
			t.Fatal(err)
		}
	}
}
