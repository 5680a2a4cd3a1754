//go:build go1.25

package transport

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// journal is a file of records that only grows. A record has a head, which is the length of its text, the checksum of its
// text, and the checksum of both; then comes the text, which is JSON. A process may be killed while it appends, so the
// file may end with a part of a record: it is cut off by the next process that appends. Any other damage is an error,
// because nobody knows what the record was, and where the next one begins.
type journal struct {
	file *os.File
	at   int64 // end of the records that were read
	size int64 // of the file after the last complete record, or larger if others have appended
}

const (
	headLen   = 12
	recordMax = 64 << 20
)

var errNoLocks = errors.New("transport: a shared folder needs a file system with locks")

func openJournal(file string) (*journal, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	return &journal{file: f}, nil
}

// read calls add with the records that were not read yet.
func (j *journal) read(add func(record)) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if j.size = info.Size(); j.size < j.at {
		return fmt.Errorf("transport: %s has shrunk: it was replaced while it was in use", j.file.Name())
	}
	for j.at < j.size {
		r, n, err := j.one()
		if err != nil || n == 0 {
			return err
		}
		add(r)
		j.at += n
	}
	return nil
}

// one reads the next record, and returns its length in the file. The length is 0 if only a part of it is there.
func (j *journal) one() (r record, n int64, err error) {
	var head [headLen]byte
	if j.size-j.at < headLen {
		return r, 0, nil
	}
	if _, err := j.file.ReadAt(head[:], j.at); err != nil {
		return r, 0, err
	}
	if crc32.ChecksumIEEE(head[:8]) != binary.LittleEndian.Uint32(head[8:]) {
		if j.restIsZero() { // the file was made longer, and the bytes did not reach the disk
			return r, 0, nil
		}
		return r, 0, j.damaged("the head of the record is wrong")
	}
	n = headLen + int64(binary.LittleEndian.Uint32(head[:4]))
	if n > recordMax {
		return r, 0, j.damaged("the record is too long")
	}
	if n > j.size-j.at {
		return r, 0, nil
	}
	text := make([]byte, n-headLen)
	if _, err := io.ReadFull(io.NewSectionReader(j.file, j.at+headLen, n-headLen), text); err != nil {
		return r, 0, err
	}
	if crc32.ChecksumIEEE(text) != binary.LittleEndian.Uint32(head[4:8]) {
		if j.at+n == j.size { // the last one: its bytes did not all reach the disk
			return r, 0, nil
		}
		return r, 0, j.damaged("the checksum of the record is wrong")
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, 0, j.damaged(err.Error())
	}
	return r, n, nil
}

// restIsZero reports whether all bytes from the next record on are 0.
func (j *journal) restIsZero() bool {
	rest, err := io.ReadAll(io.LimitReader(io.NewSectionReader(j.file, j.at, j.size-j.at), recordMax))
	return err == nil && len(bytes.TrimLeft(rest, "\x00")) == 0
}

func (j *journal) damaged(why string) error {
	return fmt.Errorf("transport: %s is damaged at byte %d: %s; the records before it are intact", j.file.Name(), j.at, why)
}

// append writes records after the last complete one. All records must have been read.
func (j *journal) append(rs []record) error {
	if j.at < j.size { // a part of a record, of a process that was killed
		if err := j.file.Truncate(j.at); err != nil {
			return err
		}
	}
	var all []byte
	for _, r := range rs {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if len(text) > recordMax-headLen {
			return fmt.Errorf("transport: a record of %d bytes is too large", len(text))
		}
		head := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
		head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(text))
		head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(head))
		all = append(append(all, head...), text...)
	}
	if _, err := j.file.WriteAt(all, j.at); err != nil {
		return errors.Join(err, j.file.Truncate(j.at))
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	j.at += int64(len(all))
	j.size = j.at
	return nil
}

func (j *journal) close() error { return j.file.Close() }
