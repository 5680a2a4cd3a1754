package scratch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/allele-go/allele"
)

// property writes a document as text and reads that, as nodes and as Go values.
func property(t *testing.T, seen *tally, opts ...allele.Option) {
	kinds := allele.Values(yaml.SequenceNode, yaml.MappingNode, yaml.ScalarNode)
	allele.Check(t, func(t *allele.T, in yaml.Node) {
		clean(&in)
		var text []byte
		err := try(func() (err error) { text, err = yaml.Marshal(&in); return })
		if err == nil {
			err = try(func() error { return yaml.Unmarshal(text, new(yaml.Node)) })
		}
		if err == nil {
			err = try(func() error { return yaml.Unmarshal(text, new(any)) })
		}
		seen.add(len(text), err)
	}, append(opts, kinds)...)
}

// clean leaves what a tree of values has: no comments, no references, no nils and
// nothing inside of a scalar, and text that is text.
//
//go:norace
func clean(n *yaml.Node) {
	n.Tag, n.Value = strings.ToValidUTF8(n.Tag, ""), strings.ToValidUTF8(n.Value, "")
	n.Anchor, n.Alias = "", nil
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	if n.Kind == yaml.ScalarNode {
		n.Content = nil
	}
	n.Content = slices.DeleteFunc(n.Content, func(c *yaml.Node) bool { return c == nil })
	for _, c := range n.Content {
		clean(c)
	}
}

// try has a panic be an error: what counts here is the path.
//
//go:norace
func try(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}
