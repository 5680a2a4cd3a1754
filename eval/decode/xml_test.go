package decode

import (
	"encoding/xml"
	"reflect"
	"testing"

	"github.com/allele-go/allele"
)

type element struct {
	ID   int       `xml:"id,attr"`
	Lang *string   `xml:"lang,attr"`
	Done bool      `xml:"done,attr,omitempty"`
	Text string    `xml:",chardata"`
	Note string    `xml:",comment"`
	Tags []string  `xml:"tags>tag"`
	Kids []element `xml:"element"`
}

// A decoded element can be encoded again, and is then decoded as an equal one.
func TestXML(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		var v, again element
		t.Assume(xml.Unmarshal(data, &v) == nil)
		b, err := xml.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(v, again) {
			t.Errorf("%+v became %+v (%v)", v, again, err)
		}
	}, allele.Through(func(v element) ([]byte, error) { return xml.Marshal(v) }))
}
