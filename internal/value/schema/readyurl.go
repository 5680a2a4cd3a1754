//go:build go1.25

package schema

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// urlForm is the text of a URL, in one of several forms.
type urlForm interface{ write(b *strings.Builder) }

type (
	urlRoot struct{} // "/", the simplest URL
	urlAsk  struct { // /?query#fragment
		First    urlPair
		Fragment string
	}
	urlFull struct { // scheme://user@host:port/path?query#fragment
		Scheme urlScheme
		Site   urlSite
		Tail   urlTail
	}
	urlNet struct { // //host/path
		Site urlSite
		Tail urlTail
	}
	urlLocal struct { // a path, relative or not
		Slash bool
		First urlWord // a word, because another segment could be parsed as a host or a scheme
		Tail  urlTail
	}
	urlOpaque struct { // mailto:somebody
		Scheme urlScheme
		Name   urlWord
	}

	urlSite struct {
		User *urlUser
		Host urlHost
		Port *uint16
	}
	urlUser struct {
		Name     string
		Password *string
	}
	urlTail struct {
		Path *urlSegment
		End  urlEnd
	}
	urlEnd struct {
		Query    *urlPair
		Fragment string
	}
	urlSegment struct {
		S    string
		Next *urlSegment
	}
	urlPair struct {
		K, V string
		Next *urlPair
	}

	urlScheme string
	urlHost   string
	urlWord   string
)

var (
	urlSchemes = []urlScheme{"http", "https", "ftp", "file", "mailto", "x-a+b.c"}
	urlHosts   = []urlHost{"a", "example.com", "localhost", "127.0.0.1", "[::1]", "EXAMPLE.com.", "xn--bcher-kva.example", "a_b"}
	urlWords   = []urlWord{"a", "index.html", ".", "..", "~b", "a@b", "*"}
)

func (x urlRoot) write(b *strings.Builder) { b.WriteByte('/') }

func (x urlAsk) write(b *strings.Builder) {
	b.WriteByte('/')
	(&urlEnd{&x.First, x.Fragment}).write(b)
}

func (x urlFull) write(b *strings.Builder) {
	b.WriteString(string(x.Scheme) + "://")
	x.Site.write(b)
	x.Tail.write(b)
}

func (x urlNet) write(b *strings.Builder) {
	b.WriteString("//")
	x.Site.write(b)
	x.Tail.write(b)
}

func (x urlLocal) write(b *strings.Builder) {
	if x.Slash {
		b.WriteByte('/')
	}
	b.WriteString(string(x.First))
	x.Tail.write(b)
}

func (x urlOpaque) write(b *strings.Builder) { b.WriteString(string(x.Scheme) + ":" + string(x.Name)) }

func (x *urlSite) write(b *strings.Builder) {
	if u := x.User; u != nil {
		info := url.User(u.Name)
		if u.Password != nil {
			info = url.UserPassword(u.Name, *u.Password)
		}
		b.WriteString(info.String() + "@")
	}
	b.WriteString(string(x.Host))
	if x.Port != nil {
		b.WriteString(":" + strconv.Itoa(int(*x.Port)))
	}
}

func (x *urlTail) write(b *strings.Builder) {
	for s := x.Path; s != nil; s = s.Next {
		b.WriteString("/" + url.PathEscape(s.S))
	}
	x.End.write(b)
}

func (x *urlEnd) write(b *strings.Builder) {
	mark := "?"
	for p := x.Query; p != nil; p = p.Next {
		b.WriteString(mark + url.QueryEscape(p.K) + "=" + url.QueryEscape(p.V))
		mark = "&"
	}
	if x.Fragment != "" {
		b.WriteString("#" + (&url.URL{Fragment: x.Fragment}).EscapedFragment())
	}
}

// urlSpelling returns the spelling of R, which is *url.URL or url.URL. The function
// named of converts a *url.URL to R, and the one named to converts it back.
func urlSpelling[R any](of func(*url.URL) R, to func(*R) *url.URL) spelling[urlForm, R] {
	return spelling[urlForm, R]{
		write: func(x *urlForm) string {
			var b strings.Builder
			(*x).write(&b)
			return b.String()
		},
		parse: parseURL,
		from: func(text string) (r R, ok bool) {
			u, err := url.Parse(text)
			if err != nil {
				return r, false
			}
			return of(u), true
		},
		text: func(r *R) (string, bool) {
			u := to(r)
			if u == nil {
				return "", false
			}
			again, err := url.Parse(u.String())
			return u.String(), err == nil && reflect.DeepEqual(u, again)
		},
		decls: []Decl{
			variantsOf[urlForm](urlRoot{}, urlAsk{}, urlFull{}, urlNet{}, urlLocal{}, urlOpaque{}),
			valuesOf(urlSchemes...), valuesOf(urlHosts...), valuesOf(urlWords...),
		},
	}
}

var urlFuncs = func() []*Func {
	pointer := urlSpelling(func(u *url.URL) *url.URL { return u }, func(r **url.URL) *url.URL { return *r })
	value := urlSpelling(func(u *url.URL) url.URL { return *u }, func(r *url.URL) *url.URL { return r })
	calls := []*Func{
		verbatim("url.Parse(_text)", pointer), spelled("url.Parse(_text)", pointer),
		verbatim("*url.Parse(_text)", value), spelled("*url.Parse(_text)", value),
	}
	for _, f := range calls {
		f.rejects = rejectsByResult // url.Parse has a second result
	}
	return append([]*Func{hiddenZero[*url.URL]("(*url.URL)(nil)"), hiddenZero[url.URL]("url.URL{}")}, calls...)
}()

// parseURL splits a text into its parts. It need not be strict, see spelling.parse.
func parseURL(text string) (urlForm, bool) {
	p := urlParser{}
	rest, fragment, _ := strings.Cut(text, "#")
	rest, query, asked := strings.Cut(rest, "?")
	end := urlEnd{Fragment: p.plain(url.PathUnescape(fragment))}
	if asked {
		end.Query = p.query(query)
	}
	form := p.form(rest, end)
	return form, !p.failed
}

type urlParser struct{ failed bool }

func (p *urlParser) plain(s string, err error) string {
	p.failed = p.failed || err != nil
	return s
}

func (p *urlParser) query(s string) (first *urlPair) {
	end := &first
	for pair := range strings.SplitSeq(s, "&") {
		k, v, _ := strings.Cut(pair, "=")
		*end = &urlPair{K: p.plain(url.QueryUnescape(k)), V: p.plain(url.QueryUnescape(v))}
		end = &(*end).Next
	}
	return first
}

func (p *urlParser) form(s string, end urlEnd) urlForm {
	switch {
	case s == "/" && end.Query != nil:
		return urlAsk{*end.Query, end.Fragment}
	case s == "/":
		return urlRoot{}
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		site, path := p.site(rest)
		return urlNet{site, urlTail{path, end}}
	}
	if scheme, rest, ok := strings.Cut(s, "://"); ok && !strings.Contains(scheme, "/") {
		site, path := p.site(rest)
		return urlFull{urlScheme(scheme), site, urlTail{path, end}}
	}
	if scheme, name, ok := strings.Cut(s, ":"); ok && !strings.Contains(scheme, "/") {
		return urlOpaque{urlScheme(scheme), urlWord(name)}
	}
	rest, slash := strings.CutPrefix(s, "/")
	word, path := p.segments(rest)
	return urlLocal{slash, urlWord(word), urlTail{path, end}}
}

// segments splits a path into its segments, and returns the text before the first
// slash separately.
func (p *urlParser) segments(s string) (before string, first *urlSegment) {
	end := &first
	for i, part := range strings.Split(s, "/") {
		if i == 0 {
			before = part
			continue
		}
		*end = &urlSegment{S: p.plain(url.PathUnescape(part))}
		end = &(*end).Next
	}
	return before, first
}

func (p *urlParser) site(s string) (x urlSite, path *urlSegment) {
	s, path = p.segments(s)
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		name, password, ok := strings.Cut(s[:i], ":")
		x.User = &urlUser{Name: p.plain(url.PathUnescape(name))}
		if ok {
			password = p.plain(url.PathUnescape(password))
			x.User.Password = &password
		}
		s = s[i+1:]
	}
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") {
		n, err := strconv.ParseUint(s[i+1:], 10, 16)
		p.failed = p.failed || err != nil
		port := uint16(n)
		x.Port, s = &port, s[:i]
	}
	x.Host = urlHost(s)
	return x, path
}

var userFuncs = func() []*Func {
	fs := []*Func{
		hiddenZero[*url.Userinfo]("(*url.Userinfo)(nil)"), newZero[url.Userinfo](),
		func1("url.User(_0)", url.User),
		func2("url.UserPassword(_0, _1)", url.UserPassword),
		hiddenZero[url.Userinfo]("url.Userinfo{}"),
		func1("*url.User(_0)", func(name string) url.Userinfo { return *url.User(name) }),
		func2("*url.UserPassword(_0, _1)", func(name, password string) url.Userinfo { return *url.UserPassword(name, password) }),
	}
	for _, i := range []int{2, 5} {
		fs[i].invert = func(v reflect.Value) ([]reflect.Value, bool) {
			u := addressed[url.Userinfo](v)
			_, set := u.Password()
			return values(u.Username()), u != nil && !set
		}
		fs[i+1].invert = func(v reflect.Value) ([]reflect.Value, bool) {
			u := addressed[url.Userinfo](v)
			password, set := u.Password()
			return values(u.Username(), password), set
		}
	}
	return fs
}()
