package jet

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// FuzzParsers reads what other hosts may send. Whatever is accepted must be within its bounds, and have one form.
func FuzzParsers(f *testing.F) {
	var k transport.Key
	for _, s := range []string{"", "corpus.00." + strings.Repeat("0", 32), corpusSubject(k), failSubject(k), "fail.x", "%zz",
		strings.Repeat("ab", 16) + " " + strings.Repeat("cd", 32) + " 70000", `{"message":{"seq":1,"hdrs":"TkFUUy8xLjANCg0K"}}`,
		`{"error":{"err_code":10037}}`, `{"stream":"CORPUS","seq":18446744073709551615}`, "NATS/1.0 204\r\nNats-Sequence: 1\r\n\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { readAll(t, s) })
}

// readAll gives a text to all parsers.
func readAll(t *testing.T, s string) {
	if k, err := corpusKey(s); err == nil && corpusSubject(k) != s {
		t.Errorf("key %x has two subjects: %q", k, s)
	}
	if k, err := failKey(s); err == nil && failSubject(k) != s {
		t.Errorf("failure %x has two subjects: %q", k, s)
	}
	if b, err := readBlob(s); err == nil && (b.String() != s || b.size > BlobMax || parts(b.size) > BlobMax/partMax) {
		t.Errorf("blob %q: %v", s, b)
	}
	if strings.ContainsAny(token(s), ".*> \t\r\n") || len(token(s)) > 64 || token(s) == "" {
		t.Errorf("token %q of %q", token(s), s)
	}
	if back, err := text(nats.Header{headID: {escape(s)}}, headID); len(s) > 0 && len(s) <= textMax && (back != s || err != nil) {
		t.Errorf("%q becomes %q, %v", s, back, err)
	}
	text(nats.Header{headID: {s}}, headID)
	readAck(Corpus, []byte(s))
	readAnswer(Corpus, []byte(s))
	h, _ := nats.DecodeHeadersMsg([]byte(s)) // nil if it is damaged
	for _, h := range []nats.Header{h, {headSeq: {s}, headSubject: {s}, headStream: {Corpus}}, {headSeq: nil}, {"Status": {s}, headLast: {s}}} {
		var b batch
		b.add(Corpus, &nats.Msg{Header: h, Data: []byte(s)})
		if m, err := stored(h, nil); err == nil && m.seq == 0 {
			t.Errorf("a message without a sequence: %q", s)
		}
		x := Open(nil, Options{})
		x.lease(t.Context(), s, &nats.Msg{Subject: s, Reply: s, Header: h}, time.Time{})
	}
}

// Texts that are near to what is sent are read without a panic.
func TestParsers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	answer, err := json.Marshal(map[string]any{"message": map[string]any{"seq": 7, "subject": "corpus.00.x", "hdrs": []byte("NATS/1.0\r\n\r\n")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{corpusSubject(transport.Key{1}), failSubject(transport.Key{2}), string(answer),
		blob{name: strings.Repeat("0f", 16), size: inlineMax + 1}.String(), "$JS.ACK.JOBS.q.1.2.3.4.5",
		"NATS/1.0 204 EOB\r\nNats-Num-Pending: 0\r\nNats-Last-Sequence: 5\r\n\r\n"} {
		readAll(t, s)
		for range 2000 {
			b := []byte(s)
			for range 1 + rng.IntN(3) {
				switch at := rng.IntN(len(b) + 1); rng.IntN(3) {
				case 0:
					b = append(b[:at:at], append([]byte{byte(rng.Uint32())}, b[at:]...)...)
				case 1:
					b = b[:at]
				default:
					if at < len(b) {
						b[at] ^= 1 << rng.IntN(8)
					}
				}
			}
			readAll(t, string(b))
		}
	}
}

// A call that cannot succeed ends with its context, and says why.
func TestInsist(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tries := 0
	err := Open(nil, Options{}).insist(ctx, "try", func(context.Context) error {
		if tries++; tries == 3 {
			cancel()
		}
		return errNone
	})
	if tries != 3 || err == nil || !strings.Contains(err.Error(), "context canceled; the last try: "+errNone.Error()) {
		t.Errorf("%d tries: %v", tries, err)
	}
}
