//go:build go1.25

package codec

import (
	"fmt"
	"go/format"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// typeText returns a type as Go source in package Style.Pkg. Texts are cached,
// because the text of a term names few types, but many times.
func (p *printer) typeText(t reflect.Type) string {
	name, ok := p.types[t]
	if !ok {
		name = p.newTypeText(t)
		p.types[t] = name
	}
	return name
}

func (p *printer) newTypeText(t reflect.Type) string {
	if t.Name() != "" {
		return p.namedText(t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + p.typeText(t.Elem())
	case reflect.Slice:
		return "[]" + p.elemText(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), p.elemText(t.Elem()))
	case reflect.Map:
		return "map[" + p.typeText(t.Key()) + "]" + p.typeText(t.Elem())
	case reflect.Chan:
		return p.chanText(t)
	case reflect.Func:
		return "func" + p.signature(t)
	case reflect.Interface:
		return p.interfaceText(t)
	case reflect.Struct:
		return p.structText(t)
	}
	return t.String()
}

// elemText is like typeText, for the element type of a list. Reflection does not
// distinguish byte from uint8; in lists, people write byte.
func (p *printer) elemText(t reflect.Type) string {
	if t == reflect.TypeFor[byte]() {
		return "byte"
	}
	return p.typeText(t)
}

func (p *printer) chanText(t reflect.Type) string {
	elem := p.typeText(t.Elem())
	switch {
	case t.ChanDir() == reflect.RecvDir:
		return "<-chan " + elem
	case t.ChanDir() == reflect.SendDir:
		return "chan<- " + elem
	case strings.HasPrefix(elem, "<-"):
		return "chan (" + elem + ")"
	}
	return "chan " + elem
}

func (p *printer) signature(t reflect.Type) string {
	in := make([]string, t.NumIn())
	for i := range in {
		in[i] = p.typeText(t.In(i))
		if t.IsVariadic() && i == len(in)-1 {
			in[i] = "..." + p.elemText(t.In(i).Elem())
		}
	}
	out := make([]string, t.NumOut())
	for i := range out {
		out[i] = p.typeText(t.Out(i))
	}
	results := strings.Join(out, ", ")
	switch len(out) {
	case 0:
	case 1:
		results = " " + results
	default:
		results = " (" + results + ")"
	}
	return "(" + strings.Join(in, ", ") + ")" + results
}

func (p *printer) interfaceText(t reflect.Type) string {
	if t.NumMethod() == 0 {
		return "any"
	}
	var methods []string
	for i := range t.NumMethod() {
		m := t.Method(i)
		p.unnameable = p.unnameable || m.PkgPath != "" && m.PkgPath != p.style.Pkg
		methods = append(methods, m.Name+p.signature(m.Type))
	}
	return formattedType("interface{ " + strings.Join(methods, "; ") + " }")
}

// structText returns an unnamed struct type, including tags and embedded fields,
// because two such types are identical only if these are the same.
func (p *printer) structText(t reflect.Type) string {
	if t.NumField() == 0 {
		return "struct{}"
	}
	var fields []string
	for i := range t.NumField() {
		f := t.Field(i)
		p.unnameable = p.unnameable || f.PkgPath != "" && f.PkgPath != p.style.Pkg
		text := p.typeText(f.Type)
		if !f.Anonymous {
			text = f.Name + " " + text
		}
		fields = append(fields, text+tagText(string(f.Tag)))
	}
	return formattedType("struct{ " + strings.Join(fields, "; ") + " }")
}

func tagText(tag string) string {
	switch {
	case tag == "":
		return ""
	case strconv.CanBackquote(tag):
		return " `" + tag + "`"
	}
	return " " + strconv.Quote(tag)
}

// formattedType formats a type like gofmt.
func formattedType(src string) string {
	const before = "package p\n\ntype _ "
	text, err := format.Source([]byte(before + src))
	if err != nil {
		return src
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(text), before), "\n")
}

// namedText returns the name of a type, with its package where needed and its
// type arguments in brackets.
func (p *printer) namedText(t reflect.Type) string {
	name, args, generic := strings.Cut(t.Name(), "[")
	if t == reflect.TypeFor[schema.MapFS]() { // see its comment
		return p.qualified("testing/fstest", "fstest", name)
	}
	if t.PkgPath() != "" {
		pkg, _, _ := strings.Cut(t.String(), ".")
		name = p.qualified(t.PkgPath(), pkg, name)
	}
	if generic {
		name += "[" + p.typeArgs(strings.TrimSuffix(args, "]")) + "]"
	}
	return name
}

// qualified returns a name that is declared in the package with the given path, as
// Style.Pkg writes it. It records the import that the name needs, and whether the
// name can be used at all.
func (p *printer) qualified(path, pkg, name string) string {
	name, _, local := strings.Cut(name, "·") // a type inside a function
	if local || p.style.Declared != nil && !p.style.Declared(path, name) {
		p.unnameable = true
	}
	if path == p.style.Pkg {
		// In the printed test, t is the testing.T.
		p.unnameable = p.unnameable || name == "t" || p.shadowed && shadows(name)
		return name
	}
	p.unnameable = p.unnameable || !token.IsExported(name)
	return p.need(path, pkg) + "." + name
}

// importable reports whether the go command allows package from to import package
// path. Commands and tests cannot be imported, and internal packages only by
// packages in the same tree.
func importable(path, from string) bool {
	if path == "main" || path == "command-line-arguments" || strings.HasSuffix(path, "_test") {
		return false
	}
	at := strings.LastIndex("/"+path+"/", "/internal/")
	if at < 0 {
		return true
	}
	root := strings.TrimSuffix(path[:at], "/")
	return root != "" && (from == root || strings.HasPrefix(from, root+"/") || from == root+"_test")
}

// typeArgs converts type arguments to Go source. s is the part in brackets of the
// name of a generic type in package reflect: it has full import paths, no spaces,
// and "interface {}".
func (p *printer) typeArgs(s string) string {
	s = strings.ReplaceAll(s, "interface {}", "any")
	var out strings.Builder
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && inPath(s[end]) {
			end++
		}
		switch {
		case end > i:
			out.WriteString(p.typeArg(s[i:end]))
			i = end
		case s[i] == '"': // the tag of an unnamed struct
			tag, err := strconv.QuotedPrefix(s[i:])
			if err != nil {
				tag = s[i:]
			}
			out.WriteString(tag)
			i += len(tag)
		case s[i] == ',' && !strings.HasPrefix(s[i:], ", "):
			out.WriteString(", ")
			i++
		default:
			out.WriteByte(s[i])
			i++
		}
	}
	return out.String()
}

func inPath(c byte) bool {
	return c == '.' || c == '/' || c == '_' || c == '-' || c == '~' || c == '%' || c >= 0x80 ||
		'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// typeArg converts one word of a type argument: a keyword, a field name, or
// path.Name.
func (p *printer) typeArg(word string) string {
	dots := ""
	if rest, ok := strings.CutPrefix(word, "..."); ok {
		dots, word = "...", rest
	}
	at := strings.LastIndexByte(word, '.')
	if at < 0 {
		return dots + word
	}
	path := strings.ReplaceAll(word[:at], "%2e", ".")
	return dots + p.qualified(path, p.pkgName(path), word[at+1:])
}

// pkgName returns the name of a package. It is known if a type of the world is
// declared in the package; otherwise it is guessed from the path.
func (p *printer) pkgName(path string) string {
	if p.pkgNames == nil {
		p.pkgNames = map[string]string{}
		for _, s := range p.world.Schemas {
			t := s.Type
			if t.Kind() == reflect.Pointer && t.Name() == "" {
				t = t.Elem()
			}
			if t.PkgPath() != "" {
				p.pkgNames[t.PkgPath()], _, _ = strings.Cut(t.String(), ".")
			}
		}
	}
	if name, ok := p.pkgNames[path]; ok {
		return name
	}
	return lastElem(path)
}

// lastElem guesses the name of a package from its path. It takes the last element
// that is not a version, and replaces characters that a name cannot have.
func lastElem(path string) string {
	rest, last, found := cutLast(path, "/")
	if found && isVersion(last) {
		_, last, _ = cutLast(rest, "/")
	}
	if name, version, ok := cutLast(last, "."); ok && isVersion(version) {
		last = name
	}
	last = strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
	return strings.NewReplacer("-", "_", ".", "_").Replace(last)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return "", s, false
}

func isVersion(s string) bool {
	_, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
	return strings.HasPrefix(s, "v") && err == nil
}
