package data

import (
	"bytes"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"strings"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/formats/internal/escape"
	"github.com/allele-go/allele/formats/markup"
)

// Element is an element of ASN.1: one of Integer, OctetString, UTF8String, OID, BitString and Sequence.
type Element interface{ der() ([]byte, error) }

// Elements declares what an Element can be.
var Elements = allele.Variants[Element](Integer{}, OctetString{}, UTF8String(""), OID{}, BitString{}, Sequence{})

type (
	// Integer is a whole number of any size.
	Integer []byte
	// OctetString is bytes.
	OctetString []byte
	// UTF8String is a text.
	UTF8String string
	// OID is an object identifier.
	OID []uint16
	// BitString is bits, without the Spare ones of the last byte.
	BitString struct {
		Bytes []byte
		Spare uint8
	}
	// Sequence is a list of elements.
	Sequence struct {
		Items []Element
		Set   bool
		Tag   uint8 // of an element of a class of its own; 0 means none
	}
)

func (v Integer) der() ([]byte, error)     { return asn1.Marshal(new(big.Int).SetBytes(v)) }
func (v OctetString) der() ([]byte, error) { return asn1.Marshal([]byte(v)) }

func (v UTF8String) der() ([]byte, error) {
	return asn1.MarshalWithParams(strings.ToValidUTF8(string(v), "?"), "utf8")
}

func (v OID) der() ([]byte, error) {
	id := asn1.ObjectIdentifier{1, 2}
	for _, n := range v {
		id = append(id, int(n))
	}
	return asn1.Marshal(id)
}

func (v BitString) der() ([]byte, error) {
	return asn1.Marshal(asn1.BitString{Bytes: v.Bytes, BitLength: max(0, 8*len(v.Bytes)-int(v.Spare%8))})
}

func (v Sequence) der() ([]byte, error) {
	var body []byte
	for _, x := range v.Items {
		if x == nil {
			continue
		}
		b, err := x.der()
		if err != nil {
			return nil, err
		}
		body = append(body, b...)
	}
	raw := asn1.RawValue{Tag: asn1.TagSequence, IsCompound: true, Bytes: body}
	if v.Set {
		raw.Tag = asn1.TagSet
	}
	if v.Tag > 0 {
		raw.Class, raw.Tag = asn1.ClassContextSpecific, int(v.Tag%31)
	}
	return asn1.Marshal(raw)
}

// DER encodes elements.
func DER(v Sequence) ([]byte, error) { return v.der() }

// Block is a PEM block.
type Block struct {
	Type    string
	Headers []markup.Attr // the name spaces of their names are not written
	Body    Sequence
}

// PEM encodes blocks.
func PEM(v []Block) ([]byte, error) {
	var b bytes.Buffer
	for _, x := range v {
		body, err := x.Body.der()
		if err != nil {
			return nil, err
		}
		headers := map[string]string{}
		for _, h := range x.Headers {
			headers[escape.Name(h.Name.Local, "Key")] = strings.ReplaceAll(h.Value, "\n", " ")
		}
		kind := strings.ToUpper(escape.Name(x.Type, "CERTIFICATE"))
		if err := pem.Encode(&b, &pem.Block{Type: kind, Headers: headers, Bytes: body}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
