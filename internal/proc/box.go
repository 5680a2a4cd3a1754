//go:build go1.25

package proc

import (
	"encoding/binary"
	"os"
)

// Box is a file of messages that one process appends to and another reads. Each message
// is one write, so the reader sees whole messages, and a writer that is killed leaves at
// most one incomplete message at the end.
type Box struct {
	file *os.File
	at   int64 // offset of the next read; -1 after a damaged message
	rest []byte
	buf  []byte
}

const (
	boxMessageMax = 1 << 20 // bytes of a message: an input and its path
	boxReadMax    = 1 << 16 // bytes of one read
)

// OpenBox opens a box, and creates it if it does not exist.
func OpenBox(path string) (*Box, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	return &Box{file: f}, err
}

// Put appends a message. It returns false if the message is too large, and then writes
// nothing.
func (b *Box) Put(message []byte) (bool, error) {
	if len(message) > boxMessageMax {
		return false, nil
	}
	_, err := b.file.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(message))), message...))
	return err == nil, err
}

// Next returns the messages that were added since the last call. After a damaged message
// it returns no more messages.
func (b *Box) Next() (messages [][]byte) {
	if b.buf == nil {
		b.buf = make([]byte, boxReadMax)
	}
	for b.at >= 0 {
		n, err := b.file.ReadAt(b.buf, b.at)
		b.at += int64(n)
		b.rest = append(b.rest, b.buf[:n]...)
		if err != nil || len(b.rest) > 4+boxMessageMax {
			break // the end of the file, or enough for one message
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
	b.rest = append([]byte(nil), b.rest...) // a copy, so that the memory of the messages can be freed
	return messages
}

// Close closes the file and does not remove it.
func (b *Box) Close() error { return b.file.Close() }
