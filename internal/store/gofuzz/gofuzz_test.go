//go:build go1.25

package gofuzz

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const first = header + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"a string", first + "string(\"a\\x00\\xff\")\n", `string "a\x00\xff"`},
		{"a raw string", first + "string(`a\\b`)", `string "a\\b"`},
		{"bytes", first + "[]byte(\"\\xff\")", `[]uint8 []byte{0xff}`},
		{"several values", first + "string(\"k\")\nint(-3)\nbool(true)\n", `string "k", int -3, bool true`},
		{"characters", first + "byte('a')\nrune('世')\nbyte(7)\nint32(-1)", `uint8 0x61, int32 19990, uint8 0x7, int32 -1`},
		{"all integers", first + "int8(1)\nint16(2)\nint64(3)\nuint(4)\nuint8(5)\nuint16(6)\nuint32(7)\nuint64(0x8)", "int8 1, int16 2, int64 3, uint 0x4, uint8 0x5, uint16 0x6, uint32 0x7, uint64 0x8"},
		{"floats", first + "float64(-1.5)\nfloat32(2)\nfloat64(+Inf)\nfloat64(-Inf)\nfloat64(NaN)\nmath.Float64frombits(0x7ff8000000000002)", "float64 -1.5, float32 2, float64 +Inf, float64 -Inf, float64 NaN, float64 NaN"},
		{"floats of bits", first + "math.Float32frombits(0x40490fdb)\nmath.Float32frombits(0xffffffff)", "float32 3.1415927, float32 NaN"},
		{"too many bits", first + "math.Float32frombits(0x100000000)", "2: 0x100000000 does not fit math.Float32frombits"},
		{"a float that is too large", first + "float32(1e39)", "2: 1e39 does not fit float32"},
		{"line ends of Windows, and blank lines", header + "\r\n\r\nint(1)\r\n\r\n", "int 1"},

		{"empty", "", "1: no values"},
		{"no values", first + "\n", "3: no values"},
		{"another version", "go test fuzz v2\nint(1)\n", `1: the first line is not "go test fuzz v1"`},
		{"not Go", first + "int(1)\nint(\n", "3: not a Go expression: expected ')', found 'EOF'"},
		{"no value", first + "int", "2: not a value such as string(\"a\") or int(3)"},
		{"two arguments", first + "int(1, 2)", "2: not a value such as string(\"a\") or int(3)"},
		{"too large", first + "uint8(256)", "2: 256 does not fit uint8"},
		{"negative", first + "uint(-1)", "2: -1 does not fit uint"},
		{"a character of two bytes", first + "byte('世')", "2: '世' does not fit byte"},
		{"another type", first + "time.Duration(3)", "2: time.Duration is not a type of a fuzz argument"},
		{"an array", first + "[2]byte(\"ab\")", "2: this type is not a type of a fuzz argument"},
		{"a string as a number", first + "int(\"1\")", `2: cannot use "1" as int`},
		{"a number as a string", first + "string(1)", "2: cannot use 1 as string"},
		{"a bool of neither", first + "bool(maybe)", "2: cannot use maybe as bool"},
		{"a call", first + "int(f())", "2: cannot use the expression as int"},
		{"two signs", first + "int(- -1)", "2: cannot use the expression as int"},
		{"too many", first + strings.Repeat("int(1)\n", valuesMax+1), "1002: more than 1000 values"},
		{"too long", first + strings.Repeat("x", fileMax), "1: the file is larger than 16 MiB"},
	} {
		values, err := Parse([]byte(c.text))
		var all []string
		for _, v := range values {
			text := fmt.Sprintf("%#v", v)
			switch v := v.(type) {
			case float32, float64:
				text = fmt.Sprint(v)
			case []byte:
				text = fmt.Sprintf("%#v", v)
			}
			all = append(all, fmt.Sprintf("%T %s", v, text))
		}
		got := strings.Join(all, ", ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// random returns a value of a type of a fuzz argument.
func random(r *rand.Rand) any {
	bits := r.Uint64() >> r.IntN(64)
	text := make([]byte, r.IntN(6))
	for i := range text {
		text[i] = byte(r.IntN(256))
	}
	return []any{string(text), text, bits%2 == 0, int(bits), int8(bits), int16(bits), int32(bits), int64(bits),
		uint(bits), uint8(bits), uint16(bits), uint32(bits), bits, math.Float64frombits(bits), float32(bits),
		math.Inf(1), math.NaN(), float32(math.Inf(-1)), -float64(bits), math.Copysign(0, -1),
		math.Float32frombits(0x7fc00000 | uint32(bits)&0x3fffff)}[r.IntN(21)]
}

// What is written is read back, bit by bit.
func TestRoundTrip(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 20_000 {
		values := []any{random(r), random(r)}
		data := Encode(values)
		got, err := Parse(data)
		if err != nil {
			t.Fatalf("seed %d, %d: %v: %q", seed, n, err, data)
		}
		if again := Encode(got); !bytes.Equal(again, data) {
			t.Fatalf("seed %d, %d: %q became %q", seed, n, data, again)
		}
		for i := range values {
			if reflect.TypeOf(got[i]) != reflect.TypeOf(values[i]) {
				t.Fatalf("seed %d, %d: %T became %T", seed, n, values[i], got[i])
			}
		}
	}
}

// Damaged files are errors with a line number, whatever the damage.
func TestDamage(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 20_000 {
		data := Encode([]any{random(r), random(r), random(r)})
		for range 1 + r.IntN(3) {
			if at := r.IntN(len(data)); r.IntN(2) == 0 {
				data[at] = byte(r.IntN(256))
			} else {
				data = append(data[:at:at], data[min(len(data), at+1+r.IntN(4)):]...)
			}
			if len(data) == 0 {
				break
			}
		}
		var line int
		if _, err := Parse(data); err != nil {
			if _, scan := fmt.Sscanf(err.Error(), "%d: ", &line); scan != nil || line < 1 {
				t.Fatalf("seed %d, %d: no line: %v: %q", seed, n, err, data)
			}
		}
	}
	for _, hostile := range []string{strings.Repeat("(", 1<<20), "int(" + strings.Repeat("- ", 1<<20) + "1)", "rune(')", "byte('')"} {
		if _, err := Parse([]byte(header + "\n" + hostile)); err == nil {
			t.Errorf("%.20s: no error", hostile)
		}
	}
}

// A file that may not be read is an error with its name. The super-user may read every file.
func TestUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, []byte(header+"\nint(1)\n"), 0); err != nil {
		t.Fatal(err)
	}
	if in, err := os.Open(file); err == nil {
		in.Close()
		t.Skip("this user may read every file")
	}
	if _, err := Read(file, "fuzz/a"); err == nil || !strings.HasPrefix(err.Error(), "fuzz/a:1: ") {
		t.Error(err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"b": header + "\nint(1)\n", "a": header + "\nint(x)\n", "c": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	names, more, err := Files(dir, 2)
	if fmt.Sprint(names, more, err) != "[a b] 1 <nil>" {
		t.Error(names, more, err)
	}
	if names, more, err := Files(filepath.Join(dir, "none"), 2); len(names)+more > 0 || err != nil {
		t.Error(names, more, err)
	}
	for name, want := range map[string]string{
		"a": "fuzz/a:2: cannot use x as int", "b": "", "c": "fuzz/c:1: no values", "d": "fuzz/d:1: not a regular file",
	} {
		_, err := Read(filepath.Join(dir, name), "fuzz/"+name)
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
