package decode

import (
	"bytes"
	"encoding/asn1"
	"testing"

	"github.com/allele-go/allele"
)

type record struct {
	Version int `asn1:"optional,explicit,default:1,tag:0"`
	Serial  int64
	Kind    asn1.Enumerated
	OK      bool
	ID      asn1.ObjectIdentifier
	Name    string `asn1:"utf8"`
	Key     []byte `asn1:"optional,tag:1"`
	Flags   asn1.BitString
	Parts   []string `asn1:"set,optional,omitempty"`
}

// A decoded record can be encoded again. Decoding and encoding the result changes nothing more.
func TestASN1(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		var v, again record
		_, err := asn1.Unmarshal(data, &v)
		t.Assume(err == nil)
		b, err := asn1.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := asn1.Unmarshal(b, &again); err != nil {
			t.Fatalf("%v in %x", err, b)
		}
		if c, err := asn1.Marshal(again); err != nil || !bytes.Equal(b, c) {
			t.Errorf("%x became %x (%v)", b, c, err)
		}
	}, allele.Through(func(v record) ([]byte, error) { return asn1.Marshal(v) }))
}
