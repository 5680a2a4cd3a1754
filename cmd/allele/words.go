//go:build go1.25

package main

import "github.com/allele-go/allele/internal/ops/words"

var (
	printable  = words.Printable
	group      = words.Group
	count      = words.Count
	properties = words.Properties
)
