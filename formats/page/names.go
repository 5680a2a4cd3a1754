package page

import (
	"html"
	"strconv"
	"strings"
)

// Attr is an attribute of an element.
type Attr struct {
	Name  AttrName
	Value AttrValue
}

// AttrValue is the value of an attribute: a text if Text is not empty, a number, or one of the words that attributes have.
type AttrValue struct {
	Text   string
	Number int16
	Word   uint8
}

type (
	// Tag is the name of an element.
	Tag uint8
	// VoidTag is the name of an element without an end.
	VoidTag uint8
	// AttrName is the name of an attribute.
	AttrName uint8
)

var (
	tags = strings.Fields(`div p span b i em a h1 h2 h3 pre form select option blockquote center font label button
		abbr acronym address applet article aside audio bdi bdo big body canvas caption cite code colgroup datalist dd
		del details dfn dialog dir dl dt fieldset figcaption figure footer frameset h4 h5 h6 head header hgroup html
		iframe ins kbd legend li listing main map mark marquee menu meter nav nobr noframes noscript object ol optgroup
		output plaintext progress q rp rt ruby s samp section server servlet small strike strong style sub summary sup
		svg table tbody td template textarea tfoot th thead time title tr tt u ul var video xmp custom-element`)
	voidTags = strings.Fields(`br hr img input link meta area base basefont bgsound col embed frame isindex keygen
		nextid param source spacer track wbr`)
	attrNames = strings.Fields(`class id style title lang dir align valign width height href src alt name value type
		bgcolor border cellpadding cellspacing charset checked color cols colspan content coords data disabled face for
		frameborder http-equiv hspace language link longdesc maxlength media method multiple nohref noshade nowrap
		onclick onload profile readonly rel rev role rows rowspan rules scope scrolling selected shape size span start
		summary tabindex target text usemap vlink aria-label data-x itemprop xmlns xml:lang accesskey action accept`)
	attrWords = strings.Fields(`left right center top middle bottom justify en ltr rtl #ff0000 red 100% 2* get post
		text/css text/html text/javascript utf-8 http://a.b/c?d=e&f mailto:a@b javascript:x() _blank nofollow all none
		stylesheet 0,0,1,1 color:red;width:1px refresh content-type auto yes no`)
	entityNames = strings.Fields("amp lt gt quot nbsp copy eacute Alpha euro hellip apos lang zwj unknown")
)

// at returns one of some names.
func at[N ~uint8](names []string, i N) string { return names[int(i)%len(names)] }

// attributes returns the attributes of an element.
func attributes(all []Attr) (text string) {
	for _, p := range all {
		value := at(attrWords, p.Value.Word)
		switch {
		case p.Value.Text != "":
			value = p.Value.Text
		case p.Value.Number != 0:
			value = strconv.Itoa(int(p.Value.Number))
		}
		text += " " + at(attrNames, p.Name) + `="` + html.EscapeString(value) + `"`
	}
	return text
}
