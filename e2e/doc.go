// Package e2e tests allele from outside, together with what its users have.
//
// Scripts run the built command on modules of all sorts, made in a temporary
// folder. One script is one topic, with its files below it (txtar):
//
//	go test -count=1 -run TestScripts/vendor       // testdata/script/vendor.txt
//	go test -count=1 -run TestScripts/vendor -v    // all it ran and printed
//	go test -count=1 -run TestScripts -update      // accept what cmp lines compare
//
// Without -count=1 a remembered answer outlives the code: the test cache takes no
// notice of files outside this module, whoever opens them.
//
// The functions in a script are made so that the number of ways through them
// can be counted by hand, and a script wants exactly that number of paths: a
// probe that is missing, in the wrong place or changes what the code does shows.
// The number of sites is not wanted, as it changes with every better idea about
// where probes go. Every script takes a snapshot of the user's files and
// compares it at the end.
//
// Beside the commands of testscript there are, each told in script_test.go or finding_test.go:
//
//	library [folder...]            require this module, from this folder
//	snapshot, unchanged            nothing but findings may be written
//	proxy module version folder    serve a folder as a module, GOPROXY=file://
//	copy from to                   a folder, without findings
//	[!] times n program args...    run it n times: it must print the same
//	await program args...          run it until it ends well
//	fewer file file                paths of one property, in two outputs
//	found [-apart] test verdict literals headline place
//	                               allele test has shown and stored this failure
//	replayed                       go test has shown all that were found
//
// and [cgo] for what needs a C compiler. $ROOT is the repository, $STD the
// source of the standard library, and .tmp is for what is not the user's.
// A script begins with GOPROXY=off and GOFLAGS=-mod=mod, shares the build cache
// and has a cache folder of its own.
//
// Pages are run too: README.md, and every page of docs/guide that begins with the line
// <!-- page -->. A test does what the page tells its reader to do, in a fresh module that
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
//	              Other code is a
//	              fragment: declarations, statements or options. A fragment is compiled
//	              in a package of its own, with a copy of the module's files at that
//	              point; a declaration of the fragment replaces one of the same name in
//	              the files. { ... } is an omitted body, a line ... is omitted lines.
//	console, sh   "$ command", then all its output. A line ... matches any lines. Times,
//	              speeds and addresses are not compared, all else is. The command must
//	              fail if a test is shown as FAIL, FAILED, VACUOUS, FLAKY or CRASHED, and
//	              must not fail otherwise.
//	              There are go build, doc, get (allele only), list, mod init, run, test,
//	              tool and vet, cat, cd and ls, and rm -r testdata; ALLELE_X=y may precede them, and a
//	              comment may follow. Time budgets (-for) are shortened to a second.
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
// It is a module of its own, because it requires what they require, and:
//
//	github.com/rogpeppe/go-internal v1.14.1   testscript, which runs the scripts: the
//	                                          go command's own engine, as a library
//	golang.org/x/mod v0.21.0                  zip, which packs modules as proxies serve
//	                                          them; the version testscript requires
package e2e
