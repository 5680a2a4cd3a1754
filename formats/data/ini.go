package data

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/allele-go/allele/formats/internal/escape"
)

// Settings is an INI file.
type Settings []Section

// Section is a section of an INI file.
type Section struct {
	Name string
	Keys []Key
}

// Key is a key with its value, or a comment.
type Key struct {
	Name, Value string
	Comment     bool
}

// INI encodes settings.
func INI(v Settings) ([]byte, error) {
	var b bytes.Buffer
	line := strings.NewReplacer("\n", " ", "\r", " ")
	for _, s := range v {
		fmt.Fprintf(&b, "[%s]\n", escape.Name(s.Name, "section"))
		for _, k := range s.Keys {
			if k.Comment {
				b.WriteString("; " + line.Replace(k.Value) + "\n")
				continue
			}
			fmt.Fprintf(&b, "%s = %s\n", escape.Name(k.Name, "key"), line.Replace(k.Value))
		}
	}
	return b.Bytes(), nil
}
