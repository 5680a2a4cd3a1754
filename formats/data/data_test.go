package data

import (
	"bytes"
	"encoding/asn1"
	"encoding/gob"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/allele-go/allele"
	"gopkg.in/yaml.v3"
)

// What the encoders write is well formed: an independent reader reads it.
func TestReaders(t *testing.T) {
	for _, f := range []struct {
		name    string
		through []allele.Option
		read    func([]byte) error
	}{
		{"json", []allele.Option{allele.Through(JSON), Values}, func(b []byte) error { var v any; return json.Unmarshal(b, &v) }},
		{"yaml", []allele.Option{allele.Through(YAML), Values}, func(b []byte) error { var v any; return yaml.Unmarshal(b, &v) }},
		{"gob", []allele.Option{allele.Through(Gob)}, readGob},
		{"der", []allele.Option{allele.Through(DER), Elements}, func(b []byte) error { var v asn1.RawValue; _, err := asn1.Unmarshal(b, &v); return err }},
		{"pem", []allele.Option{allele.Through(PEM), Elements}, readPEM},
	} {
		t.Run(f.name, func(t *testing.T) {
			allele.Check(t, func(t *allele.T, b []byte) {
				if err := f.read(b); err != nil {
					t.Fatalf("%v: %q", err, b)
				}
			}, append(f.through, allele.Tests(1000))...)
		})
	}
}

func readGob(b []byte) error {
	d := gob.NewDecoder(bytes.NewReader(b))
	for {
		var r Record
		if err := d.Decode(&r); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func readPEM(b []byte) error {
	for len(b) > 0 {
		block, rest := pem.Decode(b)
		if block == nil {
			return errors.New("no block")
		}
		b = rest
	}
	return nil
}

// Names have only letters and digits, and each key or comment is one line.
func ExampleINI() {
	b, _ := INI(Settings{{Name: "a b", Keys: []Key{{Value: "1\n2"}, {Value: "note", Comment: true}}}})
	fmt.Print(string(b))
	// Output:
	// [ab]
	// key = 1 2
	// ; note
}
