// Package escape turns any text into one that a format can hold at a place.
//
// Texts of inputs are arbitrary. An encoder that wrote them as they are would make files that no
// reader gets far into.
//
//	escape.Name(s, "key")   // data: the name of a key
//	escape.XML(s)           // markup: the text between two tags
//	escape.Shell(s)         // code: one word of a command
package escape

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// Name returns the letters and digits of a text, as a name. If there are none, it returns the other name.
func Name(s, other string) string {
	var b strings.Builder
	for _, c := range s {
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' && b.Len() > 0 {
			b.WriteRune(c)
		}
	}
	if b.Len() == 0 {
		return other
	}
	return b.String()
}

// XML returns a text as XML has it between tags and in attributes.
func XML(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a buffer has no errors
	return b.String()
}

// Shell returns a text as one word of the shell.
func Shell(s string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "\x00", "").Replace(s) + "'"
}
