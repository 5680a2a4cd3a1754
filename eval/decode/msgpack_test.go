package decode

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele"
	"github.com/vmihailenco/msgpack/v5"
)

type event struct {
	ID    uint64
	Delta int32 `msgpack:",omitempty"`
	Name  string
	Data  []byte
	Tags  map[string]int8
	Next  *event
	Parts []event
}

// A decoded event can be encoded again, and is then decoded as an equal one.
func TestMsgpack(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		var v, again event
		t.Assume(msgpack.Unmarshal(data, &v) == nil)
		b, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := msgpack.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(v, again) {
			t.Errorf("%+v became %+v (%v)", v, again, err)
		}
	}, allele.Through(func(v event) ([]byte, error) { return msgpack.Marshal(v) }))
}
