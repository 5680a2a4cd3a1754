package text

import (
	"go/build"
	"slices"

	"github.com/allele-go/allele/eval/foreign"
)

// target is a parser with a definition of the inputs that count as valid: the function Valid
// in testdata/NAME.go.txt. The definitions are strict, so that a text counts only if it has
// what the format is about: a URL has a host and a query, a document has a key.
type target struct {
	name    string
	in      string         // type of the input; empty means string
	seed    string         // a small valid input
	format  string         // a regular expression that describes most valid inputs, if a user would write one
	match   bool           // the format is also declared to allele
	std     []string       // packages of the standard library that are copied
	extract [2]string      // package and function of the standard library, of which only this function is copied
	module  foreign.Module // other code that is tested
	cover   []string       // packages whose blocks are counted; empty means the target's own
	bug     *bug           // a bug in a copy of the parser
	quick   bool
}

func (t target) input() string {
	if t.in == "" {
		return "string"
	}
	return t.in
}

// scope returns the packages for the flag -scope, or "".
func (t target) scope() string {
	if t.module.Path == "" {
		return ""
	}
	return t.module.Path + "/..."
}

// covered returns the packages whose blocks are counted.
func (t target) covered() []string {
	if len(t.cover) > 0 {
		return t.cover
	}
	var all []string
	for _, pkg := range t.std {
		all = append(all, copyPath(pkg))
	}
	switch {
	case t.extract[0] != "":
		all = append(all, copyPath(t.extract[0]))
	case t.module.Path != "":
		all = append(all, t.module.Path)
	}
	if len(all) == 0 {
		all = append(all, modulePath+"/"+t.name)
	}
	return all
}

// parsers are the targets of the experiment text. Where there is a format, rapid generates
// texts of it; where there is none, any string. On five targets allele does so too.
var parsers = []target{
	{name: "semver", seed: `"1.2.3"`, module: foreign.At("github.com/Masterminds/semver/v3", "v3.4.0"), match: true,
		format: `(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})(-[a-z]{1,5}(\.[a-z]{1,5})?)?(\+[a-z0-9]{1,5})?`},
	{name: "goversion", seed: `">= 1.0"`, module: foreign.At("github.com/hashicorp/go-version", "v1.7.0"), match: true,
		format: `(=|!=|>|<|>=|<=|~>)? ?[0-9]{1,3}(\.[0-9]{1,3}){0,2}(, ?(>|<|~>) ?[0-9]{1,3}\.[0-9]{1,3})?`},
	{name: "pairs", seed: `"a=1;b=2"`, format: `[a-z]{1,5}=[a-z0-9]{1,5}(;[a-z]{1,5}=[a-z0-9]{1,5}){0,3}`},
	{name: "url", seed: `"http://a.b/c?d=e"`, std: []string{"net/url"}, match: true,
		format: `[a-z]{1,5}://[a-z]{1,8}(\.[a-z]{1,3})?(:[0-9]{1,4})?(/[a-z]{0,5}){0,3}(\?[a-z]{1,3}=[a-z0-9]{0,5})?(#[a-z]{0,3})?`},
	{name: "json", seed: "`" + `{"a":1}` + "`", std: []string{"encoding/json"}},
	{name: "toml", seed: `"a = 1"`, module: foreign.At("github.com/BurntSushi/toml", "v1.4.0")},
	{name: "yaml", seed: `"a: 1"`, module: foreign.At("gopkg.in/yaml.v3", "v3.0.1")},
	{name: "regexp", seed: `"(a){2}"`, std: []string{"regexp/syntax"}},
	{name: "template", seed: `"{{.A}}"`, std: []string{"text/template/parse"}, quick: true},
	{name: "goexpr", seed: `"f(x)"`, std: []string{"go/parser", "go/scanner"}},
	{name: "html", seed: "`" + `<a b="c">` + "`", module: foreign.At("golang.org/x/net", "v0.46.0"),
		cover: []string{"golang.org/x/net/html"}},
	{name: "netip", seed: `"1.2.3.4:80"`, std: []string{"net/netip"}, match: true,
		format: `([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}\]):[0-9]{1,5}`},
	{name: "ini", seed: `"[a]\nb = c"`, module: foreign.At("gopkg.in/ini.v1", "v1.67.0")},
	{name: "sql", seed: `"select a from b"`, module: foreign.At("github.com/xwb1989/sqlparser", "v0.0.0-20180606152119-120387863bf2")},
	{name: "duration", seed: `"1h2m"`, extract: [2]string{"time", "ParseDuration"}, quick: true, match: true,
		format: `[-+]?([0-9]{1,4}(\.[0-9]{1,3})?(ns|us|ms|s|m|h)){1,3}`},
	{name: "float", seed: `"1.5e3"`, std: []string{floatPackage},
		format: `[-+]?[0-9]{1,8}(\.[0-9]{1,8})?([eE][-+]?[0-9]{1,3})?`},
}

// floatPackage is the package with the code of strconv.ParseFloat. Since Go 1.26 it is internal.
var floatPackage = func() string {
	if slices.Contains(build.Default.ReleaseTags, "go1.26") {
		return "internal/strconv"
	}
	return "strconv"
}()

// magic are the targets of the experiment magic: values that random inputs do not have.
var magic = []target{
	{name: "number", in: "int"},
	{name: "word", quick: true},
	{name: "prefix"},
	{name: "keywords"},
	{name: "lookup"},
	{name: "folded", quick: true},
	{name: "decimal"},
	{name: "length", in: "[]byte"},
	{name: "checksum", in: "[]byte"},
	{name: "nested"},
}
