package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestHealthFlips(t *testing.T) {
	var mu sync.Mutex
	var failure error
	set := func(err error) { mu.Lock(); defer mu.Unlock(); failure = err }
	health := NewHealth()
	health.Check("disk", func(context.Context) error { return nil })
	health.Check("connection", func(context.Context) error { mu.Lock(); defer mu.Unlock(); return failure })
	p := page(t, NewAgent("parser", AgentSources{}).Gatherer(), health)
	for _, step := range []struct {
		failure error
		code    int
		report  HealthReport
	}{
		{nil, 200, HealthReport{Status: "ok"}},
		{errors.New("no servers"), 503, HealthReport{Status: "failing", Reasons: []string{"connection: no servers"}}},
		{nil, 200, HealthReport{Status: "ok"}},
	} {
		set(step.failure)
		body, code := get(t, p, "/healthz")
		var report HealthReport
		if err := json.Unmarshal(body, &report); err != nil {
			t.Fatal(err)
		}
		if code != step.code || report.Status != step.report.Status || !slices.Equal(report.Reasons, step.report.Reasons) {
			t.Errorf("failure %v: got %d, %+v, want %d, %+v", step.failure, code, report, step.code, step.report)
		}
	}
}

// TestHealthHangs checks that a check that hangs is a reason, and is called only once however
// often the page is opened.
func TestHealthHangs(t *testing.T) {
	release, calls := make(chan struct{}), new(Counter)
	health := NewHealth()
	health.Check("store", func(context.Context) error { calls.Add(1); <-release; return nil })
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for range 3 {
		if got := health.Reasons(ended); len(got) != 1 || got[0] != "store: the check does not return" {
			t.Errorf("got %q", got)
		}
	}
	waits := make(chan []string)
	go func() { waits <- health.Reasons(context.Background()) }()
	close(release)
	if got := <-waits; got != nil {
		t.Errorf("after the check returned: got %q", got)
	}
	// The last request either shared the call that hung or made one of its own.
	if n := calls.Count(); n < 1 || n > 2 {
		t.Errorf("%d calls of the check, want 1 or 2", n)
	}
}

func TestHealthReasonIsShortAndHidesSecrets(t *testing.T) {
	health := NewHealth()
	health.Check("long", func(context.Context) error { return errors.New(strings.Repeat("ü", 1000)) })
	health.Check("open", func(context.Context) error { return errors.New("bad seed " + seed) })
	got := health.Reasons(context.Background())
	if len(got) != 2 || len(got[0]) > reasonMax || got[1] != "open: bad seed [hidden]" {
		t.Errorf("got %q", got)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	p := page(t, NewAgent("parser", AgentSources{}).Gatherer(), NewHealth())
	if !strings.HasPrefix(p.Addr(), "127.0.0.1:") {
		t.Errorf("an address without host listens on %s", p.Addr())
	}
	for _, path := range []string{"/", "/debug/pprof/", "/debug/vars", "/metrics/x", "/healthz/"} {
		if _, code := get(t, p, path); code != http.StatusNotFound {
			t.Errorf("%s: status %d", path, code)
		}
	}
	response, err := http.Post("http://"+p.Addr()+"/metrics", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", response.StatusCode)
	}
}

func TestServeRefusesAnAddress(t *testing.T) {
	_, err := Serve("9797", http.NotFoundHandler())
	if err == nil || !strings.Contains(err.Error(), "want HOST:PORT") {
		t.Errorf("got %v", err)
	}
}

// seed has the form of an nkey seed, and is none.
var seed = "SU" + strings.Repeat("A2", 28)

func TestLog(t *testing.T) {
	token := "eyJhbGciOiJ" + "9.eyJzdWIi." + "c2ln_-x"
	key := "-----BEGIN PRIVATE" + " KEY-----\nMC4C\n-----END PRIVATE" + " KEY-----"
	for _, row := range []struct {
		flags string
		log   func(*slog.Logger)
		want  string
	}{
		{"", func(l *slog.Logger) { l.Info("joined", "agent", 7) }, "level=INFO msg=joined agent=7\n"},
		{"", func(l *slog.Logger) { l.Debug("joined") }, ""},
		{"-log-level=debug", func(l *slog.Logger) { l.Debug("joined") }, "level=DEBUG msg=joined\n"},
		{"-log=json", func(l *slog.Logger) { l.Warn("lost", "n", 1) }, `"level":"WARN","msg":"lost","n":1}` + "\n"},
		{"", func(l *slog.Logger) { l.Info("got "+seed, "token", token) }, `msg="got [hidden]" token=[hidden]` + "\n"},
		{"", func(l *slog.Logger) { l.Info("x", "err", errors.New("parse "+key+" now")) }, `err="parse [hidden] now"` + "\n"},
		{"-log=json", func(l *slog.Logger) { l.Info("x", "raw", []byte(seed)) }, `"raw":"[hidden]"}` + "\n"},
		{"", func(l *slog.Logger) { var none *pointerError; l.Info("x", "err", none) }, "err=<nil>\n"},
	} {
		var options Log
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		options.Flags(flags)
		if err := flags.Parse(strings.Fields(row.flags)); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		row.log(options.Logger(&out))
		if got := out.String(); !strings.HasSuffix(got, row.want) || (row.want == "") != (got == "") {
			t.Errorf("%s: got %q, want an end like %q", row.flags, got, row.want)
		}
	}
}

func TestLogRefusesAFormat(t *testing.T) {
	var options Log
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	options.Flags(flags)
	if flags.Parse([]string{"-log=xml"}) == nil || flags.Parse([]string{"-log-level=loud"}) == nil {
		t.Error("no error")
	}
}

// pointerError is an error that panics if its pointer is nil.
type pointerError struct{ text string }

func (e *pointerError) Error() string { return e.text }
