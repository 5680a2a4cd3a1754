//go:build go1.25

package schema

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"regexp"
	"strings"
	"sync"
)

// format is a word that says what a text looks like.
type format struct {
	name  string
	expr  string            // what whole texts match
	make  string            // what generated texts match, if not expr
	abc   string            // the letters of generated texts, if they may have any length
	words string            // what is generated, if make does not say it: words with a space between them
	ok    func(string) bool // what whole texts satisfy besides
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
	ip6Expr  = `[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*`
	ip6Make  = `(2001:db8|fe80|fd00)::[1-9a-f][0-9a-f]{0,3}|2001:db8(:[1-9a-f][0-9a-f]{0,3}){6}`
	portExpr = `(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})`
	urlExpr  = `[A-Za-z][A-Za-z0-9+.-]*:[^\s]+`
	urlMake  = `https?://` + fqdnMake + `(:[1-9][0-9]{1,3})?(/[a-z0-9._-]{1,6}){0,3}/?(\?[a-z]{1,3}=[a-z0-9]{0,3})?(#[a-z]{1,3})?`
	uuidHead = hex + `{8}-` + hex + `{4}-`
	uuidExpr = uuidHead + hex + `{4}-` + hex + `{4}-` + hex + `{12}`
	uuid3    = uuidHead + `3` + hex + `{3}-` + hex + `{4}-` + hex + `{12}`
	uuid4    = uuidHead + `4` + hex + `{3}-[89ab]` + hex + `{3}-` + hex + `{12}`
	uuid5    = uuidHead + `5` + hex + `{3}-[89ab]` + hex + `{3}-` + hex + `{12}`
	base64   = `([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})`
)

// formats lists the words in the order of the validator's documentation. Where the real check
// is not a regular expression, expr is a bit wider: a tag is broken for certain if expr does not
// match.
var formats = []format{
	{name: "cidr", expr: `(` + ip4Expr + `|` + ip6Expr + `)/[0-9]{1,3}`, make: ip4Expr + `/(3[0-2]|[12]?[0-9])`},
	{name: "cidrv4", expr: ip4Expr + `/(3[0-2]|[12]?[0-9])`,
		words: "10.0.0.0/8 192.168.0.0/16 172.16.0.0/12 127.0.0.1/32 0.0.0.0/0 203.0.113.0/24"},
	{name: "cidrv6", expr: ip6Expr + `/[0-9]{1,3}`, words: "::/0 ::1/128 2001:db8::/32 fe80::/10 fd00::/8"},
	{name: "fqdn", expr: hostExpr + `\.[a-zA-Z][a-zA-Z0-9]{0,62}\.?`, make: fqdnMake},
	{name: "hostname", expr: `[a-zA-Z]([a-zA-Z0-9-]+\.?)*[a-zA-Z0-9]`, make: `[a-z]` + hostMake},
	{name: "hostname_rfc1123", expr: hostExpr, make: hostMake},
	{name: "hostname_port", expr: `(` + hostExpr + `)?:` + portExpr, make: hostMake + `:[1-9][0-9]{0,3}`},
	{name: "ip", expr: ip4Expr + `|` + ip6Expr, make: ip4Expr + `|` + ip6Make, ok: isAddr},
	{name: "ipv4", expr: ip4Expr},
	{name: "ipv6", expr: ip6Expr, make: ip6Make, ok: isAddr},
	{name: "mac", expr: `[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5,19}|[0-9A-Fa-f]{4}(\.[0-9A-Fa-f]{4}){2,9}`,
		make: hex + `{2}(:` + hex + `{2}){5}`},
	{name: "uri", expr: urlExpr, make: urlMake},
	{name: "url", expr: urlExpr, make: urlMake},
	{name: "http_url", expr: `(?i:https?)://[^\s]+`, make: urlMake},
	{name: "https_url", expr: `(?i:https)://[^\s]+`, make: `https://` + fqdnMake + `(/[a-z0-9._-]{1,6}){0,3}`},
	{name: "url_encoded", expr: `([^%]|%[0-9A-Fa-f]{2})*`, make: `([a-z0-9]|%[2-7][0-9A-F]){1,8}`},
	{name: "urn_rfc2141", expr: `(?i:urn):[^\s]+`, make: `urn:[a-z]{2,6}:[a-z0-9]{1,6}(:[0-9]{1,3})?`},

	{name: "alpha", expr: `[a-zA-Z]+`, abc: lower + upper},
	{name: "alphaspace", expr: `[a-zA-Z ]+`, abc: lower + upper + " "},
	{name: "alphanum", expr: `[a-zA-Z0-9]+`, abc: lower + upper + digits},
	{name: "alphanumspace", expr: `[a-zA-Z0-9 ]+`, abc: lower + upper + digits + " "},
	{name: "alphanumunicode", expr: `[\pL\pN]+`, abc: lower + digits + "ßéİ世"},
	{name: "alphaunicode", expr: `\pL+`, abc: lower + upper + "ßéİ世"},
	{name: "ascii", expr: `[\x00-\x7f]*`, abc: lower + upper + digits + " .,-_/\\\"'<>\n\t"},
	{name: "printascii", expr: `[ -~]*`, abc: lower + upper + digits + " .,-_/\\\"'<>%"},
	{name: "multibyte", expr: `(?s).*[^\x00-\x7f].*`, abc: "ßéİ世🙂"},
	{name: "boolean", expr: `1|t|T|true|TRUE|True|0|f|F|false|FALSE|False`},
	{name: "lowercase", expr: `[^\p{Lu}]+`, abc: lower + digits + " .-_"},
	{name: "uppercase", expr: `[^\p{Ll}]+`, abc: upper + digits + " .-_"},
	{name: "number", expr: `[0-9]+`, abc: digits},
	{name: "numeric", expr: `[-+]?[0-9]+(\.[0-9]+)?`, abc: digits},
	{name: "hexadecimal", expr: `(0[xX])?[0-9a-fA-F]+`, abc: digits + "abcdefABCDEF"},

	{name: "base32", expr: `([A-Z2-7]{8})*([A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=|[A-Z2-7]{8})`,
		make: `([A-Z2-7]{8}){1,3}`},
	{name: "base64", expr: base64, make: `([A-Za-z0-9]{4}){1,4}`},
	{name: "base64url", expr: `([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=|[A-Za-z0-9_-]{4})`,
		make: `([A-Za-z0-9]{4}){1,4}`},
	{name: "base64rawurl", expr: `([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?`, make: `([A-Za-z0-9_-]{4}){1,4}`},
	{name: "bic", expr: `[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?`, make: `[A-Z]{6}[A-Z2-9][A-NP-Z0-9]`},
	{name: "bcp47_language_tag", expr: `[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*`,
		words: "en de fr ja zh pt-BR en-US de-CH zh-Hant sr-Latn-RS"},
	{name: "credit_card", expr: `[0-9 ]{13,30}`,
		words: "4111111111111111 5555555555554444 378282246310005 6011111111111117 30569309025904"},
	{name: "cve", expr: `CVE-(1999|2[0-9]{3})-(0[0-9]{3}|[1-9][0-9]{3,})`},
	{name: "dns_rfc1035_label", expr: `[a-z]([-a-z0-9]{0,61}[a-z0-9])?`, make: `[a-z]([-a-z0-9]{0,8}[a-z0-9])?`},
	{name: "e164", expr: `\+[1-9][0-9]{7,14}`},
	{name: "email", expr: "[^\\s@\"(),:;<>\\[\\]\\\\]+@" + `[^\s@]+\.[^\s@.]{2,}|".+"@[^\s@]+\.[^\s@.]{2,}`,
		make: `[a-z][a-z0-9]{0,5}([._+-][a-z0-9]{1,4})?@` + fqdnMake},
	{name: "eth_addr", expr: `0x[0-9a-fA-F]{40}`},
	{name: "hexcolor", expr: `#(` + `[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})`},
	{name: "html_encoded", expr: `&#?(x[0-9a-fA-F]+|[0-9A-Za-z]+);?`, make: `&#([1-9][0-9]{1,3}|x[1-9a-f][0-9a-f]);`},
	{name: "iso3166_1_alpha2", expr: `[A-Z]{2}`, words: "US DE FR GB JP CN BR IN CH ZA"},
	{name: "iso3166_1_alpha3", expr: `[A-Z]{3}`, words: "USA DEU FRA GBR JPN CHN BRA IND CHE ZAF"},
	{name: "iso4217", expr: `[A-Z]{3}`, words: "USD EUR GBP JPY CHF CNY INR BRL SEK KWD"},
	{name: "json", expr: `(?s).+`, ok: isJSON,
		make: `\{\}|\[\]|null|true|[1-9][0-9]{0,3}|"[a-z]{0,4}"|\{"[a-z]{1,3}":[1-9]\}|\[[1-9](,"[a-z]{1,3}"){0,2}\]`},
	{name: "jwt", expr: `[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`,
		make: `eyJ[A-Za-z0-9]{8}\.eyJ[A-Za-z0-9]{8}\.[A-Za-z0-9_-]{12}`},
	{name: "latitude", expr: `[-+]?([1-8]?[0-9](\.[0-9]+)?|90(\.0+)?)`, make: `-?[1-8]?[0-9](\.[0-9]{1,4})?`},
	{name: "longitude", expr: `[-+]?(180(\.0+)?|(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]+)?)`,
		make: `-?(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]{1,4})?`},
	{name: "md5", expr: hex + `{32}`},
	{name: "mongodb", expr: hex + `{24}`},
	{name: "rgb", expr: `rgb\(.*\)`, make: `rgb\((25[0-5]|1?[1-9]?[0-9]),(1?[1-9]?[0-9]),(1?[1-9]?[0-9])\)`},
	{name: "semver", expr: `v?[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?`,
		make: `(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)(-(alpha|beta|rc\.[1-9]))?`},
	{name: "sha256", expr: hex + `{64}`},
	{name: "sha384", expr: hex + `{96}`},
	{name: "sha512", expr: hex + `{128}`},
	{name: "ssn", expr: `[0-9]{3}[ -]?[0-9]{2}[ -]?[0-9]{4}`, make: `[1-5][0-9]{2}-[1-9]{2}-[1-9]{4}`},
	{name: "timezone", expr: `UTC|GMT|[A-Z][A-Za-z_]*/[A-Za-z0-9_+/-]+`,
		words: "UTC Europe/Berlin America/New_York Asia/Tokyo Asia/Kolkata"},
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

func isAddr(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && a.Zone() == ""
}

func isJSON(text string) bool { return json.Valid([]byte(text)) }

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
	if tag.texts = append(tag.texts, wholeMatch(f.expr).MatchString); f.ok != nil {
		tag.texts = append(tag.texts, f.ok)
	}
	switch {
	case f.abc != "" && tag.Letters == "":
		tag.Letters = f.abc
	case f.abc != "": // such as alphanum,lowercase: the letters that both have
		tag.Letters = strings.Map(func(r rune) rune {
			if strings.ContainsRune(f.abc, r) {
				return r
			}
			return -1
		}, tag.Letters)
	case f.words != "":
		tag.Format = formatWorld(strings.NewReplacer(".", `\.`, "+", `\+`, " ", "|").Replace(f.words))
	case f.make != "":
		tag.Format = formatWorld(f.make)
	default:
		tag.Format = formatWorld(f.expr)
	}
	return true
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
	w, err := Derive(reflect.TypeFor[string](), []Decl{{Type: reflect.TypeFor[string](), Match: m}})
	if err != nil {
		panic("schema: format " + expr + ": " + err.Error())
	}
	formatWorlds.Store(expr, w)
	return w
}
