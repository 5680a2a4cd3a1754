package samesearch

import (
	"bytes"
	"flag"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

var long = flag.Bool("long", false, "record 100,000 runs of each search instead of 3,000")

func TestSameSearch(t *testing.T) {
	runs, file := 3_000, "testdata/short.golden"
	if *long {
		runs, file = 100_000, "testdata/long.golden"
	}
	var out bytes.Buffer
	if err := Record(&out, runs); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, file, out.Bytes())
}
