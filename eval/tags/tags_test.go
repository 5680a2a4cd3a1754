package tags

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The validator accepts seven in eight of the inputs with a tag, and allele says of nearly every
// input correctly whether it satisfies the tag. The words are those that both know.
func TestWords(t *testing.T) {
	texts := strings.Fields(`required min=3 max=4 len=5 gt=2 lt=6 gte=2,lte=4 eq=abc ne=a oneof=a,max=3
		cidr cidrv4 cidrv6 fqdn hostname hostname_rfc1123 hostname_port ip ipv4 ipv6 mac uri url http_url url_encoded urn_rfc2141
		alpha alphanum alphanumunicode alphaunicode ascii printascii multibyte boolean lowercase uppercase number numeric hexadecimal
		base32 base64 base64url base64rawurl bic bcp47_language_tag credit_card cve dns_rfc1035_label e164 email eth_addr hexcolor html_encoded
		iso3166_1_alpha2 iso3166_1_alpha3 iso4217 json jwt latitude longitude md5 mongodb rgb semver sha256 sha384 sha512 ssn timezone ulid
		uuid uuid3 uuid4 uuid5 uuid_rfc4122 uuid3_rfc4122 uuid4_rfc4122 uuid5_rfc4122
		startswith=ab endswith=yz contains=: containsany=!? startsnotwith=a endsnotwith=a excludes=a excludesall=abc
		datetime=2006-01-02 alphanum,lowercase alpha,min=3,max=9 hexadecimal,len=32 startswith=ab,max=5 email,max=30 oneofci=Red`)
	for _, c := range []struct {
		of   any
		tags []string
	}{
		{"", append(texts, "oneof=red 'light blue'", "omitempty,email")},
		{0, []string{"required", "min=3", "max=-3", "gt=5", "lt=-5", "len=7", "eq=7", "ne=0", "gte=100,lte=200", "oneof=3 5 7", "omitempty,min=9"}},
		{uint32(0), []string{"port"}},
		{uint16(0), []string{"required", "max=300", "max=70000", "gt=3,lt=9", "lte=5"}},
		{1.0, []string{"required", "gt=0", "gt=0,lt=1", "min=-1.5,max=1e9", "latitude", "longitude"}},
		{struct {
			A bool `validate:"required"`
			N int16
		}{}, []string{"required"}},
		{[]int{}, []string{"required", "min=2", "max=3", "len=4", "unique", "omitempty,min=2", "dive,min=3", "min=1,dive,oneof=1 2"}},
		{map[string]int{}, []string{"required", "min=2", "max=3", "dive,keys,alpha,endkeys,min=3"}},
		{[]byte{}, []string{"required", "len=16", "max=3"}},
		{new(string), []string{"required", "omitempty,email", "min=3", "required,uuid4"}},
		{new(int), []string{"required", "omitempty,gte=5", "omitnil,ne=3"}},
		{[][]string{}, []string{"required,dive,min=1,dive,email"}},
		{struct{ A int }{}, []string{"required", "omitempty"}},
	} {
		for _, tag := range c.tags {
			typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeOf(c.of), Tag: reflect.StructTag(fmt.Sprintf("validate:%q", tag))}})
			s, err := guarded(typ)
			if err != nil || s.unused > 0 {
				t.Errorf("%T %s: %v, %d unused", c.of, tag, err, s.unused)
				continue
			}
			if s.accepted*8 < s.all*6 || s.wrong*30 > s.all {
				t.Errorf("%T %s: %d of %d accepted, wrong about %d", c.of, tag, s.accepted, s.all, s.wrong)
			}
		}
	}
}

// guarded draws inputs. The validator panics if a word does not fit a type.
func guarded(t reflect.Type) (s sample, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return draw(t, nil, 1, 400)
}
