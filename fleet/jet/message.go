package jet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// The headers of messages. Texts are escaped, because a header is one line.
const (
	headOwner = "Allele-Owner" // who has made a claim: a worker or a lease
	headID    = "Allele-Id"    // of a job or an agent; the subject has its hash
	headBlob  = "Allele-Blob"  // where data is that does not fit into the message
	headSize  = "Allele-Size"  // of a bundle, in its first part
)

// Headers that servers add to stored messages.
const (
	headStream  = "Nats-Stream"
	headSubject = "Nats-Subject"
	headSeq     = "Nats-Sequence"
	headTime    = "Nats-Time-Stamp"
	headLast    = "Nats-Last-Sequence"
)

// textMax is the length of names of workers, jobs, queues and agents. It is escaped to at most three times that.
const textMax = 1 << 10

var (
	errNone       = errors.New("no such message")
	errUnreadable = errors.New("the message is not readable")
)

// message is a stored message.
type message struct {
	stream, subject string
	seq             uint64
	time            time.Time
	header          nats.Header
	data            []byte
}

// added returns a header that a server has added. A server writes its own headers after those of the sender, who
// may have used the same names: only the last value is the server's.
func added(h nats.Header, name string) string {
	all := h[name]
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// stored reads a message that a server has sent from a stream. It returns errUnreadable if a server has sent something
// else, such as a status. A sender may have used the header Status, so its presence says nothing.
func stored(h nats.Header, data []byte) (m message, err error) {
	seq, err := strconv.ParseUint(added(h, headSeq), 10, 64)
	if err != nil || seq == 0 {
		return m, errUnreadable
	}
	m = message{stream: added(h, headStream), subject: added(h, headSubject), seq: seq, header: h, data: data}
	if m.stream == "" || m.subject == "" {
		return m, errUnreadable
	}
	m.time, _ = time.Parse(time.RFC3339Nano, added(h, headTime)) // zero if it is damaged
	return m, nil
}

// answer is what the leader of a stream sends for a message.
type answer struct {
	Error   *apiError `json:"error"`
	Message *struct {
		Subject string    `json:"subject"`
		Seq     uint64    `json:"seq"`
		Header  []byte    `json:"hdrs"`
		Data    []byte    `json:"data"`
		Time    time.Time `json:"time"`
	} `json:"message"`
}

type apiError struct {
	Code        int    `json:"code"`
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
}

func (e *apiError) Error() string { return fmt.Sprintf("%s (%d)", e.Description, e.ErrCode) }

// Error codes of the servers.
const (
	codeNoConsumer  = 10014
	codeNoMessage   = 10037
	codeStoreFailed = 10077 // among others: the subject has a message
)

// readAnswer reads an answer. The header of the message is nil if it is damaged: its sequence is known even then.
func readAnswer(stream string, data []byte) (m message, err error) {
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return m, errUnreadable
	}
	switch {
	case a.Error != nil && a.Error.ErrCode == codeNoMessage:
		return m, errNone
	case a.Error != nil:
		return m, a.Error
	case a.Message == nil || a.Message.Seq == 0:
		return m, errUnreadable
	}
	m = message{stream: stream, subject: a.Message.Subject, seq: a.Message.Seq, time: a.Message.Time, data: a.Message.Data}
	if len(a.Message.Header) > 0 {
		m.header, _ = nats.DecodeHeadersMsg(a.Message.Header) // nil if it is damaged
	}
	return m, nil
}

// ack is the answer to a message that was sent to a stream.
type ack struct {
	Error     *apiError `json:"error"`
	Stream    string    `json:"stream"`
	Seq       uint64    `json:"seq"`
	Duplicate bool      `json:"duplicate"`
}

func readAck(stream string, data []byte) (a ack, err error) {
	switch err := json.Unmarshal(data, &a); {
	case err != nil:
		return a, errUnreadable
	case a.Error != nil:
		return a, a.Error
	case a.Stream != stream || a.Seq == 0:
		return a, fmt.Errorf("stream %.40q has answered for stream %s", a.Stream, stream)
	}
	return a, nil
}

// text reads a text from a header.
func text(h nats.Header, name string) (string, error) {
	s := h.Get(name)
	if s == "" || len(s) > 3*textMax {
		return "", errUnreadable
	}
	return url.QueryUnescape(s)
}

func escape(s string) string { return url.QueryEscape(s) }

// checkText refuses names that are too long for a header.
func checkText(what, s string) error {
	if s == "" || len(s) > textMax {
		return fmt.Errorf("jet: the name of a %s must have 1 to %d bytes, not %d", what, textMax, len(s))
	}
	return nil
}

// token is a text as a part of a subject: itself if it is simple, or else a hash of it.
func token(s string) string {
	simple := s != "" && len(s) <= 64 // the public key of a user is one
	for _, c := range []byte(s) {
		simple = simple && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_')
	}
	if simple {
		return s
	}
	h := sha256.Sum256([]byte(s))
	return "x-" + hex.EncodeToString(h[:16]) // a simple text has no hyphen
}

// corpusSubject is the subject of a case. The last byte of the key makes the shard: the first ones name the property.
func corpusSubject(k transport.Key) string {
	s := hex.EncodeToString(k[:])
	return "corpus." + s[30:] + "." + s
}

// corpusKey reads the subject of a case. Each key has one subject: otherwise two cases could win it.
func corpusKey(subject string) (k transport.Key, err error) {
	if len(subject) != len("corpus.00.")+32 {
		return k, errUnreadable
	}
	if _, err := hex.Decode(k[:], []byte(subject[len(subject)-32:])); err != nil || corpusSubject(k) != subject {
		return k, errUnreadable
	}
	return k, nil
}

func failSubject(k transport.Key) string { return "fail." + hex.EncodeToString(k[:]) }

func failKey(subject string) (k transport.Key, err error) {
	digits, ok := strings.CutPrefix(subject, "fail.")
	if !ok || len(digits) != 32 {
		return k, errUnreadable
	}
	if _, err := hex.Decode(k[:], []byte(digits)); err != nil || failSubject(k) != subject {
		return k, errUnreadable
	}
	return k, nil
}

// Dirt of a sender never reaches a subject: queues and ids go through token.
func jobSubject(queue, id string) string  { return "job." + token(queue) + "." + token(id) }
func doneSubject(queue, id string) string { return "done." + token(queue) + "." + token(id) }
