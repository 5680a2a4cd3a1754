package decode

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele"
	"github.com/fxamacker/cbor/v2"
)

type reading struct {
	ID     uint64 `cbor:"1,keyasint"`
	Delta  int32  `cbor:"2,keyasint,omitempty"`
	Unit   string
	Raw    []byte
	Counts map[string]int
	Level  *int16
	Parts  []reading
}

// A decoded reading can be encoded again, and is then decoded as an equal one.
func TestCBOR(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		var v, again reading
		t.Assume(cbor.Unmarshal(data, &v) == nil)
		b, err := cbor.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := cbor.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(v, again) {
			t.Errorf("%+v became %+v (%v)", v, again, err)
		}
	}, allele.Through(func(v reading) ([]byte, error) { return cbor.Marshal(v) }))
}
