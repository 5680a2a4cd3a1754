//go:build go1.25

package corpus_test

import (
	"fmt"
	"os"

	"github.com/allele-go/allele/internal/store/corpus"
)

func Example() {
	root, err := os.MkdirTemp("", "corpus")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	dir := corpus.Folder(root, "example.com/tree", "TestInsert")

	// A search saves inputs.
	w, err := corpus.Create(dir, "example.com/tree", "TestInsert")
	if err != nil {
		fmt.Println(err)
		return
	}
	leaf := corpus.Entry{Input: "&Tree{K: 1}", Verdict: "passed", How: "fresh", Run: 12, Binary: "5f0c"}
	w.Add(leaf)
	w.Add(corpus.Entry{Input: "&Tree{K: 1, L: &Tree{}}", Verdict: "discarded", Parent: leaf.ID(), How: "grow", Run: 40, Binary: "5f0c"})
	w.Ran(100_000, "5f0c")
	w.Close()

	// The next search reads them.
	c, err := corpus.Read(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Property, "after", c.Runs, "runs:")
	for _, e := range c.Entries {
		fmt.Println(e.ID(), e.Verdict, e.Input)
	}
	// Output:
	// TestInsert after 100000 runs:
	// e866a5a528dfc289 passed &Tree{K: 1}
	// 0e559aa0fd5bb7a8 discarded &Tree{K: 1, L: &Tree{}}
}
