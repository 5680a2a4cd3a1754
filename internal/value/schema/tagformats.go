//go:build go1.25

package schema

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/rng"
)

// format is a word that says what a text looks like.
type format struct {
	name  string
	expr  string              // what whole texts match; "" means any
	make  string              // what generated texts match, if not expr
	abc   string              // the letters of generated texts, if they may have any length
	words string              // what is generated, if make does not say it: words with a space between them,
	code  int                 // or codes of this length
	ok    func(string) bool   // what whole texts satisfy besides
	sure  string              // texts that match expr may satisfy the word, those that match sure do
	few   bool                // likewise, only words do
	adapt func(string) string // changes a text so that it satisfies the word
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hex    = `[0-9a-f]`

	hostExpr = `[A-Za-z0-9][A-Za-z0-9-]{0,62}(\.[A-Za-z0-9][A-Za-z0-9-]{0,62})*`
	hostMake = `[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,3})?(\.[a-z]{2,6}){0,2}`
	fqdnMake = `([a-z][a-z0-9]{0,5}(-[a-z0-9]{1,3})?\.){1,2}(com|org|net|io|dev)`
	ip4Expr  = `((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])`
	ip6Make  = `(2001:db8|fe80|fd00)::[1-9a-f][0-9a-f]{0,3}|2001:db8(:[1-9a-f][0-9a-f]{0,3}){6}`
	portExpr = `(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})`
	urlMake  = `https?://` + fqdnMake + `(:[1-9][0-9]{1,3})?(/[a-z0-9._-]{1,6}){0,3}/?(\?[a-z]{1,3}=[a-z0-9]{0,3})?(#[a-z]{1,3})?`
	uuidHead = hex + `{8}-` + hex + `{4}-`
	uuidExpr = uuidHead + hex + `{4}-` + hex + `{4}-` + hex + `{12}`
	uuid3    = uuidHead + `3` + hex + `{3}-` + hex + `{4}-` + hex + `{12}`
	uuid4    = uuidHead + `4` + hex + `{3}-[89ab]` + hex + `{3}-` + hex + `{12}`
	uuid5    = uuidHead + `5` + hex + `{3}-[89ab]` + hex + `{3}-` + hex + `{12}`
	byteExpr = `([0-9A-Fa-f]{2})`
	rgbExpr  = `(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])`
	preExpr  = `(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)`
	mailExpr = `[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+`
	base64   = `([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})`
)

// formats lists the words in the order of the validator's documentation.
var formats = []format{
	{name: "cidr", ok: isPrefix, make: ip4Expr + `/(3[0-2]|[12]?[0-9])`},
	{name: "cidrv4", ok: isNetwork,
		make: `10\.(0\.0\.0/8|[1-9][0-9]?\.(0\.0/16|[1-9][0-9]?\.(0/24|[1-9][0-9]?/32)))|172\.16\.0\.0/12|0\.0\.0\.0/0`},
	{name: "cidrv6", ok: isPrefix6, make: `(` + ip6Make + `)/(12[0-8]|[1-9]?[0-9])`},
	{name: "fqdn", expr: hostExpr + `\.[a-zA-Z][a-zA-Z0-9]{0,62}\.?`, make: fqdnMake},
	{name: "hostname", expr: `[a-zA-Z]([a-zA-Z0-9-]+\.?)*[a-zA-Z0-9]`, make: `[a-z]` + hostMake},
	{name: "hostname_rfc1123", expr: hostExpr, make: hostMake},
	{name: "hostname_port", expr: `(` + hostExpr + `)?:` + portExpr, make: hostMake + `:[1-9][0-9]{0,3}`},
	{name: "ip", make: ip4Expr + `|` + ip6Make, ok: isAddr},
	{name: "ipv4", expr: ip4Expr},
	{name: "ipv6", make: ip6Make, ok: isAddr6},
	{name: "mac", expr: byteExpr + `((:` + byteExpr + `){5}|(:` + byteExpr + `){7}|(:` + byteExpr + `){19}|(-` + byteExpr + `){5}|(-` +
		byteExpr + `){7}|(-` + byteExpr + `){19})|` + byteExpr + `{2}((\.` + byteExpr + `{2}){2,3}|(\.` + byteExpr + `{2}){9})`,
		make: hex + `{2}(:` + hex + `{2}){5}`},
	{name: "uri", make: urlMake, ok: isURI},
	{name: "url", make: urlMake, ok: isURL},
	{name: "http_url", make: urlMake, ok: func(text string) bool { return isURL(text) && hasScheme(text, "http", "https") }},
	{name: "https_url", ok: func(text string) bool { return isURL(text) && hasScheme(text, "https") },
		make: `https://` + fqdnMake + `(/[a-z0-9._-]{1,6}){0,3}`},
	{name: "url_encoded", expr: `([^%]|%[0-9A-Fa-f]{2})*`, make: `([a-z0-9]|%[2-7][0-9A-F]){1,8}`},
	{name: "urn_rfc2141", expr: `(?i:urn):[^\s]+`, sure: `urn:[a-tv-z][a-z0-9]{1,30}:[A-Za-z0-9.:_-]*[a-z0-9]`,
		make: `urn:[a-tv-z][a-z]{1,5}:[a-z0-9]{1,6}(:[0-9]{1,3})?`},

	{name: "alpha", expr: `[a-zA-Z]+`, abc: lower + upper},
	{name: "alphaspace", expr: `[a-zA-Z ]+`, abc: lower + upper + " "},
	{name: "alphanum", expr: `[a-zA-Z0-9]+`, abc: lower + upper + digits},
	{name: "alphanumspace", expr: `[a-zA-Z0-9 ]+`, abc: lower + upper + digits + " "},
	{name: "alphanumunicode", expr: `[\pL\pN]+`, abc: lower + digits + "ßéİ世"},
	{name: "alphaunicode", expr: `\pL+`, abc: lower + upper + "ßéİ世"},
	{name: "ascii", expr: `[\x00-\x7f]*`, abc: lower + upper + digits + " .,-_/\\\"'<>\n\t"},
	{name: "printascii", expr: `[ -~]*`, abc: lower + upper + digits + " .,-_/\\\"'<>%"},
	{name: "multibyte", expr: `(?s)|.*[^\x00-\x7f].*`, abc: "ßéİ世🙂"},
	{name: "boolean", expr: `1|t|T|true|TRUE|True|0|f|F|false|FALSE|False`},
	{name: "lowercase", expr: `(?s).+`, adapt: strings.ToLower, ok: func(text string) bool { return strings.ToLower(text) == text }},
	{name: "uppercase", expr: `(?s).+`, adapt: strings.ToUpper, ok: func(text string) bool { return strings.ToUpper(text) == text }},
	{name: "number", expr: `[0-9]+`, abc: digits},
	{name: "numeric", expr: `[-+]?[0-9]+(\.[0-9]+)?`, abc: digits},
	{name: "hexadecimal", expr: `(0[xX])?[0-9a-fA-F]+`, abc: digits + "abcdefABCDEF"},

	{name: "base32", expr: `([A-Z2-7]{8})*([A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=|[A-Z2-7]{8})`,
		make: `([A-Z2-7]{8}){1,3}`},
	{name: "base64", expr: base64, make: `([A-Za-z0-9]{4}){1,4}`},
	{name: "base64url", expr: `([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=|[A-Za-z0-9_-]{4})`,
		make: `([A-Za-z0-9]{4}){1,4}`},
	{name: "base64rawurl", expr: `([A-Za-z0-9_-]{4})*[A-Za-z0-9_-]{2,4}`, make: `([A-Za-z0-9_-]{4}){1,4}`},
	{name: "bic", expr: `[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?`, make: `[A-Z]{6}[A-Z2-9][A-NP-Z0-9]`},
	{name: "bcp47_language_tag", expr: `[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*`,
		few: true, words: "en de fr ja zh pt-BR en-US de-CH zh-Hant sr-Latn-RS"},
	{name: "credit_card", expr: `[0-9]{3,}( [0-9]{3,})*`, ok: isCard,
		words: "4111111111111111 5555555555554444 378282246310005 6011111111111117 30569309025904"},
	{name: "cve", expr: `CVE-(1999|2[0-9]{3})-([1-9][0-9]{3,}|0[1-9][0-9]{2}|0[0-9][1-9][0-9]|0[0-9]{2}[1-9])`},
	{name: "dns_rfc1035_label", expr: `[a-z]([-a-z0-9]{0,61}[a-z0-9])?`, make: `[a-z]([-a-z0-9]{0,8}[a-z0-9])?`},
	{name: "e164", expr: `\+[1-9]?[0-9]{7,14}`, make: `\+[1-9][0-9]{7,14}`},
	{name: "email", expr: "[^\\s@\"(),:;<>\\[\\]\\\\]+@" + `[^\s@]+\.[^\s@.]+|".+"@[^\s@]+\.[^\s@.]+`,
		sure: mailExpr + `(\.` + mailExpr + `)*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}`,
		make: `[a-z][a-z0-9]{0,5}([._+-][a-z0-9]{1,4})?@` + fqdnMake},
	{name: "eth_addr", expr: `0x[0-9a-fA-F]{40}`},
	{name: "hexcolor", expr: `#(` + `[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})`},
	{name: "html_encoded", expr: `(?s).*(&#x?[0-9a-fA-F]{2}|&gt|&lt|&quot|&amp).*`, make: `&#([1-9][0-9]{1,3}|x[1-9a-f][0-9a-f]);`},
	{name: "iso3166_1_alpha2", words: countries2, code: 2},
	{name: "iso3166_1_alpha3", words: countries3, code: 3},
	{name: "iso4217", words: currencies, code: 3},
	{name: "json", expr: `(?s).+`, ok: isJSON,
		make: `\{\}|\[\]|null|true|[1-9][0-9]{0,3}|"[a-z]{0,4}"|\{"[a-z]{1,3}":[1-9]\}|\[[1-9](,"[a-z]{1,3}"){0,2}\]`},
	{name: "jwt", expr: `[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`,
		make: `eyJ[A-Za-z0-9]{8}\.eyJ[A-Za-z0-9]{8}\.[A-Za-z0-9_-]{12}`},
	{name: "latitude", expr: `[-+]?([1-8]?[0-9](\.[0-9]+)?|90(\.0+)?)`, make: `-?[1-8]?[0-9](\.[0-9]{1,4})?`},
	{name: "longitude", expr: `[-+]?(180(\.0+)?|(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]+)?)`,
		make: `-?(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]{1,4})?`},
	{name: "md5", expr: hex + `{32}`},
	{name: "mongodb", expr: hex + `{24}`},
	{name: "rgb", expr: `rgb\(\s*(` + rgbExpr + `\s*,\s*` + rgbExpr + `\s*,\s*` + rgbExpr + `|` +
		rgbExpr + `%\s*,\s*` + rgbExpr + `%\s*,\s*` + rgbExpr + `%)\s*\)`,
		make: `rgb\((25[0-5]|1?[1-9]?[0-9]),(1?[1-9]?[0-9]),(1?[1-9]?[0-9])\)`},
	{name: "semver",
		expr: `(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-` + preExpr + `(\.` + preExpr + `)*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?`,
		make: `(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)(-(alpha|beta|rc\.[1-9]))?`},
	{name: "sha256", expr: hex + `{64}`},
	{name: "sha384", expr: hex + `{96}`},
	{name: "sha512", expr: hex + `{128}`},
	{name: "ssn", expr: `[0-9]{3}[ -](0[1-9]|[1-9][0-9])[ -]([1-9][0-9]{3}|[0-9][1-9][0-9]{2}|[0-9]{2}[1-9][0-9]|[0-9]{3}[1-9])`,
		make: `[1-5][0-9]{2}-[1-9]{2}-[1-9]{4}`},
	{name: "timezone", expr: `[A-Z][A-Za-z0-9_+/-]+`,
		few: true, words: "UTC Europe/Berlin America/New_York Asia/Tokyo Asia/Kolkata"},
	{name: "ulid", expr: `(?i:[0-9A-HJKMNP-TV-Z]{26})`, make: `[0-7][0-9A-HJKMNP-TV-Z]{25}`},
	{name: "uuid", expr: uuidExpr},
	{name: "uuid3", expr: uuid3},
	{name: "uuid4", expr: uuid4},
	{name: "uuid5", expr: uuid5},
	{name: "uuid_rfc4122", expr: `(?i:` + uuidExpr + `)`, make: uuidExpr},
	{name: "uuid3_rfc4122", expr: `(?i:` + uuid3 + `)`, make: uuid3},
	{name: "uuid4_rfc4122", expr: `(?i:` + uuid4 + `)`, make: uuid4},
	{name: "uuid5_rfc4122", expr: `(?i:` + uuid5 + `)`, make: uuid5},
}

func formatNamed(name string) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// format handles a word that says what a text looks like.
func (tag *Tag) format(w tagWord) bool {
	f := formatNamed(w.name)
	if f == nil || w.param != "" {
		return false
	}
	words := f.list()
	tag.texts = append(tag.texts, f.checks(words)...)
	switch {
	case f.adapt != nil:
		tag.adapt = f.adapt
	case f.abc != "" && tag.letters == "":
		tag.letters = f.abc
	case f.abc != "": // such as alphanum,lowercase: the letters that both have
		tag.letters = strings.Map(func(r rune) rune {
			if strings.ContainsRune(f.abc, r) {
				return r
			}
			return -1
		}, tag.letters)
		tag.noLetters = tag.noLetters || tag.letters == ""
	case len(words) > 0:
		tag.sources = append(tag.sources, func(r *rng.Rand) string { return words[r.Below(len(words))] })
	default:
		root := formatWorld(cmp.Or(f.make, f.expr)).Root
		tag.sources = append(tag.sources, func(r *rng.Rand) string { return string(root.sample(r, nil)) })
	}
	return true
}

// list returns the words of a format.
func (f *format) list() (all []string) {
	if f.code == 0 {
		return strings.Fields(f.words)
	}
	for i := 0; i < len(f.words); i += f.code {
		all = append(all, f.words[i:i+f.code])
	}
	return all
}

// checks returns what a text of the format satisfies.
func (f *format) checks(words []string) (all []textCheck) {
	add := func(may, is func(string) bool) { all = append(all, textCheck{may, is}) }
	if f.expr != "" {
		var is func(string) bool
		if f.sure != "" {
			is = wholeMatch(f.sure).MatchString
		}
		add(wholeMatch(f.expr).MatchString, is)
	}
	if f.ok != nil {
		add(f.ok, nil)
	}
	isWord := func(text string) bool { return slices.Contains(words, text) }
	switch {
	case f.few:
		add(func(string) bool { return true }, isWord)
	case len(words) > 0 && f.ok == nil:
		add(isWord, nil)
	}
	return all
}

// Expressions are compiled when a tag first needs them, and shared by all properties.
var wholeMatches, formatWorlds sync.Map

func wholeMatch(expr string) *regexp.Regexp {
	if re, ok := wholeMatches.Load(expr); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(`\A(?:` + expr + `)\z`)
	wholeMatches.Store(expr, re)
	return re
}

// formatWorld returns the world of texts that match an expression.
func formatWorld(expr string) *World {
	if w, ok := formatWorlds.Load(expr); ok {
		return w.(*World)
	}
	m, err := NewMatch(expr)
	if err != nil {
		panic("schema: format " + expr + ": " + err.Error())
	}
	w, err := Derive(reflect.TypeFor[string](), []Decl{{Type: reflect.TypeFor[string](), What: m}})
	if err != nil {
		panic("schema: format " + expr + ": " + err.Error())
	}
	formatWorlds.Store(expr, w)
	return w
}
