//go:build go1.25

// Package source is a room: what the program is. Its packages read the source of a module, add
// probes and faults to a copy of it, and build the copy. Only the command links them.
//
//	build           the overlay, and the test binary or the program built with it
//	  |    \     \      \
//	  |   facts   \      fault      where a program gets faults, and the gates that switch them
//	  |    |      probe   |         where a program gets probes
//	  |    |       |      |
//	  |    |      edit    |         insertions that move no line
//	  |    |              |
//	  +----+--- load -----+         what the go command would build, with types
//
//	change          which properties are affected by a change of the source
package source
