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
//	schema name file               check that a JSON file is valid, by testdata/schema/name
//	steps page file                write the commands of the job in a page of the guide to a
//	                               shell script
//	replayed                       check that go test has shown all failures that were found
//
// The condition [cgo] is true if there is a C compiler. $ROOT is the repository, $STD the
// source of the standard library, and .tmp is a folder for files that are not the user's.
// A script starts with GOPROXY=off and GOFLAGS=-mod=mod, shares the build cache and has its
// own cache folder.
//
// Pages are run too: README.md and all of docs/guide. A test does what the page tells its reader to do, in a fresh module that
// has the library and the command, and compares what commands print with what is shown:
//
//	go test -count=1 -run TestPages                    // all pages
//	go test -count=1 -run 'TestPages/guide/inputs$'    // docs/guide/inputs.md
//	go test -count=1 -run TestPages -update            // write the outputs into the pages
//
// Blocks by language:
//
//	go            a file, if its first line is a comment with its name: // dir/name.go.
//	              Without a package clause it gets one, and its imports; if the file is
//	              there already, the declarations replace those of the same name in it.
//	              Other code is a fragment: declarations, statements or options. It is
//	              compiled in a package of its own, with a copy of the module's files at
//	              that point; its declarations replace those of the same name in the copy.
//	              { ... } is an omitted body, a line ... is omitted lines.
//	console, sh   "$ command", then all its output. A line ... matches any lines. Times,
//	              speeds and addresses are not compared, all else is. The command must
//	              fail if a test is shown as FAIL, FAILED, VACUOUS, FLAKY or CRASHED, and
//	              must not fail otherwise.
//	              There are go build, doc, get (allele and protobuf), list, mod init, run, test,
//	              tool and vet, git init, add and commit, cat, cd, ls, and rm -r testdata.
//	              ALLELE_X=y may precede them, and a comment may follow. Time budgets
//	              (-for) are shortened to a second.
//	text, yaml, json    not compared. Other languages, and none, are errors.
//
// HTML comments, each on a line of its own, hold what readers do not need to see. The first
// five apply to the next block:
//
//	<!-- file NAME -->                 it is written to this file (also text, yaml, json)
//	<!-- with in []int, n int -->      its statements may use these variables; t is there,
//	                                   a *testing.T, or *allele.T if it says t.Assume or t.Label
//	<!-- no output shown -->           outputs of its commands are not compared
//	<!-- fails -->                     its last command must fail
//	<!-- skip: REASON -->              it is not run; skipsMax bounds the number of such blocks
//	<!-- module example.com/tree -->   a fresh module; a page begins with example.com/PAGE
//	<!-- edit FILE: OLD => NEW -->     replaces OLD, which occurs once in the file
//	<!-- hidden                        blocks until the line --> are run, and not shown
//
// The package is a module of its own, because it requires the libraries that users have,
// and:
//
//	github.com/rogpeppe/go-internal v1.14.1   testscript, which runs the scripts: the
//	                                          go command's own engine, as a library
//	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
//	                                          checks what allele score exports against the
//	                                          schemas of the formats
//	golang.org/x/mod v0.21.0                  zip, which packs modules as proxies serve
//	                                          them; the version that testscript requires
package e2e
