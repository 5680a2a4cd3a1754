package protos

import (
	"testing"
	"time"

	"github.com/allele-go/allele"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/allele-go/allele/eval/protos/testdata/legacy"
	"github.com/allele-go/allele/eval/protos/testdata/shop"
	"github.com/allele-go/allele/eval/protos/testdata/shopopaque"
)

// same fails if a message is not the same after it is written and read, in the wire format and in JSON.
func same(t *allele.T, in proto.Message) {
	b, err := proto.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	out := in.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(b, out); err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(in, out) {
		t.Fatalf("wire: got %v", out)
	}
	if b, err = protojson.Marshal(in); err != nil {
		t.Fatal(err)
	}
	out = in.ProtoReflect().New().Interface()
	if err := protojson.Unmarshal(b, out); err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(in, out) {
		t.Fatalf("JSON: got %v", out)
	}
}

// seen counts the inputs with certain features. A row with want 0 must not be seen, others at least so often.
type seen []struct {
	what string
	want int
	have *int
}

func (s seen) check(t *testing.T) {
	for _, row := range s {
		if *row.have < row.want || row.want == 0 && *row.have > 0 {
			t.Errorf("%s: %d inputs, want %d or, if that is 0, none", row.what, *row.have, row.want)
		}
	}
}

// Messages of the module under test derive, and are valid.
func TestShop(t *testing.T) {
	var card, unknown, known, negative, subsecond, detail, paths, items, nested, awkward int
	allele.Check(t, func(t *allele.T, in *shop.Order) {
		if in == nil {
			return
		}
		same(t, in)
		count := func(n *int, when bool) {
			if when {
				*n++
			}
		}
		count(&card, in.GetCard() != nil)
		count(&known, in.Status == shop.Status_STATUS_SHIPPED)
		count(&unknown, shop.Status_name[int32(in.Status)] == "")
		count(&negative, in.Timeout.AsDuration() < 0)
		count(&subsecond, in.Timeout.AsDuration()%time.Second != 0)
		count(&detail, in.Detail.GetTypeUrl() == "type.googleapis.com/allele.shop.Order")
		count(&paths, len(in.Mask.GetPaths()) > 1)
		count(&items, len(in.Items) > 1)
		_, isStruct := in.Value.GetKind().(*structpb.Value_StructValue)
		count(&nested, isStruct)
		count(&awkward, len(in.ProtoReflect().GetUnknown()) > 0)
	}, allele.Tests(5000))
	seen{
		{"a card in the oneof", 50, &card},
		{"the constant 40", 500, &known},
		{"an unknown number", 10, &unknown},
		{"a negative duration", 20, &negative},
		{"parts of a second", 20, &subsecond},
		{"an Any of a known message", 20, &detail},
		{"a mask of two paths", 20, &paths},
		{"two items", 50, &items},
		{"an object of JSON", 20, &nested},
		{"unknown fields", 0, &awkward},
	}.check(t)
}

// Required fields are set, and the numbers of a closed enum are those that it has.
func TestLegacy(t *testing.T) {
	var points, frames, blue int
	allele.Check(t, func(t *allele.T, in *legacy.Shape) {
		if in == nil {
			return
		}
		same(t, in)
		points += min(1, len(in.Points))
		if in.Frame != nil && in.Frame.Inner != nil {
			frames++
		}
		if in.GetSolid() == legacy.Colour_BLUE {
			blue++
		}
	}, allele.Tests(5000))
	seen{{"points", 1000, &points}, {"a frame in a frame", 100, &frames}, {"blue", 100, &blue}}.check(t)
}

// Messages with hidden fields derive too.
func TestOpaque(t *testing.T) {
	var card, unset, zero, items, number int
	allele.Check(t, func(t *allele.T, in *shopopaque.Order) {
		if in == nil {
			return
		}
		same(t, in)
		switch {
		case in.GetCard() != nil:
			card++
		case !in.HasDiscount():
			unset++
		case in.GetDiscount() == 0:
			zero++
		}
		items += len(in.GetItems())
		if in.GetStatus() == shopopaque.Status_STATUS_SHIPPED {
			number++
		}
	}, allele.Tests(5000))
	seen{
		{"a card in the oneof", 50, &card}, {"no discount", 100, &unset}, {"discount 0", 20, &zero}, {"items", 100, &items},
		{"the constant 40", 500, &number},
	}.check(t)
}
