package decode

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"testing"

	"github.com/allele-go/allele"
)

type tree struct {
	Name   string
	Data   []byte
	Labels map[string]int
	Weight *int16
	Size   [2]uint16
	Kids   []tree
}

func (v tree) encode() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func (v *tree) decode(data []byte) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }

// A decoded tree can be encoded again. The result lacks what gob does not send, such as an empty
// list. Encoding that result changes nothing more.
func TestGob(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		var v [3]tree
		t.Assume(v[0].decode(data) == nil)
		for i := range 2 {
			b, err := v[i].encode()
			if err != nil {
				t.Fatal(err)
			}
			if err := v[i+1].decode(b); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(v[1], v[2]) {
			t.Errorf("%+v became %+v", v[1], v[2])
		}
	}, allele.Through(tree.encode))
}
