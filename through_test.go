//go:build go1.25

package allele

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type message struct {
	Kind string
	Body []byte
	N    int
}

func encodeMessage(m message) ([]byte, error) {
	if m.N == 7 {
		return nil, errors.New("no sevens")
	}
	return json.Marshal(m)
}

// Inputs are what the encoder makes of generated values. Declarations are about the values, and
// an example has bytes that need not come from the encoder.
func TestThrough(t *testing.T) {
	seen, broken := map[int]bool{}, 0
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, data []byte) {
			var m message
			if err := json.Unmarshal(data, &m); err != nil {
				if broken++; string(data) != "{" {
					t.Fatalf("%q: %v", data, err)
				}
				return
			}
			if seen[m.N] = true; m.N < 0 || m.N > 99 || m.N == 7 || m.Kind != "a" && m.Kind != "b" {
				t.Fatalf("%q", data)
			}
		}, Through(encodeMessage), At("N", Range(0, 99)), Values("a", "b"), Example([]byte("{")))
	})
	if r.Failed() || len(seen) < 50 || broken != 1 {
		t.Errorf("%d numbers, %d inputs that are no JSON\n%s", len(seen), broken, r.text())
	}
}

// An example may be a value, which is encoded and changed like others.
func TestThroughExample(t *testing.T) {
	first := ""
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, data []byte) {
			if first == "" {
				first = string(data)
			}
		}, Through(encodeMessage), Example(message{Kind: "mine", N: 3}))
	})
	if want := `{"Kind":"mine","Body":null,"N":3}`; r.Failed() || first != want {
		t.Errorf("first input %s, want %s\n%s", first, want, r.text())
	}
}

// A failing value is shrunk. The report has the call and the bytes, and the case is read back.
func TestThroughShrinks(t *testing.T) {
	inEmptyPackage(t)
	check := func() *recorder {
		return recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, data []byte) {
				if strings.Contains(string(data), `"N":1`) {
					t.Error("found")
				}
			}, Through(encodeMessage))
		})
	}
	check().has(t, "found", `encodeMessage(message{N: 1})`)
	check().has(t, `encodeMessage(message{N: 1})`, "from     testdata/allele/TestX/fail-")
}

func TestThroughMistakes(t *testing.T) {
	none := func(t *T, data []byte) {}
	for _, c := range []struct {
		name string
		run  func(testing.TB)
		want string
	}{
		{"nil", func(t testing.TB) { Check(t, none, Through[int](nil)) }, "Through: the function is nil"},
		{"twice", func(t testing.TB) { Check(t, none, Through(encodeMessage), Through(encodeMessage)) }, "Through is declared twice; remove one"},
		{"string", func(t testing.TB) { Check(t, func(t *T, s string) {}, Through(encodeMessage)) }, "so the property must take []byte"},
		{"part", func(t testing.TB) { Check(t, none, At("Body", Through(encodeMessage))) }, `At("Body"): want the path of a field`},
		{"example", func(t testing.TB) { Check(t, none, Through(encodeMessage), Example("x")) },
			"Example 1: its type is string, but the property takes []uint8, and the encoder allele.message"},
		{"path", func(t testing.TB) { Check(t, none, Through(encodeMessage), At("M", Range(0, 9))) }, "the input has Kind, Body, N"},
	} {
		t.Run(c.name, func(t *testing.T) { record(t, "TestX", c.run).has(t, c.want) })
	}
}
