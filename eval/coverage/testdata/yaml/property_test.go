package scratch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/allele-go/allele"
)

// property prints a document as text and parses the text, as nodes and as Go
// values.
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

// clean reduces a tree to plain values: it removes comments, anchors, aliases, nils
// and the children of scalars, and makes strings valid UTF-8.
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

// try turns a panic into an error: here only the path counts.
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
