//go:build go1.25

package worth

import "testing"

func TestUnlikely(t *testing.T) {
	const (
		hint, capacity = "a size hint", "the capacity of a slice"
		errorText, log = "the text of an error", "a log line"
		negative, bits = "a negative number that means no limit", "the bit size of a number"
		end            = "the end of a slice of which the first bytes are used"
		equal, empty   = sameResult, "a case that does nothing for an empty list"
		order          = "the order of equal elements"
		beside         = "a value beside an error"
	)
	tests := []struct {
		body         body
		operator, to string
		want         string
	}{
		// sizes
		{"_ = make([]int, 0, «x + 1»)", "math", "x - 1", capacity},
		{"_ = make([]int, 0, len(s) * «2»)", "constant", "3", capacity},
		{"_ = make([]int, «x + 1»)", "math", "x - 1", ""},
		{"_ = make([]int, «x», 9)", "invert", "x", ""},
		{"_ = make(map[int]int, «8»)", "constant", "9", "the size hint of a map"},
		{"_ = make(chan int, «2»)", "constant", "3", "the buffer size of a channel"},
		{"_ = make(chan int, «1»)", "constant", "0", ""},
		{"_ = make(chan int, «0»)", "constant", "1", ""},
		{"_ = bytes.NewBuffer(make([]byte, 0, «x + 1»))", "math", "x - 1", capacity},
		{"_ = make([]int, 0, list[label2(«1»)])", "constant", "2", ""},
		{"new(bytes.Buffer).Grow(«x + 1»)", "math", "x - 1", hint},
		{"«new(bytes.Buffer).Grow(x)»", "delete", "", hint},
		{"list = slices.Grow(list, «8»)", "constant", "9", hint},
		{"_ = bufio.NewReaderSize(nil, «16»)", "constant", "17", "the size of a buffer"},
		{"bufio.NewScanner(nil).Buffer(nil, «16»)", "constant", "17", ""},
		{"«runtime.Gosched()»", "delete", "", "a hint for the Go runtime or for package testing"},
		{"func f1(t *testing.T) { «t.Helper()» }", "delete", "", "a hint for the Go runtime or for package testing"},
		{"«println(x)»", "delete", "", ""},

		// texts
		{"err = errors.New(«`a`»)", "constant", `""`, errorText},
		{"err = errors.New(«`a` + s»)", "math", "s", errorText},
		{"err = fmt.Errorf(`%d`, «x + 1»)", "math", "x - 1", errorText},
		{"err = fmt.Errorf(`%s`, strings.Repeat(s, «3»))", "constant", "4", errorText},
		{"err = fmt.Errorf(`%s`, label(s[«3»:]))", "constant", "4", ""},
		{"err = fmt.Errorf(`%v`, func() int { return x + «1» })", "constant", "2", ""},
		{"err = fmt.Errorf(`%v`, «x > 1»)", "boundary", "x >= 1", ""},
		{"err = errorf(«`a`»)", "constant", `""`, errorText},
		{"_ = label(«`a`»)", "constant", `""`, ""},
		{"err = &Failure{Msg: «`a`»}", "constant", `""`, errorText},
		{"err = &Failure{Code: «1»}", "constant", "2", ""},
		{"_ = struct{ Msg string }{Msg: «`a`»}", "constant", `""`, ""},
		{"panic(«`a`»)", "constant", `""`, "the text of a panic"},
		{"panic(fmt.Sprintf(`%d`, «x + 1»))", "math", "x - 1", "the text of a panic"},
		{"panic(«x + 1»)", "math", "x - 1", ""},
		{"«log.Print(`a`)»", "delete", "", log},
		{"«log.Fatal(`a`)»", "delete", "", ""},
		{"log.Printf(`%d`, «x + 1»)", "math", "x - 1", log},
		{"fmt.Printf(`%d`, «x + 1»)", "math", "x - 1", ""},

		// arguments
		{"_ = strings.Replace(s, s, s, «-1»)", "constant", "-2", negative},
		{"_ = strings.Replace(s, s, s, «-1»)", "constant", "0", ""},
		{"_ = strings.SplitN(s, s, «2»)", "constant", "3", ""},
		{"_ = regexp.MustCompile(s).FindAllString(s, «-1»)", "constant", "-2", negative},
		{"_ = strconv.FormatFloat(fl, 'g', «-1», 64)", "constant", "-2", negative},
		{"_ = strconv.FormatFloat(fl, 'g', «-1», 64)", "constant", "0", ""},
		{"_ = strconv.FormatFloat(fl, 'g', -1, «64»)", "constant", "63", ""},
		{"_, err = strconv.ParseFloat(s, «64»)", "constant", "65", bits},
		{"_, err = strconv.ParseFloat(s, «32»)", "constant", "33", ""},
		{"_, err = strconv.ParseInt(s, 10, «64»)", "constant", "63", bits},
		{"_, err = strconv.ParseInt(s, 10, «64»)", "constant", "65", ""},
		{"_, err = strconv.ParseInt(s, «10», 64)", "constant", "11", ""},
		{"_ = binary.BigEndian.Uint16(raw[0:«2»])", "constant", "3", end},
		{"_ = binary.BigEndian.Uint16(raw[0:«2»])", "constant", "1", ""},
		{"_ = binary.BigEndian.Uint16(raw[«2»:4])", "constant", "3", ""},
		{"_ = string(raw[0:«2»])", "constant", "3", ""},
		{"_ = os.WriteFile(s, raw, «0o644»)", "constant", "421", "the permissions of a file"},
		{"_ = os.Chmod(s, «0o644»)", "constant", "421", ""},
		{"time.Sleep(time.Duration(x + «5»))", "constant", "6", "how long something waits"},
		{"«time.Sleep(1)»", "delete", "", ""},
		{"_ = time.Duration(x + «5»)", "constant", "6", ""},
		{"func hashOf(x uint32) uint32 { return x * «16777619» }", "constant", "16777620", "a number of a hash function"},
		{"func hashOf(x uint32) uint32 { return x + «16777619» }", "constant", "16777620", ""},
		{"func hashOf(x uint32) uint32 { return x * «2» }", "constant", "3", ""},
		{"func product(x uint32) uint32 { return x * «16777619» }", "constant", "16777620", ""},

		// values beside an error
		{"func f1() (int, error) { «return 0, errors.New(`a`)» }", "return", "return 1, errors.New(`a`)", beside},
		{"func f1() (string, int, error) { «return ``, 2, fmt.Errorf(`a`)» }", "return", "return ``, 3, fmt.Errorf(`a`)", beside},
		{"func f1(err error) (int, error) { if err != nil { «return 0, err» }; return 1, nil }", "return", "return 1, err", beside},
		{"func f1() (int, error) { if err := errorf(`a`); err != nil { «return 0, err» }; return 1, nil }", "return", "return 1, err", beside},
		{"func f1() (bool, error) { «return false, errNone» }", "return", "return true, errNone", beside},
		{"func f1() (int, error) { «return 0, errNone» }", "return", "return 0, nil", ""},
		{"func f1(p []byte) (int, error) { «return 0, io.EOF» }", "return", "return 1, io.EOF", ""},
		{"func f1(err error) (int, error) { if err != nil { println(err); «return 0, err» }; return 1, nil }", "return", "return 1, err", beside},
		{"func f1() (int, error) { «return 0, errorf(`a`)» }", "return", "return 1, errorf(`a`)", ""},
		{"func f1(err error) (int, error) { «return 0, err» }", "return", "return 1, err", ""},
		{"func f1(err error) (int, error) { if err == nil { «return 0, err» }; return 1, err }", "return", "return 1, err", ""},
		{"func f1(err, e2 error) (int, error) { if err != nil { «return 0, e2» }; return 1, err }", "return", "return 1, e2", ""},
		{"func f1(err error) (int, error) { if err != nil { err = errorf(`a`); «return 0, err» }; return 1, nil }", "return", "return 1, err", ""},
		{"func f1(n int) (int, error) { «return n, errors.New(`a`)» }", "return", "return 0, errors.New(`a`)", ""},
		{"func f1(n int) (int, int, error) { «return 0, n, errors.New(`a`)» }", "return", "return 1, n, errors.New(`a`)", ""},
		{"func f1() error { «return errors.New(`a`)» }", "return", "return nil", ""},
		{"func f1() (int, error) { return «0», errors.New(`a`) }", "constant", "1", beside},
		{"func f1() (int, error) { return «0» + 2, errors.New(`a`) }", "constant", "1", ""},

		// two cases that are the same at the boundary
		{"func f1(x, y int) int { if «x > y» { return x }; return y }", "boundary", "x >= y", equal},
		{"func f1(x, y int) int { if «x > y» { return x } else { return y } }", "boundary", "x >= y", equal},
		{"func f1(x, y int) int { if «x > y» { return x }; return y + 1 }", "boundary", "x >= y", ""},
		{"func f1(x, y int) int { if «x > y» { return x }; y++; return y }", "boundary", "x >= y", ""},
		{"func f1(x, y int) int { if «x > y» { return x }; return y }", "negate", "x <= y", ""},
		{"func f1(x, y float64) float64 { if «x > y» { return x }; return y }", "boundary", "x >= y", ""},
		{"func f1(x int) int { if «x < 0» { return -x }; return x }", "boundary", "x <= 0", equal},
		{"func f1(x int) int { if «x < 1» { return -x }; return x }", "boundary", "x <= 1", ""},
		{"if «x > y» { y = x }", "boundary", "x >= y", equal},
		{"if «x > y» { y = x; println(y) }", "boundary", "x >= y", ""},
		{"if «x < 0» { x = 0 }", "boundary", "x <= 0", equal},
		{"if «x < 0» { x = 1 }", "boundary", "x <= 0", ""},
		{"if «x < 0» { x = 0 } else { x = 1 }", "boundary", "x <= 0", ""},
		{"if «x < y» { list[0] = x } else { list[0] = y }", "boundary", "x <= y", equal},
		{"if «x > list[y]» { list[y] = x }", "boundary", "x >= list[y]", equal},
		{"m := map[int]int{}; if «x > m[y]» { m[y] = x }", "boundary", "x >= m[y]", ""},
		{"if «len(s) > 0» { for range s { println() } }", "boundary", "len(s) >= 0", empty},
		{"if «len(raw) > 0» { raw = append(raw, raw...) }", "boundary", "len(raw) >= 0", empty},
		{"if «len(s) > 0» { for range raw { println() } }", "boundary", "len(s) >= 0", ""},
		{"if «len(s) > 0» { println(s) }", "boundary", "len(s) >= 0", ""},
		{"sort.Slice(list, func(i, j int) bool { return «list[i] < list[j]» })", "boundary", "list[i] <= list[j]", order},
		{"sort.SliceStable(list, func(i, j int) bool { return «list[i] < list[j]» })", "boundary", "list[i] <= list[j]", ""},
	}
	for _, tt := range tests {
		p, c := tt.body.change(t, tt.operator, tt.to)
		if got := p.Unlikely(c); got != tt.want {
			t.Errorf("%s %s → %s: %q, want %q", tt.operator, tt.body, tt.to, got, tt.want)
		}
	}
}
