//go:build go1.25

package codec

import (
	"reflect"

	"github.com/allele-go/allele/internal/value/schema"
)

// TypeText returns a type as Go source in package Style.Pkg, and the imports that
// the source needs, as a map from paths to package names. The text is empty if the
// type cannot be named in Style.Pkg.
func TypeText(w *schema.World, t reflect.Type, st Style) (text string, imports map[string]string) {
	p := &printer{world: w, style: st, types: map[reflect.Type]string{}, imports: map[string]string{}, aliases: map[string]bool{}}
	if text = p.typeText(t); p.unnameable {
		return "", nil
	}
	return text, p.imports
}
