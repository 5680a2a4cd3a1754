// Package e2e tests the allele command and library from outside, together with other
// tools and libraries that users have.
//
// Scripts run the built command on modules of all kinds, in a temporary folder. Each
// script covers one topic, and contains the files of its module (txtar):
//
//	go test -count=1 -run TestScripts/vendor       // testdata/script/vendor.txt
//	go test -count=1 -run TestScripts/vendor -v    // print all commands and their output
//	go test -count=1 -run TestScripts -update      // accept the output that cmp lines compare
//
// Without -count=1 a cached result may be outdated: the test cache ignores changes of
// files outside this module.
//
// The functions in a script are written so that their paths can be counted by hand, and a
// script expects exactly that number of paths. So a probe that is missing, is in the wrong
// place or changes what the code does fails a script. Scripts do not check the number of
// sites, because it changes with every improvement of where probes are inserted. Every
// script takes a snapshot of the user's files and compares them with it at the end.
//
// In addition to the commands of testscript there are these, which are explained in
// script_test.go and finding_test.go:
//
//	library [folder...]            require this module, from this repository
//	snapshot, unchanged            check that only findings were written
//	proxy module version folder    serve a folder as a module, GOPROXY=file://
//	copy from to                   copy a folder, without findings
//	[!] times n program args...    run a program n times: it must print the same
//	await program args...          run a program until it exits with success
//	fewer file file                compare the paths of one property in two outputs
//	damage                         damage all files of the corpus
//	slot test                      leave the slot of a killed process
//	found [-apart] test verdict literals headline place
//	                               check that allele test has shown and stored this failure
//	replayed                       check that go test has shown all failures that were found
//
// The condition [cgo] is true if there is a C compiler. $ROOT is the repository, $STD the
// source of the standard library, and .tmp is a folder for files that are not the user's.
// A script starts with GOPROXY=off and GOFLAGS=-mod=mod, shares the build cache and has its
// own cache folder.
//
// The package is a module of its own, because it requires the libraries that users have,
// and:
//
//	github.com/rogpeppe/go-internal v1.14.1   testscript, which runs the scripts: the
//	                                          go command's own engine, as a library
//	golang.org/x/mod v0.21.0                  zip, which packs modules as proxies serve
//	                                          them; the version that testscript requires
package e2e
