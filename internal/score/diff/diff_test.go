//go:build go1.25

package diff

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/words"
)

// render writes a change as text. What is changed is in brackets.
func render(c Change, columns int) string {
	var b strings.Builder
	for sign, all := range map[string][]Line{"-": c.Old} {
		writeLines(&b, sign, all, columns)
	}
	writeLines(&b, "+", c.New, columns)
	return strings.TrimSuffix(b.String(), "\n")
}

func writeLines(b *strings.Builder, sign string, all []Line, columns int) {
	for _, l := range all {
		b.WriteString(sign)
		for _, p := range l.Fit(columns) {
			if p.Changed {
				space := p.Text[:len(p.Text)-len(strings.TrimLeft(p.Text, " "))]
				b.WriteString(space + "[" + strings.TrimLeft(p.Text, " ") + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		b.WriteString("\n")
	}
}

// edited returns the edit that makes new of the only old in a source, without what stays at both ends.
func edited(t *testing.T, src, old, new string) site.Edit {
	t.Helper()
	at := strings.Index(src, old)
	if at < 0 || strings.Count(src, old) != 1 {
		t.Fatalf("%q is not in %q once", old, src)
	}
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		old, new, at = old[1:], new[1:], at+1
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	return site.Edit{Offset: at, Old: old, New: new}
}

func TestChange(t *testing.T) {
	for _, c := range []struct {
		what, src, old, new, want string
		columns                   int
	}{
		{"an operator", "\tif a <= b {\n", "a <= b", "a < b", "-if a [<=] b {\n+if a [<] b {", 80},
		{"a number is marked as a whole", "\tx := 1024\n", "1024", "1025", "-x := [1024]\n+x := [1025]", 80},
		{"also one that only loses a part", "x := 11\n", "11", "1", "-x := [11]\n+x := [1]", 80},
		{"also one that only gets longer", "x := 1\n", "1", "11", "-x := [1]\n+x := [11]", 80},
		{"a name is, too", "return alpha\n", "alpha", "alpine", "-return [alpha]\n+return [alpine]", 80},
		{"a deleted statement leaves no line", "\ta()\n\tb()\n", "b()", "", "-[b][(][)]", 80},
		{"but another statement in the line does", "\ta(); b()\n", "a()", "", "-[a][(][)]; b()\n+; b()", 80},
		{"all lines", "\tcall(a,\n\t\tb)\n", "call(a,\n\t\tb)", "", "-[call][(][a][,]\n-    [b][)]", 80},
		{"only the lines that are touched", "\tif a &&\n\t\tb &&\n\t\tc {\n", "&&\n\t\tc", "||\n\t\tc", "-b [&&]\n+b [||]", 80},
		{"new parentheses", "x = a || b && c\n", "a ||", "(a || b) &&", "-x = [a] [||] b && c\n+x = [(][a] [||] [b][)] [&&] b && c", 80},
		{"a long line keeps the change", "\treturn strings.Repeat(separator, width) + open + strings.Join(texts, separator)\n",
			"+ open", "- open", "-…(separator, width) [+] open + strings.…\n+…(separator, width) [-] open + strings.…", 40},
		{"also the line that only loses something", "\tif first(alpha) && second(beta) && !third(gamma) {\n", "!third", "third",
			"-…) && second(beta) && [!]third(gamma) {\n+…) && second(beta) && third(gamma) {", 40},
		{"and the line that only gets something", "\tif first(alpha) && second(beta) && third(gamma) {\n", " third", " !third",
			"-…(beta) && third(gamma) {\n+…(beta) && [!]third(gamma) {", 30},
		{"a text that is longer than the line stays whole", "\tpanic(\"this text is longer than the line\")\n",
			"\"this text is longer than the line\"", `""`, "-…[\"this text is longer than the line\"]…\n+panic([\"\"])", 20},
		{"a long change loses its end", "\tcall(alpha, beta, gamma, delta)\n", "call(alpha, beta, gamma, delta)", "",
			"-[call][(][alpha][,] [beta][,][…]", 20},
		{"a text of two lines", "\tx = `one\ntwo`\n", "`one\ntwo`", "``", "-    x = [`one]\n-[two`]\n+    x = [``]", 80},
		{"what is not Go", "a ' b # c", "b", "d", "-a [' b # c]\n+a [' d # c]", 80},
		{"no end of the line", "x++", "++", "--", "-x[++]\n+x[--]", 80},
	} {
		got, ok := Read([]byte(c.src)).Change(edited(t, c.src, c.old, c.new))
		if text := render(got, c.columns); !ok || text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.what, text, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	src := "package a\n\nfunc f() {\n\tg(1,\n\t\t2)\n}\n"
	if c, ok := Read([]byte(src)).Change(edited(t, src, "2", "3")); !ok || c.Line != 5 {
		t.Errorf("line %d, want 5", c.Line)
	}
	if _, ok := Read([]byte("package b\n")).Change(edited(t, src, "2", "3")); ok {
		t.Error("the source is another one")
	}
}

// Whatever the source and the edit are, the old lines are lines of the source, and a narrow line
// consists of its tokens.
func TestFit(t *testing.T) {
	src := "package a\n\nfunc long() string {\n\treturn first(alpha, 12345, \"日本 text\") + second(`raw`, 'x', 1.5e3) // comment\n}\n"
	for at := range len(src) {
		for _, size := range []int{0, 1, 7} {
			e := site.Edit{Offset: at, Old: src[at:min(len(src), at+size)], New: "new"}
			c, ok := Read([]byte(src)).Change(e)
			if !ok {
				t.Fatal(e)
			}
			for _, l := range c.Old {
				if !strings.Contains(src, strings.TrimSpace(l.String())) {
					t.Fatalf("%+v: %q", e, l)
				}
				for columns := 1; columns < 90; columns += 7 {
					checkFit(t, l, columns)
				}
			}
		}
	}
}

func checkFit(t *testing.T, l Line, columns int) {
	t.Helper()
	short := l.Fit(columns)
	text, widest := strings.Trim(short.String(), gap), 0
	for _, p := range l {
		widest = max(widest, words.Width(p.Text))
	}
	if !strings.Contains(l.String(), text) || words.Width(short.String()) > max(columns, widest+2) {
		t.Fatalf("%d columns: %q of %q", columns, short, l)
	}
	for _, p := range short {
		found := p.Text == gap
		for _, q := range l {
			found = found || strings.TrimSpace(q.Text) == strings.TrimSpace(p.Text)
		}
		if !found {
			t.Fatalf("%d columns: %q is no token of %q", columns, p.Text, l)
		}
	}
}
