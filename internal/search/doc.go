//go:build go1.25

// Package search is a room: which input is next. Its packages choose terms by what earlier runs
// have shown. They run nothing, and know neither files nor processes.
//
//	engine          which term is run next, and when to stop
//	  |  \  \  \
//	  |   \  \  queue       what is still to be done, the most promising first
//	  |    \  operand       terms to try because of values that a run compared
//	  |     \
//	  |      \     watch    what runs have reached, and when a run takes too many steps
//	  |       \   /  |
//	  |      novelty |      what a path adds to the paths already seen
//	  |              |   cover    which few inputs reach everything that many reach
//	  |              |     |
//	  +---- trace ---+-----+      the path of a run
//
//	shrink   which simpler term is tried next, once a term has failed
//	slow     which part of an input makes a run take very long
package search
