package proc

import (
	"encoding/binary"
	"fmt"
	"io"
)

// messageMax is more than any case that is asked for, or what is said of it.
const messageMax = 64 << 20

// Say sends a message: its length and as many bytes.
func Say(to io.Writer, message []byte) error {
	_, err := to.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(message))), message...))
	return err
}

// Hear receives one.
func Hear(from io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > messageMax {
		return nil, fmt.Errorf("a message of %d bytes", n)
	}
	message := make([]byte, n)
	_, err := io.ReadFull(from, message)
	return message, err
}
