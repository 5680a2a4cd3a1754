package jet

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
)

const (
	// BlobMax is the size of the largest case, failure, job or result.
	BlobMax = 64 << 20
	// BinMax is the size of the largest bundle of test binaries.
	BinMax = 1 << 30
)

// blob names data that is stored as parts.
type blob struct {
	name string // 32 hexadecimal digits
	sum  [sha256.Size]byte
	size int
}

func (b blob) String() string { return fmt.Sprintf("%s %x %d", b.name, b.sum, b.size) }

func (b blob) part(i int) string { return "blob." + b.name + "." + strconv.Itoa(i) }

// parts is how many parts data of some size has.
func parts(size int) int { return (size + partMax - 1) / partMax }

func readBlob(s string) (b blob, err error) {
	fields := strings.Split(s, " ")
	if len(s) > 128 || len(fields) != 3 || len(fields[0]) != 32 || len(fields[1]) != 2*sha256.Size {
		return b, errUnreadable
	}
	var name [16]byte
	if _, err := hex.Decode(name[:], []byte(fields[0])); err != nil {
		return b, errUnreadable
	}
	b.name = hex.EncodeToString(name[:])
	if _, err := hex.Decode(b.sum[:], []byte(fields[1])); err != nil {
		return b, errUnreadable
	}
	b.size, err = strconv.Atoi(fields[2])
	if err != nil || b.size <= inlineMax || b.size > BlobMax || b.String() != s {
		return b, errUnreadable
	}
	return b, nil
}

// attach puts data into a message. If it is large it is stored before, so that whoever sees the message can read it.
func (t *Transport) attach(ctx context.Context, c *claim, data []byte) error {
	switch {
	case len(data) <= inlineMax:
		c.data = data
		return nil
	case len(data) > BlobMax:
		return fmt.Errorf("jet: %d bytes are too many: at most %d can be sent", len(data), BlobMax)
	}
	b := blob{sum: sha256.Sum256(data), size: len(data)}
	b.name = hex.EncodeToString(b.sum[:16])
	for i := 0; i < parts(b.size); i++ {
		same, err := t.putPart(ctx, Blob, b.part(i), data[i*partMax:min((i+1)*partMax, len(data))], nil)
		if err != nil {
			return err
		}
		if !same { // some worker has stored other data under the name of this: another name is as good
			var random [16]byte
			rand.Read(random[:]) // never fails
			b.name, i = hex.EncodeToString(random[:]), -1
		}
	}
	c.header = nats.Header{headBlob: {b.String()}}
	return nil
}

// putPart stores a part. It reports false if there is another one with its subject.
func (t *Transport) putPart(ctx context.Context, stream, subject string, data []byte, h nats.Header) (same bool, err error) {
	err = t.insist(ctx, "store "+subject, func(ctx context.Context) error {
		taken, err := t.publish(ctx, claim{stream: stream, subject: subject, header: h, data: data})
		if err != nil {
			return err
		}
		if !taken {
			same = true
			return nil
		}
		m, err := t.last(ctx, stream, subject)
		if err != nil {
			return err
		}
		same = bytes.Equal(m.data, data) && m.header.Get(headSize) == h.Get(headSize)
		return nil
	})
	return same, err
}

// dataOf returns the data of a message.
func (t *Transport) dataOf(ctx context.Context, m message) ([]byte, error) {
	where := m.header.Get(headBlob)
	if where == "" {
		return m.data, nil
	}
	b, err := readBlob(where)
	if err != nil {
		return nil, fmt.Errorf("it names its data as %.80q: %w", where, err)
	}
	var data []byte // grows as data comes: the size may be a lie
	for i := range parts(b.size) {
		p, err := t.part(ctx, Blob, b.part(i))
		if err != nil {
			return nil, err
		}
		if data = append(data, p.data...); len(data) > b.size {
			break
		}
	}
	if len(data) != b.size || sha256.Sum256(data) != b.sum {
		return nil, fmt.Errorf("blob %s is false: it has other bytes than its hash says", b.name)
	}
	return data, nil
}

// part reads a part. It is an error that there is none, and only the leader knows for sure: a replica may be late.
func (t *Transport) part(ctx context.Context, stream, subject string) (m message, err error) {
	err = t.insist(ctx, "read "+subject, func(ctx context.Context) error {
		if m, err = t.last(ctx, stream, subject); errors.Is(err, errNone) {
			m, err = t.leader(ctx, stream, request{LastFor: subject})
		}
		if errors.Is(err, errNone) {
			return final{fmt.Errorf("%s is missing", subject)}
		}
		return err
	})
	return m, err
}

// PutBin stores a bundle of test binaries, and returns its SHA-256 hash in hexadecimal. It can be repeated.
func (t *Transport) PutBin(ctx context.Context, r io.ReadSeeker) (hash string, err error) {
	ctx, end := t.begin(ctx)
	defer end()
	h := sha256.New()
	size, err := io.Copy(h, io.LimitReader(r, BinMax+1))
	if err != nil {
		return "", fmt.Errorf("jet: read bundle: %w", err)
	}
	if size == 0 || size > BinMax {
		return "", fmt.Errorf("jet: a bundle must have 1 to %d bytes", BinMax)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("jet: read bundle: %w", err)
	}
	hash = hex.EncodeToString(h.Sum(nil))
	for i := range parts(int(size)) {
		data := make([]byte, min(partMax, int(size)-i*partMax))
		if _, err := io.ReadFull(r, data); err != nil {
			return "", fmt.Errorf("jet: read bundle: %w", err)
		}
		header := nats.Header{headSize: {strconv.FormatInt(size, 10)}}
		subject := binPart(hash, i)
		if same, err := t.putPart(ctx, Bin, subject, data, header); err != nil {
			return "", err
		} else if !same {
			return "", fmt.Errorf("jet: %s is stored with other bytes; the bundle has changed while it was read, or the stream is damaged",
				subject)
		}
	}
	return hash, nil
}

// Bin writes the bundle with a hash to w. If it returns an error, what was written is worthless.
func (t *Transport) Bin(ctx context.Context, hash string, w io.Writer) error {
	ctx, end := t.begin(ctx)
	defer end()
	if sum, err := hex.DecodeString(hash); err != nil || len(sum) != sha256.Size || hex.EncodeToString(sum) != hash {
		return fmt.Errorf("jet: %.80q is not the hash of a bundle", hash)
	}
	h := sha256.New()
	for i, left := 0, 1; left > 0; i++ {
		m, err := t.part(ctx, Bin, binPart(hash, i))
		if err != nil {
			return err
		}
		if i == 0 {
			left, err = strconv.Atoi(m.header.Get(headSize))
			if err != nil || left <= 0 || left > BinMax {
				return fmt.Errorf("jet: bundle %s: its size is not readable", hash)
			}
		}
		if want := min(left, partMax); len(m.data) != want {
			return fmt.Errorf("jet: bundle %s: part %d has %d bytes, want %d", hash, i, len(m.data), want)
		}
		h.Write(m.data) // never fails
		if _, err := w.Write(m.data); err != nil {
			return fmt.Errorf("jet: bundle %s: %w", hash, err)
		}
		left -= len(m.data)
	}
	if hex.EncodeToString(h.Sum(nil)) != hash {
		return fmt.Errorf("jet: bundle %s is false: it has other bytes than its hash says", hash)
	}
	return nil
}

func binPart(hash string, i int) string { return "bin." + hash + "." + strconv.Itoa(i) }
