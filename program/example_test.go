//go:build go1.25 && linux

package program_test

import (
	"fmt"
	"time"

	"github.com/allele-go/allele/program"
)

func ExampleProgram_Run() {
	p := &program.Program{Args: []string{"sort", "-n", "@@"}}
	defer p.Close()
	r, err := p.Run([]byte("10\n9\n"))
	fmt.Printf("%s%v, exit code %d", r.Stdout, err, r.Code)
	// Output:
	// 9
	// 10
	// <nil>, exit code 0
}

// A run that takes too long is stopped.
func ExampleProgram_RunWithin() {
	p := &program.Program{Args: []string{"sleep", "100"}}
	defer p.Close()
	r, err := p.RunWithin(50*time.Millisecond, nil)
	fmt.Println(r.Stopped == program.OutOfTime, r.Stopped, err)
	// Output: true out of time <nil>
}
