//go:build go1.25

// Package share has what workers send to each other: the inputs that they save.
//
// A worker is a process. It sends every input that it saves, as a case with the path of its run,
// by writing it to its box. The command, or another host, decides who gets it (campaign/exchange).
//
//	client.Send(share.Case{Trace: h, Term: data})   // I saved this
//	for _, c := range client.Receive(n) { ... }     // what did others save?
package share

import "encoding/binary"

// Message is an encoded case, and the hash of its path, which identifies it.
type Message struct {
	Trace uint64
	Data  []byte // see Case
}

// Case is a saved input as workers send it. Term is the encoded input. Only workers read
// Term and Verdict. They are processes of one binary, so they agree on the encoding.
type Case struct {
	Trace   uint64 // the hash of Path
	Verdict byte
	Set     bool     // Path is a set of sites, without an order
	Path    []uint32 // of the run
	Text    string   // the input as Go, for other hosts; empty if there are none
	Term    []byte
}

// Unrun is the verdict of a case of another host. It has a text, and neither a term nor a path:
// the other host may run another version of the program, and nobody has to believe what it says.
// A worker that receives the case runs it.
const Unrun = 0xff

// textMax bounds the text of an input that is sent.
const textMax = 1 << 20

// PathMax is the length of the longest path that is sent. Longer paths are rare, and a
// worker that does not receive one may find it itself.
const PathMax = 1 << 13

// headLen is the length of the head of a message in bytes. The head contains the hash of
// the path, the verdict, and whether the path is a set.
const headLen = 10

// Encode returns a case as a message: the head, the length of the path, the path, the length of
// the text, the text, and the term.
func (c Case) Encode() Message {
	b := binary.LittleEndian.AppendUint64(nil, c.Trace)
	set := byte(0)
	if c.Set {
		set = 1
	}
	b = binary.AppendUvarint(append(b, c.Verdict, set), uint64(len(c.Path)))
	for _, s := range c.Path {
		b = binary.LittleEndian.AppendUint32(b, s)
	}
	b = append(binary.AppendUvarint(b, uint64(len(c.Text))), c.Text...)
	return Message{c.Trace, append(b, c.Term...)}
}

// ForHosts returns the message of a case for other hosts. ok is false if it has no text, or is
// damaged.
func (m Message) ForHosts() (data []byte, ok bool) {
	c, ok := m.Decode()
	return ForHosts(c.Trace, c.Text).Data, ok && c.Text != ""
}

// ForHosts returns a case as hosts send it to each other: an input as Go, and a number that no
// other case of its property has.
func ForHosts(trace uint64, text string) Message {
	return Case{Trace: trace, Verdict: Unrun, Text: text}.Encode()
}

// Open reads the hash in the head of a message. A relay needs nothing else.
func Open(data []byte) (m Message, ok bool) {
	if len(data) < headLen {
		return Message{}, false
	}
	return Message{binary.LittleEndian.Uint64(data), data}, true
}

// Decode reads a case. ok is false if the message is damaged.
func (m Message) Decode() (c Case, ok bool) {
	b := m.Data
	if len(b) < headLen {
		return Case{}, false
	}
	n, size := binary.Uvarint(b[headLen:])
	rest := b[headLen+max(0, size):]
	if size <= 0 || n > PathMax || uint64(len(rest)) < 4*n {
		return Case{}, false
	}
	c = Case{Trace: binary.LittleEndian.Uint64(b), Verdict: b[8], Set: b[9] != 0}
	for i := range n {
		c.Path = append(c.Path, binary.LittleEndian.Uint32(rest[4*i:]))
	}
	rest = rest[4*n:]
	n, size = binary.Uvarint(rest)
	if size <= 0 || n > textMax || uint64(len(rest)-size) < n {
		return Case{}, false
	}
	c.Text, c.Term = string(rest[size:size+int(n)]), rest[size+int(n):]
	return c, true
}
