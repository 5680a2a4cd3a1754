//go:build go1.25

package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// text handles the words of a text.
func (tag *Tag) text(words []tagWord) error {
	for _, w := range words {
		if tag.about(w) || w.name == "eq" || w.name == "ne" {
			tag.compared(w)
			continue
		}
		if w.name == "oneof" || w.name == "oneofci" {
			if len(listed(w.param)) == 0 {
				return fmt.Errorf("the word %s lists no values", w.name)
			}
			tag.list(listed(w.param), w.name == "oneofci")
			continue
		}
		ok, err := tag.limitLength(w)
		if err != nil {
			return err
		}
		if !ok && !tag.part(w) && !tag.format(w) {
			return w.unknown(tag.of)
		}
	}
	return nil
}

// compared handles a comparison with a text.
func (tag *Tag) compared(w tagWord) {
	switch w.name {
	case "eq":
		tag.list([]string{w.param}, false)
	case "ne":
		tag.check(func(text string) bool { return text != w.param })
	}
}

// list handles a list of the only texts.
func (tag *Tag) list(words []string, fold bool) {
	only := words
	tag.check(func(text string) bool {
		return slices.ContainsFunc(only, func(w string) bool { return w == text || fold && strings.EqualFold(w, text) })
	})
	if fold {
		tag.fold = true
		for _, w := range slices.Clone(words) {
			words = append(words, strings.ToLower(w), strings.ToUpper(w))
		}
	}
	if tag.Words == nil || len(words) < len(tag.Words) {
		tag.Words = words
	}
}

func (tag *Tag) check(may func(string) bool) { tag.texts = append(tag.texts, textCheck{may: may}) }

// listedWords matches the words in the parameter of oneof: texts in single quotes, or without space.
var listedWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'[^']*'|\S+`) })

// listed splits the parameter of oneof.
func listed(param string) (words []string) {
	for _, word := range listedWords().FindAllString(param, -1) {
		words = append(words, strings.ReplaceAll(word, "'", ""))
	}
	return words
}

// partWords are the words about parts of a text.
var partWords = map[string]func(text, param string) bool{
	"startswith":    strings.HasPrefix,
	"endswith":      strings.HasSuffix,
	"contains":      strings.Contains,
	"containsany":   strings.ContainsAny,
	"containsrune":  strings.ContainsAny,
	"startsnotwith": func(text, param string) bool { return !strings.HasPrefix(text, param) },
	"endsnotwith":   func(text, param string) bool { return !strings.HasSuffix(text, param) },
	"excludes":      func(text, param string) bool { return !strings.Contains(text, param) },
	"excludesall":   func(text, param string) bool { return !strings.ContainsAny(text, param) },
	"excludesrune":  func(text, param string) bool { return !strings.ContainsAny(text, param) },
	"datetime":      func(text, param string) bool { _, err := time.Parse(param, text); return err == nil },
}

// part handles the words about parts of a text.
func (tag *Tag) part(w tagWord) bool {
	ok := partWords[w.name]
	if ok == nil || w.param == "" {
		return false
	}
	_, n := utf8.DecodeRuneInString(w.param)
	param := w.param
	switch w.name {
	case "startswith":
		tag.prefix = param
	case "endswith":
		tag.suffix = param
	case "contains":
		tag.parts = append(tag.parts, param)
	case "containsany":
		tag.parts = append(tag.parts, param[:n])
	case "containsrune":
		param = param[:n]
		tag.parts = append(tag.parts, param)
	case "excludesrune":
		param = param[:n]
	case "datetime":
		tag.sources = append(tag.sources, dated(param))
	}
	tag.check(func(text string) bool { return ok(text, param) })
	return true
}

// knownWord reports whether a word is known for some type.
func knownWord(name string) bool {
	tag := &Tag{of: &Schema{}}
	return needsParam(name) || tag.about(tagWord{name: name}) || formatNamed(name) != nil ||
		slices.Contains([]string{"unique", "dive", "keys", "endkeys", "port"}, name)
}

// needsParam reports whether a word means nothing without a parameter.
func needsParam(name string) bool {
	_, compares := bounds[name]
	return compares || partWords[name] != nil || name == "oneof" || name == "oneofci"
}
