//go:build go1.25

package schema_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/value/schema"
)

type (
	// moment writes whole seconds, and null if it is zero. Kubernetes has such a time.
	moment struct{ time.Time }
	// event embeds a time, and is more than that.
	event struct {
		time.Time
		Name string
	}
	// plain only embeds a time.
	plain struct{ time.Time }
	// portion is a number or a text. Kubernetes has such a type too.
	portion struct {
		Kind int64
		Num  int32
		Text string
	}
	// object is read and written as a JSON object.
	object struct {
		Name string
		n    int
	}
	// nullable reads and writes null if it is not valid.
	nullable struct{ sql.NullString }
	// holder is a message of gogo.
	holder struct {
		At      moment
		Until   *moment
		Portion portion
	}
)

func (m moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "%q", m.UTC().Format(time.RFC3339)), nil
}

func (m *moment) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*m = moment{}
		return nil
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	t, err := time.Parse(time.RFC3339, text)
	m.Time = t.Local()
	return err
}

func (p portion) MarshalJSON() ([]byte, error) {
	switch p.Kind {
	case 0:
		return json.Marshal(p.Num)
	case 1:
		return json.Marshal(p.Text)
	}
	return nil, errors.New("impossible kind")
}

func (p *portion) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		p.Kind = 1
		return json.Unmarshal(b, &p.Text)
	}
	p.Kind = 0
	return json.Unmarshal(b, &p.Num)
}

func (o object) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{"name": o.Name}) }

func (o *object) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &map[string]string{}) }

func (n nullable) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(n.String)
}

func (n *nullable) UnmarshalJSON(b []byte) error {
	n.Valid = string(b) != "null"
	return json.Unmarshal(b, &n.String)
}

func (*holder) ProtoMessage() {}

// kept returns a function that fails the test if a value is not the same after it is written as JSON and read.
func kept[V any](t *testing.T) func(V) (string, bool) {
	return func(v V) (string, bool) {
		b, err := json.Marshal(v)
		var again V
		if err != nil || json.Unmarshal(b, &again) != nil || !reflect.DeepEqual(v, again) {
			t.Errorf("%+v is written as %s (%v) and read as %+v", v, b, err, again)
		}
		return string(b), true
	}
}

// A method that a type got by embedding does not make its values if the type has such methods of its own, or
// other fields. A type that loses some values of its fields when it is written is made from texts, also in messages.
func TestTextualByOwnMethods(t *testing.T) {
	t.Run("its own method", func(t *testing.T) { readyBar(t, kept[moment](t)) })
	t.Run("one field says which of the others counts", func(t *testing.T) { readyBar(t, kept[portion](t)) })
	t.Run("in a message", func(t *testing.T) { readyBar(t, kept[holder](t)) })
	t.Run("beside functions that were found", func(t *testing.T) {
		readyBar(t, kept[portion](t), found(t, func(kind int64) portion { return portion{Kind: kind} })...)
	})
	for _, x := range []struct {
		in   any
		want schema.Kind
	}{{moment{}, schema.Made}, {event{}, schema.Struct}, {plain{}, schema.Made}, {portion{}, schema.Made}, {object{}, schema.Struct},
		{nullable{}, schema.Struct}} {
		if w, err := schema.Derive(reflect.TypeOf(x.in), nil); err != nil || w.Root.Kind != x.want {
			t.Errorf("%T: %v, kind %v, want %v", x.in, err, w.Root.Kind, x.want)
		}
	}
}

// The zero value is the least one, if the type reads what it writes for it. It is not generated behind a pointer if it is
// written as null.
func TestTextualZero(t *testing.T) {
	zeros := 0
	values(t, nil, 1000, func(m *moment, ok bool) {
		if ok && *m == (moment{}) {
			zeros++
		}
	})
	if zeros < 60 || zeros > 250 {
		t.Errorf("%d of 1,000 values are zero", zeros)
	}
	values(t, nil, 1000, func(m **moment, ok bool) {
		if ok && *m != nil && **m == (moment{}) {
			t.Fatal("a pointer to zero")
		}
	})
	for _, x := range []any{moment{}, portion{}, dotted{}} {
		w, err := schema.Derive(reflect.TypeOf(x), nil)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := w.Value(w.Root.Least); !ok || !v.IsZero() {
			t.Errorf("%T: the least value is %v", x, v)
		}
	}
	for _, x := range []any{&moment{}, holder{Until: &moment{}}, holder{Portion: portion{Kind: 7}}} {
		w, y, err := readBack(x)
		if err != nil {
			t.Errorf("%+v: %v", x, err)
			continue
		}
		if v, ok := w.Value(y); !ok || !reflect.DeepEqual(v.Interface(), x) {
			t.Errorf("%+v is built as %v", x, v)
		}
	}
}
