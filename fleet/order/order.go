// Package order has what the owner of a campaign orders its agents to do: which bundle to run, or to
// stop. Agents run the programs in a bundle, so an order is signed with the owner's key, and an agent
// obeys only the key that its credential names. Neither a server nor a worker can make an agent run
// anything else.
//
//	text, err := order.Sign(key, o)     // allele-fleet submit
//	o, err := order.Open(owner, text)   // an agent
package order

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"time"
)

// Format is the version of the format.
const Format = 1

// StateName is the name of the state, in the transport, that holds the order.
const StateName = "order"

// An Order is what agents do.
type Order struct {
	Format   int       `json:"format"`
	Campaign string    `json:"campaign"`
	Number   int       `json:"number"` // counts the orders of a campaign
	Bundle   string    `json:"bundle"` // SHA-256 of the bundle, in hexadecimal
	Size     int64     `json:"size"`   // of the bundle in bytes
	Drain    bool      `json:"drain"`  // agents stop searching
	Time     time.Time `json:"time"`   // agents ignore earlier ones
}

// After reports whether an order is later than another. The time decides, and for the same time the
// number: the numbers begin again at 1 if the servers have lost all and the owner submits again.
func (o Order) After(other Order) bool {
	if !o.Time.Equal(other.Time) {
		return o.Time.After(other.Time)
	}
	return o.Number > other.Number
}

// Next returns an order that is later than this one, and otherwise the same. A clock that was set back
// does not matter.
func (o Order) Next(now time.Time) Order {
	if o.Number++; !now.After(o.Time) {
		now = o.Time.Add(time.Nanosecond)
	}
	o.Time = now.UTC()
	return o
}

// envelope is a signed order.
type envelope struct {
	Order     []byte `json:"order"`
	Signature []byte `json:"signature"`
}

// prefix begins what is signed, so that a signature is good for nothing else.
const prefix = "allele-fleet order\n"

// textMax bounds a signed order.
const textMax = 64 << 10

// Sign signs an order.
func Sign(key ed25519.PrivateKey, o Order) ([]byte, error) {
	o.Format = Format
	if err := o.check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return json.Marshal(envelope{text, ed25519.Sign(key, append([]byte(prefix), text...))})
}

// ErrSignature means that an order is not from the owner.
var ErrSignature = errors.New("the order is not signed by the owner of the campaign; nothing was run. " +
	"If the owner has a new key, grant this host a new credential")

// Open verifies a signed order of a campaign.
func Open(owner ed25519.PublicKey, campaign string, text []byte) (o Order, err error) {
	var e envelope
	if len(text) > textMax {
		return o, fmt.Errorf("order: %d bytes, more than %d", len(text), textMax)
	}
	if err := strict(text, &e); err != nil {
		return o, fmt.Errorf("order: %w", err)
	}
	if len(owner) != ed25519.PublicKeySize || !ed25519.Verify(owner, append([]byte(prefix), e.Order...), e.Signature) {
		return o, ErrSignature
	}
	var head struct{ Format int }
	if err := json.Unmarshal(e.Order, &head); err == nil && head.Format > Format {
		return o, fmt.Errorf("order: format %d, this version reads %d; install a newer allele-fleet on this host", head.Format, Format)
	}
	if err := strict(e.Order, &o); err != nil {
		return Order{}, fmt.Errorf("order: %w", err)
	}
	if o.Campaign != campaign {
		return Order{}, fmt.Errorf("order: it is for campaign %q, not for %q", o.Campaign, campaign)
	}
	return o, o.check()
}

func strict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// check returns an error for an order that makes no sense.
func (o Order) check() error {
	if hash, err := hex.DecodeString(o.Bundle); err != nil || len(hash) != 32 {
		return fmt.Errorf("order: bundle %q is not a SHA-256", o.Bundle)
	}
	if o.Number < 1 || o.Size < 1 || o.Campaign == "" {
		return fmt.Errorf("order: number %d, size %d, campaign %q", o.Number, o.Size, o.Campaign)
	}
	return nil
}

const pemType = "ALLELE FLEET OWNER KEY"

// MakeKey returns the owner's key in a file, and makes a new one if there is no file.
func MakeKey(file string) (ed25519.PrivateKey, error) {
	key, err := LoadKey(file)
	if !errors.Is(err, os.ErrNotExist) {
		return key, err
	}
	_, key, err = ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	err = pem.Encode(out, &pem.Block{Type: pemType, Bytes: key.Seed()})
	return key, errors.Join(err, out.Sync(), out.Close())
}

// LoadKey reads the owner's key.
func LoadKey(file string) (ed25519.PrivateKey, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: other users can read this key; run: chmod 600 %s", file, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != pemType || len(block.Bytes) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s: not the key of an owner", file)
	}
	return ed25519.NewKeyFromSeed(block.Bytes), nil
}
