package faults

import (
	"testing"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/site"
)

func TestReadEquivalents(t *testing.T) {
	got, err := readEquivalents("a\n\twhy\nb\n\tbecause\n")
	if err != nil || len(got) != 2 || got["a"] != "why" || got["b"] != "because" {
		t.Error(got, err)
	}
	for _, text := range []string{"\twhy\n", "a\n", "a\nb\n\twhy\n", "b\n\twhy\na\n\twhy\n", "a\n\twhy\na\n\twhy\n", "a\n\t\n"} {
		if got, err := readEquivalents(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNumber(t *testing.T) {
	f := fault{Fault: site.Fault{File: "x.go", Func: "f", Operator: "math", From: "a+b", To: "a-b"}}
	all := []fault{f, f, f}
	number(all)
	if all[0].Func != "f" || all[1].Func != "f#2" || all[2].Func != "f#3" {
		t.Error(all)
	}
}

// A chosen fault is killed, equivalent, gone, or an error.
func TestSampled(t *testing.T) {
	old, oldText := equivalents, chosenText
	defer func() { equivalents, chosenText = old, oldText }()
	all := []fault{
		{Fault: site.Fault{File: "x.go", Func: "f", Operator: "math", From: "a+b", To: "a-b"}, Verdict: killed},
		{Fault: site.Fault{File: "x.go", Func: "f", Operator: "math", From: "a*b", To: "a/b"}, Verdict: survived},
		{Fault: site.Fault{File: "x.go", Func: "g", Operator: "math", From: "a*b", To: "a/b"}, Verdict: notReached},
	}
	equivalents = map[string]string{identity(all[1]): "b is 1"}
	chosenText = identity(all[0]) + "\n" + identity(all[1]) + "\n" + identity(all[2]) + "\nx.go | h | math | a | b\n"
	res := &lab.Result{Summary: map[string]any{}}
	if errs := sampled(res, all, all[1:]); len(errs) != 1 || len(res.Samples) != 2 {
		t.Errorf("%v, %v", errs, res.Samples)
	}
	if res.Summary["chosen"] != 4 || res.Summary["chosen and killed"] != 1 || res.Summary["chosen and not found"] != 1 {
		t.Error(res.Summary)
	}
}
