package tags

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-playground/validator/v10"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// stringer has the method that the validator calls for uuid.
type stringer [16]byte

func (s stringer) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:])
}

type name string

type box[T any] struct{ V T }

type inner struct {
	A int    `validate:"min=3"`
	B string `validate:"omitempty,email"`
}

// Embedded is a struct that others embed.
type Embedded struct {
	C string `validate:"required,iso4217"`
}

type embeds struct {
	Embedded
	hidden string `validate:"len=3"` // the validator does not look at it
	Skip   string `validate:"-"`
	D      name   `binding:"len=2" validate:"len=2"`
}

// fields are types of fields, each with the tags that allele uses for them.
var fields = []struct {
	of   reflect.Type
	tags []string
}{
	{reflect.TypeFor[string](), append(textWords, "iso3166_1_alpha3", "sha256", "sha384", "sha512",
		"uuid3", "uuid4", "uuid5", "uuid_rfc4122", "uuid3_rfc4122", "uuid5_rfc4122", "oneof=red 'light blue'", "omitempty,email", "email,omitempty", "max=3,omitempty", "omitnil,min=2", "omitzero,min=2",
		"contains=ab,max=4", "url,startswith=https://", "email,endswith=@example.com", "url,max=20", "email,min=40", "required,max=1", "containsrune=ab", "excludesrune=ab", "uppercase,email", "lowercase,excludesall=abc",
		"oneofci=Red Blue,lowercase", "email,containsany=!?")},
	{reflect.TypeFor[name](), []string{"required", "min=3", "oneof=a b", "email"}},
	{reflect.TypeFor[int](), append(numberWords, "omitempty,min=9", "min=9,omitempty", "max=5,omitempty", "omitnil,min=3")},
	{reflect.TypeFor[uint16](), []string{"required", "max=300", "max=70000", "gt=3,lt=9", "lte=5", "required,max=1", "port", "ne=70000"}},
	{reflect.TypeFor[int8](), []string{"min=-1000", "ne=200,max=200", "oneof=-3 200"}},
	{reflect.TypeFor[float64](), []string{"required", "gt=0", "gt=0,lt=1", "min=-1.5,max=1e9", "latitude", "longitude", "max=0", "min=0"}},
	{reflect.TypeFor[float32](), []string{"required", "gt=0.1", "lt=0.1", "min=0.1,max=0.3", "ne=0.1", "latitude"}},
	{reflect.TypeFor[time.Duration](), []string{"required", "min=1s,max=1m", "gt=0", "lt=5", "oneof=1 2"}},
	{reflect.TypeFor[time.Time](), []string{"required", "omitempty"}},
	{reflect.TypeFor[*time.Time](), []string{"required"}},
	{reflect.TypeFor[time.Month](), []string{"required", "min=3,max=5"}},
	{reflect.TypeFor[*big.Int](), []string{"required"}},
	{reflect.TypeFor[url.URL](), []string{"required"}},
	{reflect.TypeFor[*url.URL](), []string{"required"}},
	{reflect.TypeFor[netip.Addr](), []string{"required"}},
	{reflect.TypeFor[json.Number](), []string{"required"}},
	{reflect.TypeFor[json.RawMessage](), []string{"required"}},
	{reflect.TypeFor[net.IP](), []string{"required"}},
	{reflect.TypeFor[sql.NullString](), []string{"required"}},
	{reflect.TypeFor[io.Reader](), []string{"required"}},
	{reflect.TypeFor[bool](), []string{"required", "boolean"}},
	{reflect.TypeFor[any](), []string{"required", "omitempty"}},
	{reflect.TypeFor[error](), []string{"required"}},
	{reflect.TypeFor[complex128](), []string{"required"}},
	{reflect.TypeFor[[3]int](), []string{"required", "len=3", "min=2", "dive,min=1", "required,dive,oneof=0 1"}},
	{reflect.TypeFor[[2]bool](), []string{"required"}},
	{reflect.TypeFor[[16]byte](), []string{"required", "len=16"}},
	{reflect.TypeFor[[4]byte](), []string{"required"}},
	{reflect.TypeFor[stringer](), []string{"required"}},
	{reflect.TypeFor[inner](), []string{"required", "omitempty", "structonly"}},
	{reflect.TypeFor[embeds](), []string{"required", "omitempty"}},
	{reflect.TypeFor[box[string]](), []string{"required"}},
	{reflect.TypeFor[*inner](), []string{"required", "omitempty", "omitnil"}},
	{reflect.TypeFor[*string](), []string{"required", "omitempty,email", "min=3", "required,uuid4", "min=3,omitempty", "omitzero,min=2", "omitempty,required,max=4"}},
	{reflect.TypeFor[*int](), []string{"required", "omitempty,gte=5", "omitnil,ne=3"}},
	{reflect.TypeFor[**int](), []string{"required", "omitempty", "min=3"}},
	{reflect.TypeFor[*[]int](), []string{"required,min=1", "omitempty,min=2"}},
	{reflect.TypeFor[[]int](), append(listWords, "omitempty,min=2", "omitzero,min=2", "min=1,omitempty", "min=1,dive,oneof=1 2")},
	{reflect.TypeFor[[]bool](), []string{"unique", "unique,min=2"}},
	{reflect.TypeFor[[]float64](), []string{"unique", "required,unique,min=2,dive,max=0"}},
	{reflect.TypeFor[[]string](), []string{"unique,min=2,dive,oneof=a b c", "unique,dive,oneof=a b", "min=3,unique,dive,oneof=a b c", "dive,iso4217"}},
	{reflect.TypeFor[[]inner](), []string{"dive", "required,min=1,dive,required", "unique"}},
	{reflect.TypeFor[[]*inner](), []string{"dive,required", "min=2,dive"}},
	{reflect.TypeFor[[][]string](), []string{"required,dive,min=1,dive,email", "dive,unique,dive,oneof=a b"}},
	{reflect.TypeFor[[]byte](), []string{"required", "len=16", "max=3", "omitempty,len=3"}},
	{reflect.TypeFor[map[string]int](), append(mapWords, "dive,keys,alpha,endkeys,min=3", "min=2,dive,keys,oneof=a b,endkeys,max=5", "dive,keys,min=2,endkeys")},
	{reflect.TypeFor[map[bool]int](), []string{"len=2"}},
	{reflect.TypeFor[map[name]*inner](), []string{"dive,keys,len=2,endkeys,required", "required,dive"}},
}

var (
	textWords = strings.Fields(`required min=3 max=4 len=5 gt=2 lt=6 gte=2 lte=4 eq=abc ne=a oneof=a
		cidr cidrv4 cidrv6 fqdn hostname hostname_rfc1123 hostname_port ip ipv4 ipv6 mac uri url http_url url_encoded urn_rfc2141
		alpha alphanum alphanumunicode alphaunicode ascii printascii multibyte boolean lowercase uppercase number numeric hexadecimal
		base32 base64 base64url base64rawurl bic bcp47_language_tag credit_card cve dns_rfc1035_label e164 email eth_addr hexcolor html_encoded
		iso3166_1_alpha2 iso4217 json jwt latitude longitude md5 mongodb rgb semver ssn timezone ulid uuid uuid4_rfc4122
		startswith=ab endswith=yz contains=: containsany=!? containsrune=x startsnotwith=a endsnotwith=a excludes=a excludesall=abc excludesrune=b
		datetime=2006-01-02 oneofci=Red`)
	numberWords = []string{"required", "min=3", "max=-3", "gt=5", "lt=-5", "len=7", "eq=7", "ne=0", "gte=100", "lte=200", "oneof=3 5 7", "numeric", "number"}
	listWords   = []string{"required", "min=2", "max=3", "len=4", "gt=1", "lt=3", "eq=2", "unique", "dive,min=3", "dive,oneof=1 2"}
	mapWords    = []string{"required", "min=2", "max=3", "len=4", "gt=1", "lt=3", "eq=2"}
)

// With each tag, whatever the search or shrinking makes of an input: what allele takes for an
// input that satisfies the tag, the validator accepts, and most inputs are of this kind.
func TestShrinkingStaysInside(t *testing.T) {
	check := validator.New(validator.WithRequiredStructEnabled())
	for _, f := range fields {
		for _, tag := range f.tags {
			w, err := fieldWorld(f.of, tag)
			if err != nil || len(w.Notes) > 0 {
				t.Errorf("%v %s: %v %v", f.of, tag, err, w.Notes)
				continue
			}
			inside, wrong := 0, ""
			see := func(x term.Term) bool {
				if v, _ := w.Value(x); w.Inside(x) {
					if inside++; !accepts(check, v) {
						wrong = fmt.Sprintf("%+v", v)
					}
				}
				return term.Hash(x)%3 > 0
			}
			g := gen.New(w)
			const draws, shrunk = 30, 6
			for run := range uint64(draws) {
				if x := g.Term(rng.At(1, run), 12).Clone(); run >= draws-shrunk {
					shrink.Minimise(shrink.Config{World: w, Fails: see, RunsMax: 200}, x)
				} else {
					see(x)
				}
			}
			if wrong != "" || inside < (draws-shrunk)/2 {
				t.Errorf("%v %s: %d inside, the validator rejects %s", f.of, tag, inside, wrong)
			}
		}
	}
}

// For each pair of words, the validator accepts half of the inputs, or a note says that the tag
// is not used. If allele says that it is not, the validator accepts few inputs.
func TestPairs(t *testing.T) {
	check := validator.New()
	for _, f := range []struct {
		of    any
		words []string
	}{{"", textWords}, {0, numberWords}, {[]int{}, listWords}, {map[string]int{}, mapWords}} {
		pairs, unused := 0, 0
		for i, a := range f.words {
			for _, b := range f.words[i:] {
				if a == b || strings.Contains(a, "dive") {
					continue
				}
				pairs++
				w, err := fieldWorld(reflect.TypeOf(f.of), a+","+b)
				if err != nil {
					t.Fatal(err)
				}
				if len(w.Notes) > 0 {
					unused++
					if testing.Verbose() {
						t.Log(w.Notes[0])
					}
					continue
				}
				const draws = 16
				accepted, g, last := 0, gen.New(w), ""
				for run := range uint64(draws) {
					v, _ := w.Value(g.Term(rng.At(1, run), 8))
					if accepts(check, v) {
						accepted++
					} else {
						last = fmt.Sprintf("%+v", v)
					}
				}
				if accepted < draws/2 {
					t.Errorf("%T %s,%s: %d of %d accepted, not %s", f.of, a, b, accepted, draws, last)
				}
			}
		}
		t.Logf("%T: %d pairs, %d of them not used", f.of, pairs, unused)
	}
}

func fieldWorld(of reflect.Type, tag string) (*schema.World, error) {
	f := reflect.StructField{Name: "F", Type: of, Tag: reflect.StructTag(fmt.Sprintf("validate:%q", tag))}
	return schema.Derive(reflect.StructOf([]reflect.StructField{f}), nil)
}

// accepts reports whether the validator accepts a value. It panics if a word does not fit a type.
func accepts(check *validator.Validate, v reflect.Value) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return check.Struct(v.Interface()) == nil
}
