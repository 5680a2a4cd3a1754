package codec

import (
	"reflect"

	"github.com/allele-go/allele/internal/value/schema"
)

// TypeText returns a type of a world as it is written in Style.Pkg, and the
// packages that it needs, from paths to names. The text is empty if the type
// cannot be named there.
func TypeText(w *schema.World, t reflect.Type, st Style) (text string, imports map[string]string) {
	p := &printer{world: w, style: st, types: map[reflect.Type]string{}, imports: map[string]string{}}
	if text = p.typeText(t); p.unnameable {
		return "", nil
	}
	return text, p.imports
}
