//go:build go1.25

package schema

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// This file checks texts of formats that are not regular expressions, as the validator does.

// The codes of countries and currencies, one after the other.
const (
	countries2 = "" +
		"ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDM" +
		"DODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKN" +
		"KPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPM" +
		"PNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVI" +
		"VNVUWFWSXKYEYTZAZMZW"
	countries3 = "" +
		"ABWAFGAGOAIAALAALBANDAREARGARMASMATAATFATGAUSAUTAZEBDIBELBENBESBFABGDBGRBHRBHSBIHBLMBLRBLZBMUBOLBRABRBBRNBTNBVTBWACAFCAN" +
		"CCKCHECHLCHNCIVCMRCODCOGCOKCOLCOMCPVCRICUBCUWCXRCYMCYPCZEDEUDJIDMADNKDOMDZAECUEGYERIESHESPESTETHFINFJIFLKFRAFROFSMGABGBR" +
		"GEOGGYGHAGIBGINGLPGMBGNBGNQGRCGRDGRLGTMGUFGUMGUYHKGHMDHNDHRVHTIHUNIDNIMNINDIOTIRLIRNIRQISLISRITAJAMJEYJORJPNKAZKENKGZKHM" +
		"KIRKNAKORKWTLAOLBNLBRLBYLCALIELKALSOLTULUXLVAMACMAFMARMCOMDAMDGMDVMEXMHLMKDMLIMLTMMRMNEMNGMNPMOZMRTMSRMTQMUSMWIMYSMYTNAM" +
		"NCLNERNFKNGANICNIUNLDNORNPLNRUNZLOMNPAKPANPCNPERPHLPLWPNGPOLPRIPRKPRTPRYPSEPYFQATREUROURUSRWASAUSDNSENSGPSGSSHNSJMSLBSLE" +
		"SLVSMRSOMSPMSRBSSDSTPSURSVKSVNSWESWZSXMSYCSYRTCATCDTGOTHATJKTKLTKMTLSTONTTOTUNTURTUVTWNTZAUGAUKRUMIUNKURYUSAUZBVATVCTVEN" +
		"VGBVIRVNMVUTWLFWSMYEMZAFZMBZWE"
	currencies = "" +
		"AEDAFNALLAMDANGAOAARSAUDAWGAZNBAMBBDBDTBGNBHDBIFBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCLFCLPCNYCOPCOUCRCCUCCUPCVE" +
		"CZKDJFDKKDOPDZDEGPERNETBEURFJDFKPGBPGELGHSGIPGMDGNFGTQGYDHKDHNLHRKHTGHUFIDRILSINRIQDIRRISKJMDJODJPYKESKGSKHRKMFKPWKRWKWD" +
		"KYDKZTLAKLBPLKRLRDLSLLYDMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXNMXVMYRMZNNADNGNNIONOKNPRNZDOMRPABPENPGKPHPPKRPLNPYGQARRONRSD" +
		"RUBRWFSARSBDSCRSDGSEKSGDSHPSLLSOSSRDSSPSTNSVCSYPSZLTHBTJSTMTTNDTOPTRYTTDTWDTZSUAHUGXUSDUSNUYIUYUUYWUZSVESVNDVUVWSTXAFXAG" +
		"XAUXBAXBBXBCXBDXCDXDRXOFXPDXPFXPTXSUXTSXUAXXXYERZARZMWZWL"
)

func isAddr(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && a.Zone() == ""
}

func isAddr6(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && a.Zone() == "" && a.Is6() && !a.Is4In6()
}

func isPrefix(text string) bool {
	_, err := netip.ParsePrefix(text)
	return err == nil
}

// isNetwork reports whether a text is a prefix of IPv4 whose other bits are zero.
func isNetwork(text string) bool {
	p, err := netip.ParsePrefix(text)
	return err == nil && p.Addr().Is4() && p.Masked() == p
}

func isPrefix6(text string) bool {
	p, err := netip.ParsePrefix(text)
	return err == nil && p.Addr().Is6() && !p.Addr().Is4In6()
}

func isURI(text string) bool {
	text, _, _ = strings.Cut(text, "#")
	_, err := url.ParseRequestURI(text)
	return text != "" && err == nil
}

func isURL(text string) bool {
	u, err := url.Parse(strings.ToLower(text))
	switch {
	case err != nil || u.Scheme == "":
		return false
	case u.Scheme == "file":
		return u.Path != "" && u.Path != "/"
	}
	return u.Host != "" || u.Fragment != "" || u.Opaque != ""
}

// hasScheme reports whether an address has a host and one of some schemes.
func hasScheme(text string, schemes ...string) bool {
	u, err := url.Parse(strings.ToLower(text))
	return err == nil && u.Host != "" && slices.Contains(schemes, u.Scheme)
}

func isJSON(text string) bool { return json.Valid([]byte(text)) }

// isCard reports whether digits, with spaces between them, have the length and the checksum of the
// number of a card: every other digit is doubled, and the sum of all digits is a multiple of ten.
func isCard(text string) bool {
	digits := strings.ReplaceAll(text, " ", "")
	sum := 0
	for i, r := range digits {
		d := int(r - '0')
		if (len(digits)-i)%2 == 0 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	return len(digits) >= 12 && len(digits) <= 19 && sum%10 == 0
}
