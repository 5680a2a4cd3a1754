package proc

import (
	"encoding/binary"
	"os"
)

// Box is a file of messages that one process appends to and another reads: each
// goes out in one write, so that whoever reads sees whole messages, and one that is
// killed leaves at most half of its last.
type Box struct {
	file *os.File
	at   int64 // read so far
	rest []byte
	buf  []byte
}

const (
	boxMessageMax = 1 << 20 // a case and its path
	boxReadMax    = 1 << 16 // at once
)

// OpenBox opens a box, and makes it if it is not there.
func OpenBox(path string) (*Box, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	return &Box{file: f}, err
}

// Put adds a message. One that is too large is left out, and that is reported.
func (b *Box) Put(message []byte) (bool, error) {
	if len(message) > boxMessageMax {
		return false, nil
	}
	_, err := b.file.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(message))), message...))
	return err == nil, err
}

// Next gives the messages that came since it was last asked. If the file holds
// something else, there are none any more.
func (b *Box) Next() (messages [][]byte) {
	if b.buf == nil {
		b.buf = make([]byte, boxReadMax)
	}
	for b.at >= 0 {
		n, err := b.file.ReadAt(b.buf, b.at)
		b.at += int64(n)
		b.rest = append(b.rest, b.buf[:n]...)
		if err != nil || len(b.rest) > 4+boxMessageMax {
			break // all that is there, or enough for one message
		}
	}
	for len(b.rest) >= 4 {
		size := int(binary.LittleEndian.Uint32(b.rest))
		if size > boxMessageMax {
			b.at, b.rest = -1, nil
			return messages
		}
		if len(b.rest) < 4+size {
			break
		}
		messages = append(messages, b.rest[4:4+size:4+size])
		b.rest = b.rest[4+size:]
	}
	b.rest = append([]byte(nil), b.rest...) // not the whole of what was read
	return messages
}

// Close lets the file go; it stays.
func (b *Box) Close() error { return b.file.Close() }
