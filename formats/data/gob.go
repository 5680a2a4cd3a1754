package data

import (
	"bytes"
	"encoding/gob"
)

// Record is a value for gob.
type Record struct {
	Name   string
	Count  int
	Ratio  float64
	Data   []byte
	Flags  []bool
	Parts  []Record
	Lookup map[string]int16
}

// Gob encodes records.
func Gob(v []Record) ([]byte, error) {
	var b bytes.Buffer
	e := gob.NewEncoder(&b)
	for _, r := range v {
		if err := e.Encode(r); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
