//go:build go1.25

package main

// The help of each subcommand, which the list of its flags follows.

const testHelp = `usage: allele test [flags] [packages]

Searches for inputs that make a property fail. A property is a call of allele.Check in a
test. A failing input is shrunk and stored in testdata/allele, where go test runs it again.
Each search starts from the inputs that earlier searches saved.

Example:
    go tool allele test -for 1m ./...

Flags:
`

const runHelp = `usage: allele run [flags] -format NAME -- PROGRAM [ARGUMENTS]

Searches for inputs that make a program fail, in any language. The inputs are values of a
format, encoded, with small changes of the values, of the code of the encoder, and of the
bytes. In the arguments, @@ is replaced by the name of a file with the input. Without @@ the
program reads its standard input. All else is passed on as it is. Each run has a folder of its
own, so an argument that is the name of a file needs the whole path.

A run fails if a signal ends the program or its exit code is above 128 and not 143, if it
does not end in time, if it writes too much, or if a sanitizer, Valgrind or the Go runtime
reports an error. Each kind of failure is a finding: a folder
with the shortest input, a report and a script that runs it again. The same command later
continues the search.

If the program does not read its input, or if all runs end with the same error, the search
ends as vacuous, and shows what the program has printed.

A program that was compiled with afl-cc, the compiler of AFL++, guides the search by the
edges of its code. A Go program that was built with allele build guides it by its branches.
Any other one guides it only by its exit codes and what it prints.

Example:
    go tool allele run -format png -for 1m -- pngcheck @@

The formats are ` + runFormats + `.

Flags:
`

const buildHelp = `usage: allele build [flags] [package]

Builds a Go program with probes. Such a program guides the search of allele run by the
branches of its code. It does the same as without probes, a little slower, and its module
need not require allele. Packages of other modules and of the standard library get probes
with -scope.

Example:
    go tool allele build -o tool ./cmd/tool
    go tool allele run -format json -- ./tool @@

Flags:
`

const packHelp = `usage: allele pack [flags] [packages]

Builds the tests of packages with probes, and packs the test binaries and the folders testdata of
their packages into one file. Other hosts can search the properties in it without the source
and without a compiler: see allele-fleet.

Example:
    go tool allele pack -o tree.allele ./...

Flags:
`

const showHelp = `usage: allele show [flags] FILE

Prints a stored case: its header and the input. With -test it prints a test that
reproduces the case. FILE is .../testdata/allele/<property>/<name>.case

Example:
    go tool allele show -test testdata/allele/TestInsert/fail-3f9c2a.case

Flags:
`

const scoreHelp = `usage: allele score [flags] [packages]
       allele score show|apply|undo KEY

Measures how good the properties and tests of packages are. It changes the code in many
small ways, called faults, one at a time, and runs the tests and the saved inputs of the
properties with each. A fault that nothing notices is printed, with the reason: either no
input shows it, or a property sees it and does not check enough. The files of the packages
are not changed.

Each fault that is printed has a key. show prints all that is known about it, and what to
write. apply makes the fault in the source, so that you can write a test against it, and
undo restores the file, unless you have changed it since.

Example:
    go tool allele score ./tree

Flags:
`

const distHelp = `usage: allele dist [flags] PROPERTY [package]

Shows how often each constructor is generated in the inputs of a property, and how large
and deep the inputs are. Each number is shown as predicted and as counted. All are shown
for the property as it is declared, for even odds, and for tuned odds. The inputs are
generated but not run.

PROPERTY is a name as allele test prints it, or a regular expression that matches one
property.

Example:
    go tool allele dist TestInsert ./tree

Flags:
`

const factsHelp = `usage: allele facts [flags] [packages]

Reads the source of the packages, and of the packages in scope that they use. Prints facts
about types: variants of interfaces, constants, functions that make values, constants that
fields are compared with, and patterns that functions match. allele test uses these facts.
With -write they are written to a test file, so that go test uses them too.

With -weights it also computes odds for the constructors of each type (the variants,
builders and patterns of an interface), so that all are generated equally often. This
builds the tests, because only a test binary contains the types of its inputs.

Example:
    go tool allele facts -write ./...

Flags:
`

const cleanHelp = `usage: allele clean [flags]

Removes what the command has built from your cache folder. The next command builds it again.
Without this command, builds that were not used for 5 days are removed once a day, and more
of them if all builds together are larger than 4 GB.

The inputs that searches saved are kept unless you add -corpus. The cases in testdata are
never removed.

Example:
    go tool allele clean -n

Flags:
`

const versionHelp = `usage: allele version

Prints the version of the module, the version of Go that built the command, the system, and
the revision of the source if it is known.
`

const corpusHelp = `usage: %s
Searches save inputs that show something new in a corpus in your cache folder. The next
search starts from these inputs.

%s
Example:
    go tool allele corpus show TestInsert

PATTERN is a regular expression that is matched against package.property.
`
