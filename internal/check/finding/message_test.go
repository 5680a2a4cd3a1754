//go:build go1.25

package finding

import (
	"testing"

	"github.com/allele-go/allele/internal/check/property"
)

// The headline of a failure contains the line of its message that says what is wrong. The
// texts are those of testify v1.11.1, quicktest v1.14.6, gotest.tools v3.5.2 and go-cmp v0.7.0.
func TestHeadlineOfMessages(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a message of the user", "insert broke the order", "insert broke the order"},
		{"of several lines", "\n  got 3\n  want 4\n", "got 3"},
		{"empty", " \n", "no message"},
		{"a heading", "wrong order:\n\n\t[2 1]", "wrong order: [2 1]"},
		{"a heading without text", "wrong order:", "wrong order:"},
		{"testify", "\n\tError Trace:\t/home/me/x/x_test.go:13\n\tError:      \t\"4\" is not less than or equal to \"3\"\n\tTest:       \tTestX\n",
			`"4" is not less than or equal to "3"`},
		{"testify, a trace of two lines and a message", "\n\tError Trace:\t/home/me/x/y_test.go:3\n\t            \t\t\t\t/home/me/x/x_test.go:13\n" +
			"\tError:      \tShould be true\n\tTest:       \tTestX\n\tMessages:   \tthe set is sorted\n", "Should be true"},
		{"testify, two values", "\n\tError Trace:\t/x_test.go:13\n\tError:      \tNot equal: \n\t            \texpected: 1\n\t            \tactual  : 2\n\tTest:       \tTestX\n",
			"Not equal: expected: 1, actual: 2"},
		{"testify, two values and a diff", "\n\tError Trace:\t/x_test.go:13\n\tError:      \tNot equal: \n\t            \texpected: []int{1}\n" +
			"\t            \tactual  : []int{2}\n\t            \t\n\t            \tDiff:\n\t            \t--- Expected\n\t            \t+++ Actual\n" +
			"\t            \t@@ -1,3 +1,3 @@\n\tTest:       \tTestX\n", "Not equal: expected: []int{1}, actual: []int{2}"},
		{"testify, an error", "\n\tError Trace:\t/x_test.go:13\n\tError:      \tReceived unexpected error:\n\t            \tunexpected EOF\n\tTest:       \tTestX\n",
			"Received unexpected error: unexpected EOF"},
		{"testify, a panic", "\n\tError Trace:\t/x_test.go:13\n\tError:      \tfunc (assert.PanicTestFunc)(0x52d2a0) should not panic\n" +
			"\t            \t\tPanic value:\tboom\n\t            \t\tPanic stack:\tgoroutine 21 [running]:\n\tTest:       \tTestX\n",
			"func (assert.PanicTestFunc)(0x52d2a0) should not panic"},
		{"testify, not an error of its own", "\n\tError:      \t\n", "Error:"},
		{"quicktest", "\nerror:\n  values are not equal\ngot:\n  int(4)\nwant:\n  int(3)\nstack:\n  /home/me/x/x_test.go:13\n    c.Assert(4, qt.Equals, 3)\n",
			"values are not equal"},
		{"quicktest with a comment", "\ncomment:\n  the length\nerror:\n  values are not equal\ngot:\n  int(4)\n", "values are not equal"},
		{"gotest.tools", "assertion failed: 4 (len(in) int) != 3 (int)", "assertion failed: 4 (len(in) int) != 3 (int)"},
		{"gotest.tools, a diff", "assertion failed: \n--- ←\n+++ →\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\n", "assertion failed: -b +c"},
		{"go-cmp", "Sort mismatch (-want +got):\n  []int{\n- \t1,\n  \t2,\n+ \t1,\n  }\n", "Sort mismatch (-want +got): - 1, + 1,"},
		{"go-cmp, one line is missing", "(-want +got):\n  []int{\n- \t1,\n  \t2,\n  }\n", "(-want +got): - 1,"},
	} {
		o := property.Outcome{Logs: []property.Line{{Text: "before"}, {At: "x_test.go:13", Text: c.text, Fails: true}}}
		if got, want := Headline(o), "property failed: "+c.want+" (x_test.go:13)"; got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
	}
}
