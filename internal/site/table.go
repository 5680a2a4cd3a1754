//go:build go1.25

package site

import (
	"encoding/binary"
	"errors"
	"math"
)

// A table is encoded as the number of sites, followed by the fields of each site as
// variable-length integers. The name of a file or function is written in full where it
// first occurs, and as a number after that, because thousands of sites lie in a few
// files.

// Encode returns the encoding of a table.
func Encode(sites []Site) []byte {
	b := binary.AppendUvarint(nil, uint64(len(sites)))
	names := map[string]int{}
	name := func(s string) {
		i, known := names[s]
		if !known {
			i = len(names)
			names[s] = i
		}
		b = binary.AppendUvarint(b, uint64(i))
		if !known {
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
	}
	for _, s := range sites {
		b = append(binary.AppendUvarint(b, uint64(s.ID)), byte(s.Kind))
		for _, n := range []int{s.Line, s.Col, s.EndLine, s.EndCol} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		name(s.File)
		name(s.Func)
	}
	return b
}

// errTable is returned for any invalid table. It has no details, because nobody repairs
// an invalid table: it is rebuilt.
var errTable = errors.New("not a table of sites")

// Decode decodes a table. The data may be damaged; then Decode returns an error.
func Decode(data []byte) ([]Site, error) {
	d := &decoder{data: data}
	count := d.number(math.MaxInt32)
	var sites []Site
	for range count {
		s := Site{ID: uint32(d.number(math.MaxUint32)), Kind: Kind(d.number(uint64(Operand)))}
		for _, n := range []*int{&s.Line, &s.Col, &s.EndLine, &s.EndCol} {
			*n = int(d.number(math.MaxInt32))
		}
		s.File, s.Func = d.name(), d.name()
		if d.bad { // stop early: count may be far larger than the number of sites in data
			break
		}
		sites = append(sites, s)
	}
	if d.bad || len(d.data) > 0 {
		return nil, errTable
	}
	return sites, nil
}

// decoder reads fields from the front of data. After the first invalid field, bad is
// true.
type decoder struct {
	data  []byte
	names []string
	bad   bool
}

func (d *decoder) number(most uint64) uint64 {
	n, size := binary.Uvarint(d.data)
	if d.bad || size <= 0 || n > most {
		d.bad = true
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) name() string {
	i := d.number(uint64(len(d.names)))
	if !d.bad && i == uint64(len(d.names)) {
		n := d.number(uint64(len(d.data)))
		if d.bad || n > uint64(len(d.data)) { // data has become shorter since n was checked
			d.bad = true
			return ""
		}
		d.names = append(d.names, string(d.data[:n]))
		d.data = d.data[n:]
	}
	if d.bad {
		return ""
	}
	return d.names[i]
}
