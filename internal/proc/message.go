//go:build go1.25

package proc

import (
	"encoding/binary"
	"fmt"
	"io"
)

// messageMax bounds a message. A question contains an input, and an answer contains the
// result of its run.
const messageMax = 64 << 20

// WriteMessage writes the length of a message and then its bytes.
func WriteMessage(to io.Writer, message []byte) error {
	_, err := to.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(message))), message...))
	return err
}

// ReadMessage reads a message that WriteMessage wrote.
func ReadMessage(from io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > messageMax {
		return nil, fmt.Errorf("read message: length %d is more than %d bytes", n, messageMax)
	}
	message := make([]byte, n)
	_, err := io.ReadFull(from, message)
	return message, err
}
