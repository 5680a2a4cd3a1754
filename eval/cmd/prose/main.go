// Command prose prints a random sample of the project's prose for a reader who has not
// seen it. The reader judges whether each text is understood at first reading.
//
//	prose -seed TEXT [-n 30]
//
// It prints n sentences and n comments. The sentences come from the front page, the
// guide, and the help and messages of the command and the library; the comments from Go
// files that are not tests. The same seed chooses the same texts as long as the files
// stay the same. Run it in the eval folder: go run ./cmd/prose -seed $(git rev-parse
// HEAD).
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	seed := flag.String("seed", "", "`text` that the choice is computed from")
	n := flag.Int("n", 30, "`number` of sentences, and of comments")
	flag.Parse()
	if err := run("..", *seed, *n); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

func run(root, seed string, n int) error {
	sentences, comments, err := collect(os.DirFS(root))
	if err != nil {
		return err
	}
	r := source(seed)
	fmt.Printf("%d of %d sentences of pages, help and messages\n\n", n, len(sentences))
	show(choose(r, sentences, n))
	fmt.Printf("\n%d of %d comments\n\n", n, len(comments))
	show(choose(r, comments, n))
	return nil
}

func show(texts []text) {
	for i, t := range texts {
		fmt.Printf("%d. %s:%d: %s\n", i+1, t.file, t.line, t.text)
	}
}

// source returns a random generator that depends on the seed alone.
func source(seed string) *rand.Rand {
	sum := sha256.Sum256([]byte(seed))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}

// choose returns n texts, or all if there are fewer, in the order of the files.
func choose(r *rand.Rand, all []text, n int) (chosen []text) {
	places := r.Perm(len(all))[:min(n, len(all))]
	slices.Sort(places)
	for _, i := range places {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// A text is a sentence or a comment, with its file and line.
type text struct {
	file string
	line int
	text string
}

// collect reads the prose of the repository, in the order of the files.
func collect(root fs.FS) (sentences, comments []text, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(d.Name(), ".") && name != "."
		switch {
		case err != nil:
			return err
		case d.IsDir() && (hidden || d.Name() == "testdata"):
			return fs.SkipDir
		case name == "README.md" || strings.HasPrefix(name, "docs/guide/") && strings.HasSuffix(name, ".md"):
			data, err := fs.ReadFile(root, name)
			sentences = append(sentences, ofPage(name, string(data))...)
			return err
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			data, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			says, notes, err := ofCode(name, data)
			if !strings.HasPrefix(name, "eval/") && !strings.HasPrefix(name, "examples/") {
				sentences = append(sentences, says...)
			}
			comments = append(comments, notes...)
			return err
		}
		return nil
	})
	return sentences, comments, err
}

var (
	notProse    = regexp.MustCompile("(?ms)^ *```.*?^ *```$|<!-- eval:.*?<!-- /eval -->|<!--.*?-->")
	sentenceEnd = regexp.MustCompile(`[.:!?]\)?(?:\s+|$)`)
	word        = regexp.MustCompile(`[A-Za-z]{2,}`)
	notMessage  = regexp.MustCompile(`//go:|^(?:func|package|var|type) `) // matches code that the command generates
	pageMarkup  = regexp.MustCompile(`^(?:[-*] |\d+\. |> )`)
)

// wordsMin is the minimal number of words of a sentence or comment. Shorter texts are
// mostly names.
const wordsMin = 5

// ofPage returns the sentences of a page, without code, headings and tables.
func ofPage(name, page string) (all []text) {
	page = notProse.ReplaceAllStringFunc(page, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	var paragraph string
	start := 0
	flush := func() {
		for _, s := range split(paragraph) {
			all = append(all, text{name, start, s})
		}
		paragraph = ""
	}
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "|") {
			flush()
			continue
		}
		if pageMarkup.MatchString(trimmed) {
			flush()
			trimmed = pageMarkup.ReplaceAllString(trimmed, "")
		}
		if paragraph == "" {
			start = i + 1
		}
		paragraph += trimmed + " "
	}
	flush()
	return all
}

// split returns the sentences of a paragraph.
func split(paragraph string) (all []string) {
	for paragraph != "" {
		end := len(paragraph)
		if at := sentenceEnd.FindStringIndex(paragraph); at != nil {
			end = at[1]
		}
		if s := strings.TrimSpace(paragraph[:end]); len(word.FindAllString(s, wordsMin)) == wordsMin {
			all = append(all, s)
		}
		paragraph = paragraph[end:]
	}
	return all
}

// ofCode returns the string literals of a Go file that are sentences, and its comments.
// If a literal has several paragraphs, as a help text has, each paragraph is one
// sentence.
func ofCode(name string, src []byte) (says, notes []text, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	line := func(n ast.Node) int { return fset.Position(n.Pos()).Line }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				for paragraph := range strings.SplitSeq(s, "\n\n") {
					p := strings.Join(strings.Fields(paragraph), " ")
					if len(word.FindAllString(p, wordsMin)) == wordsMin && !notMessage.MatchString(p) {
						says = append(says, text{name, line(n), p})
					}
				}
			}
		}
		return true
	})
	for _, group := range file.Comments {
		if s := strings.TrimSpace(group.Text()); len(word.FindAllString(s, wordsMin)) == wordsMin {
			if code := lineBefore(src, fset.Position(group.Pos()).Offset); code != "" {
				s = code + " // " + s
			}
			notes = append(notes, text{name, line(group), strings.ReplaceAll(s, "\n", "\n    ")})
		}
	}
	return says, notes, nil
}

// lineBefore returns the code on the same line before a comment. Without this code a
// trailing comment cannot be understood.
func lineBefore(src []byte, offset int) string {
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	return string(bytes.TrimSpace(src[start:offset]))
}
