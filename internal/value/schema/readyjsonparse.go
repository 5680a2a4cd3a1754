//go:build go1.25

package schema

import (
	"strconv"
	"strings"
)

// jsonDepthMax is the maximal nesting depth of a text that is parsed.
const jsonDepthMax = 1000

// jsonParser parses a text that is valid JSON. It need not be strict, see
// spelling.parse.
type jsonParser struct {
	rest   string
	failed bool
}

func (p *jsonParser) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

func (p *jsonParser) value(depth int) jsonValue {
	if p.failed = p.failed || depth > jsonDepthMax; p.failed {
		return jsonNull{}
	}
	switch {
	case p.skip("null"):
		return jsonNull{}
	case p.skip("true"):
		return jsonBool{true}
	case p.skip("false"):
		return jsonBool{false}
	case strings.HasPrefix(p.rest, `"`):
		return jsonText{p.text()}
	case p.skip("["):
		return p.array(depth)
	case p.skip("{"):
		return p.object(depth)
	}
	return p.number()
}

func (p *jsonParser) array(depth int) jsonValue {
	x := jsonArray{Loose: p.skip(" ")}
	for end := &x.Items; !p.failed && !p.skip("]"); end = &(*end).Next {
		*end = &jsonItem{V: p.value(depth + 1)}
		p.next(x.Loose)
	}
	return x
}

func (p *jsonParser) object(depth int) jsonValue {
	x := jsonObject{Loose: p.skip(" ")}
	for end := &x.Members; !p.failed && !p.skip("}"); end = &(*end).Next {
		k := p.text()
		p.failed = p.failed || !p.skip(":") || p.skip(" ") != x.Loose
		*end = &jsonMember{K: k, V: p.value(depth + 1)}
		p.next(x.Loose)
	}
	return x
}

// next skips the comma after an element, if there is one, and then a space if loose
// is set.
func (p *jsonParser) next(loose bool) {
	p.skip(",")
	p.failed = p.failed || p.skip(" ") != loose || p.rest == ""
}

func (p *jsonParser) number() jsonValue {
	n := strings.IndexFunc(p.rest, func(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) })
	if n < 0 {
		n = len(p.rest)
	}
	lit := p.rest[:n]
	p.rest = p.rest[n:]
	var err, err2 error
	defer func() { p.failed = p.failed || lit == "" || err != nil || err2 != nil }()
	if a, b, ok := strings.Cut(lit, "e"); ok {
		var x jsonPower
		var e int64
		x.N, err = strconv.ParseInt(a, 10, 64)
		e, err2 = strconv.ParseInt(b, 10, 16)
		x.E = int16(e)
		return x
	}
	if strings.Contains(lit, ".") {
		var x jsonFloat
		x.F, err = strconv.ParseFloat(lit, 64)
		return x
	}
	var x jsonInt
	x.N, err = strconv.ParseInt(lit, 10, 64)
	return x
}

// text parses the string at the beginning of p.rest.
func (p *jsonParser) text() string {
	var b []byte
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '"':
			p.rest = p.rest[i+1:]
			return string(b)
		case '\\':
			var n int
			b, n = appendUnescaped(b, p.rest[i+1:])
			i += n
		default:
			b = append(b, c)
		}
	}
	p.failed = true
	return ""
}

// appendUnescaped appends the character that the escape sequence at the beginning of
// s stands for, and returns the length of the sequence. The backslash is not part of
// s.
func appendUnescaped(b []byte, s string) ([]byte, int) {
	switch {
	case strings.HasPrefix(s, "n"):
		return append(b, '\n'), 1
	case strings.HasPrefix(s, "u") && len(s) >= 5:
		x, _ := strconv.ParseUint(s[1:5], 16, 16)
		if x >= strayByte {
			return append(b, byte(x)), 5
		}
		return append(b, string(rune(x))...), 5
	case s == "":
		return b, 0
	}
	return append(b, s[0]), 1
}
