package page

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele"
)

// A number is the name of an element or attribute. Texts are escaped.
func ExampleHTML() {
	b, _ := HTML(Document{Title: "a < b", Body: []Node{
		Element{Tag: 1, Attrs: []Attr{{Name: 1, Value: AttrValue{Text: `"`}}}, Children: []Node{Text("&"), Entity{Name: 5}}},
		VoidElement{},
	}})
	fmt.Print(string(b))
	// Output:
	// <!DOCTYPE html>
	// <html><head><title>a &lt; b</title></head><body><p id="&#34;">&amp;&copy;</p><br></body></html>
}

// A rule without a selector is for the whole page.
func ExampleCSS() {
	b, _ := CSS(StyleSheet{
		Rules: []Rule{{Declarations: []Declaration{{Kind: 1, Number: 7}, {Kind: 6, Important: true}}}},
		Media: []Rule{{Selectors: []Selector{{Kind: 1, Name: "wide"}, {Tag: 2}}}},
	})
	fmt.Print(string(b))
	// Output:
	// body { width: 7px; color: #000000 !important; }
	// @media print {
	// .wide, span { }
	// }
}

// Every value can be encoded.
func TestEncoders(t *testing.T) {
	for name, through := range map[string][]allele.Option{"html": {allele.Through(HTML), Nodes}, "css": {allele.Through(CSS)}} {
		t.Run(name, func(t *testing.T) {
			allele.Check(t, func(t *allele.T, b []byte) {}, append(through, allele.Tests(1000))...)
		})
	}
}
