//go:build go1.25

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/launch"
)

// An exact name selects its property, even if it matches others as a pattern.
func TestChooseOne(t *testing.T) {
	props := []launch.Property{
		{Package: "example.com/a", Name: "TestX"}, {Package: "example.com/a", Name: "TestX#2"},
		{Package: "example.com/a", Name: "TestSub/one"}, {Package: "example.com/b", Name: "TestX"}, {Package: "example.com/b", Name: "TestY"},
	}
	var many []launch.Property
	for i := range 30 {
		many = append(many, launch.Property{Package: "p", Name: fmt.Sprint("Test", i)})
	}
	for _, c := range []struct {
		all          []launch.Property
		wanted, want string
	}{
		{props, "TestY", "b.TestY"},
		{props, "Y", "b.TestY"},
		{props, "TestX#2", "a.TestX#2"},
		{props, "TestSub/one", "a.TestSub/one"},
		{props, "a.TestX", "a.TestX"},
		{props, "example.com/b.TestX", "b.TestX"},
		{props, "TestX", "2 properties match TestX; name one of them\n    example.com/a.TestX\n    example.com/b.TestX"},
		{props, "Z", "no property matches Z; there are 5 here; add ./... after the name to search all packages\n    example.com/a.TestX\n"},
		{nil, "TestX", "there are no properties here"},
		{many, "Test", "30 properties match Test; name one of them\n    p.Test0\n"},
		{many, "Test", "p.Test19\n    and 10 more"},
	} {
		p, err := chooseOne(c.all, c.wanted)
		got := p.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s: %s, wanted %s", c.wanted, got, c.want)
		}
	}
}
