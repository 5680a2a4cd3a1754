package order

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func key(t *testing.T, name string) ed25519.PrivateKey {
	t.Helper()
	k, err := MakeKey(filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func public(k ed25519.PrivateKey) ed25519.PublicKey { return k.Public().(ed25519.PublicKey) }

// An agent obeys the owner's orders for its own campaign, and no others.
func TestOrder(t *testing.T) {
	owner, thief := key(t, "owner"), key(t, "thief")
	o := Order{Campaign: "tree", Number: 3, Bundle: strings.Repeat("ab", 32), Size: 5, Drain: true}
	text, err := Sign(owner, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Format = Format
	if got, err := Open(public(owner), "tree", text); err != nil || got != o {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := Open(public(thief), "tree", text); !errors.Is(err, ErrSignature) {
		t.Errorf("another key: %v", err)
	}
	if _, err := Open(nil, "tree", text); !errors.Is(err, ErrSignature) {
		t.Errorf("no key: %v", err)
	}
	if _, err := Open(public(owner), "list", text); err == nil || !strings.Contains(err.Error(), `not for "list"`) {
		t.Errorf("another campaign: %v", err)
	}
	for i := range text { // any change of a signed order is noticed
		changed := []byte(string(text))
		changed[i] ^= 1
		if got, err := Open(public(owner), "tree", changed); err == nil && got != o {
			t.Errorf("byte %d changed: %+v", i, got)
		}
	}
}

// Texts of others do not crash an agent, and orders that make no sense are errors.
func TestHostile(t *testing.T) {
	owner := key(t, "owner")
	for _, text := range []string{"", "{", "{}", `{"order":"","signature":""}`, `[]`, strings.Repeat("x", textMax+1), `{"else":1}`} {
		if _, err := Open(public(owner), "tree", []byte(text)); err == nil {
			t.Errorf("%.20q is an order", text)
		}
	}
	for _, o := range []Order{{}, {Campaign: "x", Number: 1, Size: 1, Bundle: "12"}, {Campaign: "x", Size: 1, Bundle: strings.Repeat("00", 32)}} {
		if _, err := Sign(owner, o); err == nil {
			t.Errorf("%+v is signed", o)
		}
	}
	newer, _ := json.Marshal(map[string]any{"format": Format + 1, "else": 1})
	text, _ := json.Marshal(envelope{newer, ed25519.Sign(owner, append([]byte(prefix), newer...))})
	if _, err := Open(public(owner), "tree", text); err == nil || !strings.Contains(err.Error(), "install a newer") {
		t.Errorf("a newer format: %v", err)
	}
}

// A key that others can read is refused, with the command that helps.
func TestKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "owner.key")
	first, err := MakeKey(file)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := MakeKey(file); err != nil || !again.Equal(first) {
		t.Errorf("the key has changed: %v", err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(file); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a key that all can read: %v", err)
	}
	if err := os.WriteFile(file, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := MakeKey(file); err == nil {
		t.Error("a file that is no key was replaced")
	}
}

// The time of an order decides which one is later, because numbers begin again after servers have lost all.
func TestAfter(t *testing.T) {
	noon := time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)
	old := Order{Number: 6, Time: noon}
	for _, c := range []struct {
		order Order
		want  bool // order is later than old
	}{
		{Order{Number: 1, Time: noon.Add(time.Second)}, true},
		{Order{Number: 7, Time: noon}, true},
		{old, false},
		{Order{Number: 5, Time: noon}, false},
		{Order{Number: 9, Time: noon.Add(-time.Second)}, false},
	} {
		if got := c.order.After(old); got != c.want {
			t.Errorf("order %d of %v: got %v", c.order.Number, c.order.Time, got)
		}
		if c.want && old.After(c.order) {
			t.Errorf("order %d of %v: both are later", c.order.Number, c.order.Time)
		}
	}
	for _, now := range []time.Time{noon.Add(time.Hour), noon, noon.Add(-time.Hour)} {
		if next := old.Next(now); next.Number != 7 || !next.After(old) {
			t.Errorf("at %v the next order is %d of %v", now, next.Number, next.Time)
		}
	}
}
