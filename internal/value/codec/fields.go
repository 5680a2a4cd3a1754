//go:build go1.25

package codec

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"
)

// A case whose expression calls functions can be read only by a program that knows these
// functions. So its file may have a second expression for the same value, which calls no
// functions: it sets fields. It is the last part of the file, as a comment:
//
//	NewPercent(51)
//
//	// fields 3f9c2a
//	// &Percent{n: 51}
//
// The number is a hash of the first expression. If someone edits the first expression, the
// second is no longer used.
const fieldsKey = "// fields "

// WithFields returns a case file with a second expression.
func WithFields(file []byte, fields string) []byte {
	out := fmt.Appendf(bytes.Clone(file), "\n%s%s\n", fieldsKey, exprHash(file))
	for line := range strings.Lines(fields + "\n") {
		out = append(append(out, "// "...), line...)
	}
	return out
}

// WithoutFields returns a case file without its second expression.
func WithoutFields(file []byte) []byte {
	if at := bytes.LastIndex(file, []byte("\n"+fieldsKey)); at >= 0 {
		return file[:at]
	}
	return file
}

// WithExpr returns a case file with the same header and another expression.
func WithExpr(file []byte, expr string) []byte {
	head := len(file) - len(expression(file))
	return append(append(bytes.Clone(file[:head]), expr...), '\n')
}

// Fields returns the second expression of a case file as a case file of its own, with the
// same line numbers. ok is false if there is none, or if the first expression was edited.
func Fields(file []byte) (fields []byte, ok bool) {
	at := bytes.LastIndex(file, []byte("\n"+fieldsKey)) + 1
	if at == 0 {
		return nil, false
	}
	first, rest := file[:at], file[at+len(fieldsKey):]
	hash, text, _ := bytes.Cut(rest, []byte("\n"))
	if string(bytes.TrimSpace(hash)) != exprHash(first) {
		return nil, false
	}
	fields = bytes.Repeat([]byte("\n"), 1+bytes.Count(first, []byte("\n")))
	for line := range bytes.Lines(text) {
		line, isComment := bytes.CutPrefix(line, []byte("// "))
		if !isComment && len(bytes.TrimSpace(line)) > 0 {
			return nil, false
		}
		fields = append(fields, line...)
	}
	return fields, true
}

// exprHash returns six hexadecimal digits for the expression of a case file without a
// second expression.
func exprHash(file []byte) string {
	h := fnv.New32a()
	h.Write([]byte(strings.TrimSpace(strings.ReplaceAll(expression(file), "\r\n", "\n"))))
	return fmt.Sprintf("%06x", h.Sum32()>>8)
}

// expression returns a case file without its header.
func expression(file []byte) string {
	expr := string(file)
	for line := range strings.Lines(expr) {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "//") {
			break
		}
		expr = expr[len(line):]
	}
	return expr
}
