//go:build go1.25

package corpus

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Some tests need processes that can be killed. They start the test binary again, and
// these variables name its role and its folder.
const (
	roleVar = "ALLELE_CORPUS_TEST_ROLE"
	dirVar  = "ALLELE_CORPUS_TEST_DIR"
)

// roles are what such a process does. It prints what it has done to standard output.
var roles = map[string]func(dir string) error{
	"nothing": func(string) error { return nil },
	"writer":  writeNumbers,
	"compact": compactForever,
	"disk":    fillDisk,
}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVar)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](os.Getenv(dirVar)); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

type process struct {
	cmd *exec.Cmd
	out *bufio.Reader
}

func child(t *testing.T, role, dir string) process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(environ(), roleVar+"="+role, dirVar+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return process{cmd, bufio.NewReader(out)}
}

// environ returns an environment in which the race detector, if it is on, does not wait
// for a second at the exit of a process.
func environ() []string { return append(os.Environ(), "GORACE=atexit_sleep_ms=0") }

// killAfter kills the process when it has printed so many lines, and returns all lines
// that it has printed until it was dead.
func (p process) killAfter(lines int) []string {
	var text strings.Builder
	for range lines {
		line, err := p.out.ReadString('\n')
		text.WriteString(line)
		if err != nil {
			break
		}
	}
	p.cmd.Process.Kill()
	io.Copy(&text, p.out)
	p.cmd.Wait()
	printed := strings.SplitAfter(text.String(), "\n")
	return printed[:len(printed)-1] // without the last, which has no newline
}

// numbersMax is how many entries a writer adds before it exits by itself.
const numbersMax = 1000

func writeNumbers(dir string) error {
	w, err := Create(dir, "p", "TestX")
	if err != nil {
		return err
	}
	for i := range numbersMax {
		// The token distinguishes processes with the same number.
		input := fmt.Sprintf("%s.%d", w.segment.token, i)
		e := Entry{Input: input, Verdict: "passed", Why: strings.Repeat("why ", i%40), Run: i}
		if err := w.Add(e); err != nil {
			return err
		}
		fmt.Println(input)
	}
	return w.Close()
}

func compactForever(dir string) error {
	for {
		if err := Compact(dir, nil); err != nil {
			return err
		}
		fmt.Println("compacted")
	}
}

// Processes that write and compact are killed at random moments. No entry is lost that a
// writer has reported as added.
func TestKilled(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	folders, rounds := 6, 10
	if testing.Short() {
		folders = 2
	}
	var sum tally
	for range folders {
		k := &killing{dir: t.TempDir(), rng: rng, added: map[string]bool{}}
		for range rounds {
			k.round(t)
		}
		k.check(t)
		sum.lost, sum.added = sum.lost+k.lost, sum.added+len(k.added)
		sum.killed, sum.merged = sum.killed+k.killed, sum.merged+k.merged
	}
	t.Logf("%d lost of %d; %d of %d writers killed; compacted %d times, and killed %d times over it",
		sum.lost, sum.added, sum.killed, 2*folders*rounds, sum.merged, folders*rounds)
	if sum.lost > 0 || sum.killed == 0 {
		t.Error("entries were lost, or no writer was killed before it was done")
	}
}

type tally struct{ lost, added, killed, merged int }

// killing is the state of the test in one folder.
type killing struct {
	dir   string
	rng   *rand.Rand
	added map[string]bool
	tally
}

// round kills two writers, and a process that compacts while they write.
func (k *killing) round(t *testing.T) {
	compact := child(t, "compact", k.dir)
	var writers sync.WaitGroup
	var printed [2][]string
	for i := range printed {
		w, lines := child(t, "writer", k.dir), k.rng.IntN(100)
		writers.Go(func() { printed[i] = w.killAfter(lines) })
	}
	writers.Wait()
	for _, lines := range printed {
		for _, line := range lines {
			k.added[strings.TrimSpace(line)] = true
		}
		if len(lines) < numbersMax { // else it exited before it was killed
			k.killed++
		}
	}
	for _, line := range compact.killAfter(k.rng.IntN(2)) {
		if line != "compacted\n" {
			t.Error(line)
		}
		k.merged++
	}
}

// check reads the entries, before and after the segments are merged.
func (k *killing) check(t *testing.T) {
	for range 2 {
		there := map[string]bool{}
		for _, e := range read(t, k.dir).Entries {
			there[e.Input] = true
		}
		for input := range k.added {
			if !there[input] {
				k.lost++
			}
		}
		if err := Compact(k.dir, nil); err != nil {
			t.Error(err)
		}
	}
	if got := files(t, k.dir); len(got) != 1 {
		t.Errorf("left: %v", got)
	}
}

// The tests above also pass on a system without file locks.
func TestWithoutLocks(t *testing.T) {
	t.Parallel()
	if os.Getenv("ALLELE_SHARED") == "off" {
		t.Skip("this is it")
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.short", "-test.skip=^(TestWithoutLocks|TestDamaged)$")
	cmd.Env = append(environ(), "ALLELE_SHARED=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "--- PASS: "); n < 20 {
		t.Errorf("only %s tests ran\n%s", strconv.Itoa(n), out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "lost of") {
			t.Log(strings.TrimSpace(line))
		}
	}
}
