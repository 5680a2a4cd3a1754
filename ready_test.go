//go:build go1.25

package allele_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/allele-go/allele"
)

// Types of the standard library need no declarations: their values are valid.
func TestReadyTypes(t *testing.T) {
	type config struct {
		Home    *url.URL
		Base    url.URL
		Net     netip.Prefix
		Peer    netip.AddrPort
		Name    *regexp.Regexp
		Extra   json.RawMessage
		Ratio   *big.Rat
		Share   big.Rat
		Timeout time.Duration
	}
	allele.Check(t, func(t *allele.T, in config) {
		if u, err := url.Parse(in.Home.String()); err != nil || !reflect.DeepEqual(u, in.Home) {
			t.Errorf("%v: %v, %v", in.Home, u, err)
		}
		in.Base.JoinPath("x")
		if !in.Net.Contains(in.Net.Masked().Addr()) || in.Peer.Addr().IsUnspecified() && !in.Peer.IsValid() {
			t.Errorf("%v, %v", in.Net, in.Peer)
		}
		if got := in.Name.ReplaceAllLiteralString("", ""); got != "" {
			t.Errorf("%v made %q of nothing", in.Name, got)
		}
		if _, err := json.Marshal(in.Extra); err != nil {
			t.Error(err)
		}
		if x := new(big.Rat).Add(in.Ratio, &in.Share); x.Sub(x, &in.Share).Cmp(in.Ratio) != 0 {
			t.Errorf("%v + %v", in.Ratio, &in.Share)
		}
		if d, err := time.ParseDuration(in.Timeout.String()); err != nil || d != in.Timeout {
			t.Errorf("%v: %v, %v", in.Timeout, d, err)
		}
	}, allele.Example(config{Home: &url.URL{Scheme: "http", Host: "example.com"}, Net: netip.MustParsePrefix("10.0.0.0/8"),
		Peer: netip.MustParseAddrPort("1.2.3.4:5"), Name: regexp.MustCompile(`(?m)^x`), Extra: json.RawMessage(`{"a": 1}`), Ratio: big.NewRat(1, 3)}))
}
