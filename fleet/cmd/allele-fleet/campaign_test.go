package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet/cluster"
	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/fleet/report"
)

// These tests run campaigns as an operator does: with the built command, real servers and agents as
// processes, and a module with planted bugs.

// tools is the folder of the built commands, and of the module with planted bugs in two versions: the
// folders v0 and v1, and the bundles v0.allele and v1.allele.
var tools = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "allele-fleet-test-*")
	if err != nil {
		return "", err
	}
	made = dir
	build := exec.Command("go", "build", "-buildvcs=false", "-o", dir, ".", "github.com/allele-go/allele/cmd/allele")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	for _, version := range []string{"0", "1"} {
		if err := pack(dir, version); err != nil {
			return "", err
		}
	}
	return dir, nil
})

// made is the folder, if a test has made it.
var made string

// pack writes a version of the module and packs it.
func pack(dir, version string) error {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join("testdata", "planted.go.txt"))
	if err != nil {
		return err
	}
	mod := "module example.com/planted\n\ngo 1.25\n\nrequire github.com/allele-go/allele v0.0.0\n\n" +
		"replace github.com/allele-go/allele => " + root + "\n"
	module := filepath.Join(dir, "v"+version)
	if err := os.MkdirAll(module, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{"go.mod": mod, "planted_test.go": strings.ReplaceAll(string(text), "VERSION", version)} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	c := exec.Command(filepath.Join(dir, "allele"), "pack", "-o", module+".allele", ".")
	c.Dir, c.Env = module, append(os.Environ(), modules...)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// modules is the environment in which the module is built.
var modules = []string{"GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off"}

func TestMain(m *testing.M) {
	code := m.Run()
	if made != "" {
		os.RemoveAll(made)
	}
	os.Exit(code)
}

// site is a fleet on this machine.
type site struct {
	t          *testing.T
	tools, dir string
	server     *exec.Cmd
	ended      chan struct{} // closed when the server has ended
	listen     string
	flag       string // a file; the bug behind it is there as long as the file is
}

func newSite(t *testing.T) *site {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs programs")
	}
	bin, err := tools()
	if err != nil {
		t.Fatal(err)
	}
	listen, err := cluster.Addresses(1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &site{t: t, tools: bin, dir: filepath.Join(dir, "fleet"), listen: listen[0], flag: filepath.Join(dir, "flag")}
	s.serve()
	return s
}

// planted is the failures of the module, without the one behind the flag.
var planted = []string{"TestTree failed", "TestTree panic", "TestDeep failed", "TestText panic"}

// command returns a command of allele-fleet that dies with this test.
func (s *site) command(args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.tools, "allele-fleet"), args...)
	c.Dir = filepath.Join(s.tools, "v0")
	c.Env = append(os.Environ(), append(modules, "PLANTED_FLAG="+s.flag)...)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c
}

// run runs a command to its end and returns what it printed.
func (s *site) run(args ...string) string {
	s.t.Helper()
	out, err := s.command(args...).CombinedOutput()
	if err != nil && !strings.Contains(strings.Join(args, " "), "findings") {
		s.t.Fatalf("allele-fleet %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// at returns the flags that name the campaign.
func (s *site) at(args ...string) []string {
	return append(args, "-dir", s.dir, "-campaign", "planted")
}

func (s *site) serve() {
	s.t.Helper()
	s.server = s.command("serve", "-dir", s.dir, "-listen", s.listen)
	var out safeBuffer
	s.server.Stdout, s.server.Stderr = &out, &out
	if err := s.server.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func(server *exec.Cmd) {
		server.Wait() // it was killed, or its output says why
		close(ended)
	}(s.server)
	s.ended = ended
	s.t.Cleanup(s.killServer)
	defer func() {
		if s.t.Failed() {
			s.t.Logf("the server prints:\n%s", out.String())
		}
	}()
	s.eventually("the server runs", func() bool {
		select {
		case <-ended:
			s.t.Fatal("the server has ended")
		default:
		}
		return strings.Contains(out.String(), "serving tls://"+s.listen)
	})
}

func (s *site) killServer() {
	if s.server != nil {
		s.server.Process.Kill()
		<-s.ended
		s.server = nil
	}
}

// submit submits a version of the module.
func (s *site) submit(version string) {
	s.t.Helper()
	s.run(s.at("submit", "-bundle", filepath.Join(s.tools, "v"+version+".allele"))...)
}

// process is an agent.
type process struct {
	*exec.Cmd
	dir string
	out *safeBuffer
}

// agent starts agent number i.
func (s *site) agent(i int) *process {
	s.t.Helper()
	cred := filepath.Join(s.dir, fmt.Sprintf("agent-%d.cred", i))
	if _, err := os.Stat(cred); err != nil {
		s.run(s.at("grant", "-o", cred)...)
	}
	a := &process{dir: filepath.Join(filepath.Dir(s.dir), fmt.Sprintf("agent-%d", i)), out: &safeBuffer{}}
	a.Cmd = s.command("agent", "-cred", cred, "-dir", a.dir, "-workers", "1", "-every", "500ms")
	a.Stdout, a.Stderr = a.out, a.out
	if err := a.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(a.kill)
	return a
}

func (a *process) kill() {
	a.Process.Kill()
	a.Wait() // it was killed
}

// stop stops an agent as an operator does.
func (s *site) stop(a *process) {
	s.t.Helper()
	a.Process.Signal(syscall.SIGTERM)
	if err := a.Wait(); err != nil {
		s.t.Errorf("an agent ends with %v\n%s", err, a.out.String())
	}
}

var finding = regexp.MustCompile(`(?m)^example\.com/planted (\w+): (\w+)`)

// found returns the stored failures, sorted.
func (s *site) found() (list []string) {
	s.t.Helper()
	for _, m := range finding.FindAllStringSubmatch(s.run(s.at("findings")...), -1) {
		list = append(list, m[1]+" "+m[2])
	}
	slices.Sort(list)
	return list
}

// awaitPlanted waits until all planted failures are stored, and more.
func (s *site) awaitPlanted(more ...string) {
	s.t.Helper()
	want := slices.Sorted(slices.Values(append(more, planted...)))
	var got []string
	defer func() {
		if s.t.Failed() {
			s.t.Logf("found %q, want %q", got, want)
		}
	}()
	s.eventually("all failures are found", func() bool {
		got = s.found()
		return len(got) >= len(want)
	})
	if !slices.Equal(got, want) {
		s.t.Errorf("found %q, want %q", got, want)
	}
}

// awaitFound waits until one failure is stored.
func (s *site) awaitFound(want string) {
	s.t.Helper()
	s.eventually(want+" is found", func() bool { return slices.Contains(s.found(), want) })
}

func (s *site) eventually(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: not after minutes", what)
		}
	}
}

// safeBuffer is a buffer that a process writes while the test reads.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// One agent and four agents find the same failures, each stored once.
func TestSameFindings(t *testing.T) {
	t.Parallel()
	for _, agents := range []int{1, 4} {
		s := newSite(t)
		s.submit("0")
		var all []*process
		for i := range agents {
			all = append(all, s.agent(i))
		}
		s.awaitPlanted()
		t.Logf("agents %d killed 0 planted %d stored %d", agents, len(planted), len(s.found()))
		for _, a := range all {
			s.stop(a)
		}
		if out := s.run(s.at("status")...); !strings.Contains(out, fmt.Sprintf("%d agent", agents)) {
			t.Errorf("status of %d agents:\n%s", agents, out)
		}
	}
}

// Agents are killed at any time, and nothing that they have found is lost or stored twice.
func TestKilledAgents(t *testing.T) {
	t.Parallel()
	const agents = 4
	kills := 8
	if text := os.Getenv("ALLELE_FLEET_KILLS"); text != "" { // the experiment fleetagents
		if _, err := fmt.Sscan(text, &kills); err != nil {
			t.Fatal(err)
		}
	}
	s := newSite(t)
	s.submit("0")
	all := make([]*process, agents)
	for i := range all {
		all[i] = s.agent(i)
	}
	for range kills {
		time.Sleep(time.Duration(100+rand.IntN(900)) * time.Millisecond)
		i := rand.IntN(agents)
		all[i].kill()
		all[i] = s.agent(i)
	}
	s.awaitPlanted()
	t.Logf("agents %d killed %d planted %d stored %d", agents, kills, len(planted), len(s.found()))
	for _, a := range all {
		s.stop(a)
		if left, _ := filepath.Glob(filepath.Join(a.dir, "spool", "*")); len(left) > 0 {
			t.Errorf("failures that were not sent: %q", left)
		}
	}
}

// A failure that is found while no server runs, by an agent that is then killed, is stored when both are
// back.
func TestOutage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.submit("0")
	a := s.agent(0)
	s.eventually("the agent searches", func() bool { return strings.Contains(a.out.String(), "searching") })
	s.killServer()
	if err := os.WriteFile(s.flag, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	spooled := func() int {
		all, _ := filepath.Glob(filepath.Join(a.dir, "spool", "*.failure"))
		return len(all)
	}
	s.eventually("a failure is on disk", func() bool { return strings.Contains(a.out.String(), "TestFlag") && spooled() > 0 })
	a.kill()
	if spooled() == 0 {
		t.Error("the failure is not on disk any more")
	}
	s.serve()
	a = s.agent(0)
	s.awaitFound("TestFlag failed")
	s.stop(a)
	if spooled() > 0 {
		t.Error("failures were not sent")
	}
}

// A new version of the module replaces the old one, runs its inputs again, and finds what is wrong in it.
func TestNewVersion(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.submit("0")
	a := s.agent(0)
	s.awaitFound("TestTree failed")
	s.submit("1")
	s.awaitFound("TestVersion failed")
	s.stop(a)
}

// Agents obey the owner and nobody else, not even one who may write the state of the campaign.
func TestOrders(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.submit("0")
	a := s.agent(0)
	s.awaitFound("TestDeep failed")
	k := &call{Context: t.Context(), stdout: os.Stdout}
	p := place{dir: s.dir, campaign: "planted"}
	c, err := p.connect(access.Submitter)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	good, err := c.readOrder(k)
	if err != nil {
		t.Fatal(err)
	}
	thief, err := order.MakeKey(filepath.Join(t.TempDir(), "thief.key"))
	if err != nil {
		t.Fatal(err)
	}
	owner, err := order.LoadKey(filepath.Join(s.dir, "owners", "planted.key"))
	if err != nil {
		t.Fatal(err)
	}
	put := func(key ed25519.PrivateKey, o order.Order) {
		t.Helper()
		if err := c.putOrder(k, key, o); err != nil {
			t.Fatal(err)
		}
	}
	evil := good.Next(time.Now())
	evil.Drain = true
	put(thief, evil)
	s.eventually("the agent refuses it", func() bool { return heartbeat(t, c).State == report.Refused })
	if h := heartbeat(t, c); !strings.Contains(h.Trouble, "not signed by the owner") || h.Workers == 0 && h.Runs == 0 {
		t.Errorf("heartbeat %+v", h)
	}
	put(owner, evil)
	s.eventually("the agent is drained", func() bool { return heartbeat(t, c).State == report.Drained })
	put(owner, good) // an old order, sent again
	s.eventually("the agent refuses an old order", func() bool { return strings.Contains(heartbeat(t, c).Trouble, "is older than") })
	s.submit("0")
	s.eventually("the agent searches again", func() bool { return heartbeat(t, c).State == report.Searching })
	s.stop(a)
}

// heartbeat returns what the only agent says of itself.
func heartbeat(t *testing.T, c *connection) (h report.Heartbeat) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	agents, err := c.AgentsNow(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range agents {
		if h, err = report.DecodeHeartbeat(a.Data); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// What was exported can be imported into an empty fleet, and nothing is there twice.
func TestExport(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.submit("0")
	a := s.agent(0)
	s.awaitPlanted()
	s.stop(a)
	file := filepath.Join(filepath.Dir(s.dir), "export.zip")
	out := s.run(s.at("export", "-o", file)...)
	m := regexp.MustCompile(`(\d+) cases, (\d+) failures`).FindStringSubmatch(out)
	if m == nil || m[1] == "0" || m[2] != fmt.Sprint(len(planted)) {
		t.Fatalf("export: %s", out)
	}
	other := newSite(t)
	other.submit("0")
	if out := other.run(other.at("import", file)...); !strings.Contains(out, fmt.Sprintf("added %s cases and %s failures", m[1], m[2])) {
		t.Errorf("import: %s, want %q", out, m)
	}
	if out := other.run(other.at("import", file)...); !strings.Contains(out, "added 0 cases and 0 failures") {
		t.Errorf("import again: %s", out)
	}
	if got, want := other.found(), s.found(); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// Agents find out which cases are needed, each property once. An agent that starts later gets no others.
func TestDistil(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.submit("0")
	a := s.agent(0)
	s.awaitFound("TestDeep failed")
	s.run(s.at("distil", "-start")...)
	result := regexp.MustCompile(`(?m)^example.com/planted (\w+): (\d+) of ([\d,]+) cases? needed$`)
	var results [][]string
	s.eventually("all properties are distilled", func() bool {
		results = result.FindAllStringSubmatch(s.run(s.at("distil")...), -1)
		return len(results) == 5
	})
	s.stop(a)
	needed, all := 0, 0
	for _, r := range results {
		n, m := 0, 0
		if fmt.Sscan(r[2]+" "+strings.ReplaceAll(r[3], ",", ""), &n, &m); n > m || n == 0 && m > 0 {
			t.Errorf("%s: %d of %d", r[1], n, m)
		}
		needed, all = needed+n, all+m
	}
	if needed >= all {
		t.Errorf("%d of %d cases are needed", needed, all)
	}
	b := s.agent(1)
	s.eventually("another agent searches", func() bool { return strings.Contains(b.out.String(), "searching") })
	time.Sleep(2 * time.Second)
	s.stop(b)
	if n := received(b); n < needed || n > all/2 {
		t.Errorf("a new agent gets %d cases; %d of %d are needed", n, needed, all)
	}
	t.Logf("%d of %d cases are needed", needed, all)
}

// received returns how many cases an agent that has ended has received.
func received(a *process) (n int) {
	m := regexp.MustCompile(`([\d,]+) received`).FindStringSubmatch(a.out.String())
	if m != nil {
		fmt.Sscan(strings.ReplaceAll(m[1], ",", ""), &n)
	}
	return n
}
