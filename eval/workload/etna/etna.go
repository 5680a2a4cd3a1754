// Package etna lists the tasks of the ETNA benchmark that are ported to Go here: two
// kinds of search trees and a lambda calculus.
//
//	for _, t := range etna.Tasks() { ... } // bst/insert_1/InsertPost, ...
//
// A task is a fault and a property that it breaks. Inputs meet the preconditions far more
// often than the inputs of package ifc do. So a guided search can gain little here, and
// must not be slower.
package etna

import (
	"slices"

	"github.com/allele-go/allele/eval/workload/etna/bst"
	"github.com/allele-go/allele/eval/workload/etna/rbt"
	"github.com/allele-go/allele/eval/workload/etna/stlc"
	"github.com/allele-go/allele/eval/workload/task"
)

// Tasks returns all tasks: 53 of package bst, 58 of rbt, 20 of stlc.
func Tasks() []task.Task { return slices.Concat(bst.Tasks(), rbt.Tasks(), stlc.Tasks()) }
