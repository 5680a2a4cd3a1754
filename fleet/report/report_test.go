package report

import (
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/campaign/transport"
)

func sample() *Failure {
	return &Failure{Package: "example.com/tree", Property: "TestInsert", Sign: "failed tree_test.go:16", Verdict: "failed", Host: "build-1",
		Time: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), Text: "text", File: "testdata/allele/TestInsert/fail-1.case", Case: []byte("case")}
}

// A failure survives its encoding. Host, time and bundle do not change its fingerprint.
func TestFailure(t *testing.T) {
	sent, err := sample().Encode("w")
	if err != nil {
		t.Fatal(err)
	}
	f, err := DecodeFailure(sent)
	if err != nil || f.Text != "text" || string(f.Case) != "case" || f.Key() != sent.Key {
		t.Errorf("got %+v, %v", f, err)
	}
	other := sample()
	other.Host, other.Bundle, other.Time = "build-2", "x", time.Time{}
	if other.Key() != sent.Key {
		t.Error("two hosts that find one failure report two")
	}
	if other.Sign = "failed tree_test.go:17"; other.Key() == sent.Key {
		t.Error("two failures have one fingerprint")
	}
}

// A worker may report anything: files outside testdata/allele are refused, and so is what has another fingerprint.
func TestHostileFailures(t *testing.T) {
	for _, file := range []string{"../x.case", "/etc/x.case", "testdata/allele/../../x.case", "testdata/allele/T/x.go", "testdata/other/x.case",
		`testdata/allele/T\..\x.case`, "testdata/allele//x.case", "testdata/allele/./x.case", "x.case", "testdata/allele/T/x.case/"} {
		f := sample()
		f.File = file
		sent, err := f.Encode("w")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeFailure(sent); err == nil || !strings.Contains(err.Error(), "is no file of a case") {
			t.Errorf("%q: %v", file, err)
		}
	}
	sent, err := sample().Encode("w")
	if err != nil {
		t.Fatal(err)
	}
	sent.Key[0] ^= 1
	if _, err := DecodeFailure(sent); err == nil {
		t.Error("a failure under the fingerprint of another one was read")
	}
	for _, text := range []string{"", "null", "[]", "{}", `{"format":2}`, `{"format":1`, strings.Repeat(" ", failureMax+1)} {
		if _, err := DecodeFailure(transport.Failure{Data: []byte(text)}); err == nil {
			t.Errorf("%.20q was read", text)
		}
	}
}

// A heartbeat with a long and broken text can be sent and read.
func TestHeartbeat(t *testing.T) {
	h, err := DecodeHeartbeat(Heartbeat{Host: "build-1", State: Broken, Trouble: "\xff" + strings.Repeat("ä", troubleMax)}.Encode())
	if err != nil || h.State != Broken || !strings.HasPrefix(h.Trouble, "?ä") || len(h.Trouble) > troubleMax+1 {
		t.Errorf("got %+v, %v", h, err)
	}
	for _, text := range []string{"", "null", "{}", `{"format":9}`, "{" + strings.Repeat(" ", heartbeatMax)} {
		if _, err := DecodeHeartbeat([]byte(text)); err == nil {
			t.Errorf("%.20q was read", text)
		}
	}
}
