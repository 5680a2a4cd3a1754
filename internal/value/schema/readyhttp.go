//go:build go1.25

package schema

import (
	"context"
	"io"
	"net/url"
	"reflect"
	"strings"
)

const (
	requestURL = `https?://(a|localhost:8080|127\.0\.0\.1|example\.com)/` +
		`([a-z0-9.~-]{1,6}/){0,2}([a-z0-9.~-]{1,6})?(\?[a-z]{1,3}=[a-zA-Z0-9.+-]{0,6}(&[a-z]=%[2-7][0-9A-F])?)?`
	headerKey   = `Accept|Authorization|Content-Type|Cookie|If-None-Match|Range|Referer|X-[A-Z][a-z]{0,3}`
	headerValue = `|[!-~]{1,4}( [!-~]{1,4}){0,2}`
)

// requestFuncs make requests as http.NewRequest does, which can be sent and parsed: without a body,
// and with one. The hidden builders are for examples with other methods, URLs and headers.
func requestFuncs(t reflect.Type) []*Func {
	header, _ := t.Elem().FieldByName("Header")
	request := func(body bool, value string) *Func {
		args, reader := []reflect.Type{stringType, stringType, header.Type}, "nil"
		if body {
			args, reader = append(args, stringType), "strings.NewReader(_3)"
		}
		template := "func() *http.Request { v, _ := http.NewRequest(_0, _1, " + reader + "); v.Header = " + value + "; return v }()"
		f := reflected(t, template, setRequest, args...)
		f.rejects = rejectsSilently
		if body {
			f.Imports = []string{"strings"}
		}
		f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return requestArgs(v, body) }
		return f
	}
	all := []*Func{reflectedNil(t, "(*http.Request)(nil)")}
	for _, body := range []bool{false, true} {
		given := request(body, "http.Header(_2)") // two builders need different templates
		given.hidden = true
		for i := range given.Args {
			given.Args[i].Decls = []Decl{}
		}
		all = append(all, given)
	}
	all[0].hidden = true
	for _, body := range []bool{false, true} {
		f := request(body, "_2")
		f.Args[0].Decls = []Decl{valuesOf("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS")}
		f.Args[1].Decls = []Decl{matchOf(requestURL)}
		f.Args[2].Decls = []Decl{
			{Type: header.Type, What: NonNil}, {Type: header.Type.Elem(), What: NonNil},
			{What: At{Path: keysName, Sub: []Decl{matchOf(headerKey)}}},
			{What: At{Path: elemsName, Sub: []Decl{matchOf(headerValue)}}},
		}
		if body {
			f.Args[3].Decls = []Decl{matchOf(`(?s).{1,40}`)}
		}
		all = append(all, f)
	}
	return all
}

// setRequest sets the fields that http.NewRequest sets.
func setRequest(dst reflect.Value, args []reflect.Value) bool {
	u, err := url.Parse(args[1].String())
	if err != nil || len(args) > 3 && args[3].Len() == 0 { // an empty body is not a reader
		return false
	}
	r := reflect.New(dst.Type().Elem())
	set := func(name string, x any) { settable(r.Elem().FieldByName(name)).Set(reflect.ValueOf(x)) }
	u.Host = strings.TrimSuffix(u.Host, ":")
	set("ctx", context.Background())
	set("Method", args[0].String())
	set("URL", u)
	set("Proto", "HTTP/1.1")
	set("ProtoMajor", 1)
	set("ProtoMinor", 1)
	r.Elem().FieldByName("Header").Set(args[2])
	set("Host", u.Host)
	if len(args) > 3 {
		text := strings.Clone(args[3].String())
		set("ContentLength", int64(len(text)))
		set("GetBody", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
		set("Body", io.NopCloser(strings.NewReader(text)))
	}
	dst.Set(r)
	return true
}

// requestArgs returns the arguments of setRequest for a request, if they give it all its fields.
func requestArgs(v reflect.Value, body bool) ([]reflect.Value, bool) {
	if v.IsNil() {
		return nil, false
	}
	r := v.Elem()
	u, _ := r.FieldByName("URL").Interface().(*url.URL)
	if u == nil || r.FieldByName("Host").String() != u.Host || body == r.FieldByName("Body").IsNil() {
		return nil, false
	}
	if same, err := url.Parse(u.String()); err != nil || !reflect.DeepEqual(same, u) {
		return nil, false
	}
	args := []reflect.Value{r.FieldByName("Method"), reflect.ValueOf(u.String()), r.FieldByName("Header")}
	if !body {
		return args, true
	}
	again, _ := r.FieldByName("GetBody").Interface().(func() (io.ReadCloser, error))
	if again == nil {
		return nil, false
	}
	reader, err := again()
	if err != nil {
		return nil, false
	}
	text, err := io.ReadAll(reader)
	return append(args, reflect.ValueOf(string(text))), err == nil
}
