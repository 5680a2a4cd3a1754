package tree

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestInsertKeepsOrder(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Tree *Tree
		Key  int
	}) {
		t.Assume(in.Tree.Ordered())
		if got := in.Tree.Insert(in.Key); !got.Ordered() {
			t.Errorf("insert broke the order")
		}
	}, allele.AllowVacuous(), allele.Size(8), allele.Tests(5000))
}
