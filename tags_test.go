//go:build go1.25

package allele

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// signup has tags of the common kinds. The fields with other types are in package schema's tests.
type signup struct {
	Name   string   `validate:"required,min=3,max=32"`
	Email  string   `validate:"required,email"`
	Age    int      `validate:"gte=18,lte=130"`
	Colour string   `validate:"oneof=red green 'light blue'"`
	ID     string   `validate:"uuid4"`
	Home   *string  `validate:"omitempty,url"`
	Labels []string `binding:"max=3,dive,alphanum,min=2"`
	Terms  *bool    `binding:"required"`
}

var (
	emailText = regexp.MustCompile(`^[a-z0-9._+-]+@[a-z0-9.-]+\.[a-z]{2,}$`)
	uuidText  = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	labelText = regexp.MustCompile(`^[0-9a-zA-Z]{2,}$`)
)

// broken lists the fields of a signup that do not satisfy their tags, by the words of the validator.
func (s signup) broken() (fields []string) {
	n := utf8.RuneCountInString(s.Name)
	for field, ok := range map[string]bool{
		"Name":   n >= 3 && n <= 32,
		"Email":  emailText.MatchString(s.Email),
		"Age":    s.Age >= 18 && s.Age <= 130,
		"Colour": slices.Contains([]string{"red", "green", "light blue"}, s.Colour),
		"ID":     uuidText.MatchString(s.ID),
		"Home":   s.Home == nil || strings.Contains(*s.Home, "://"),
		"Labels": len(s.Labels) <= 3 && !slices.ContainsFunc(s.Labels, func(l string) bool { return !labelText.MatchString(l) }),
		"Terms":  s.Terms != nil,
	} {
		if !ok {
			fields = append(fields, field)
		}
	}
	slices.Sort(fields)
	return fields
}

// About seven inputs in eight satisfy all tags, and the others ignore all of them.
func TestTagsWeigh(t *testing.T) {
	valid, outside, distinct := 0, map[string]int{}, map[string]bool{}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in signup) {
			broken := in.broken()
			if distinct[in.Name+in.Email+in.ID] = true; len(broken) == 0 {
				valid++
			}
			for _, f := range broken {
				outside[f]++
			}
		})
	})
	if r.Failed() || valid < 840 || valid > 910 || len(distinct) < 990 {
		t.Errorf("%d of 1000 satisfy all tags, %d are distinct, outside: %v\n%s", valid, len(distinct), outside, r.text())
	}
	for _, f := range []string{"Name", "Email", "Age", "Colour", "ID"} {
		if outside[f] < 50 {
			t.Errorf("%s is outside of its tag in only %d inputs", f, outside[f])
		}
	}
}

// credit has tags that the property below breaks or not.
type credit struct {
	Owner string `validate:"required,min=3"`
	Limit int    `validate:"gte=10,lte=1000"`
	Notes []string
}

// A counterexample stays inside of the tags if an input there fails too, and says so if none does.
func TestTagsOfACounterexample(t *testing.T) {
	for seed := range Seed(8) { // some of them find an input outside of the tags first
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in credit) {
				if len(in.Notes) > 1 {
					t.Error("two notes")
				}
			}, seed)
		})
		if r.has(t, "two notes", `credit{Owner: "aaa", Limit: 10, Notes: []string{"", ""}}`); strings.Contains(r.text(), "breaks struct tags") {
			t.Errorf("seed %d:\n%s", seed, r.text())
		}
	}
	inEmptyPackage(t)
	outside := func(opts ...Option) *recorder {
		return recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in credit) {
				if in.Limit < 10 {
					t.Error("small")
				}
			}, opts...)
		})
	}
	note := `note: the input breaks struct tags: in.Limit (validate:"gte=10,lte=1000");`
	outside().has(t, "small", note, "one input in eight ignores tags", "allele.Given", `in := credit{Owner: "aaa"}`)
	outside(Tests(0)).has(t, "small", note, "from     testdata/allele/TestX/fail-") // a stored case runs though it breaks a tag
	os.RemoveAll("testdata")
	r := outside(Example(credit{Limit: 3}), Tests(0))
	r.has(t, "small", note, "allele.Given", "Example")
	if strings.Contains(r.text(), "one input in eight") { // this one was not generated
		t.Error(r.text())
	}
}

// Shrinking ends at the least values that satisfy the tags, whatever their types are.
func TestTagsOfALeastInput(t *testing.T) {
	type shipment struct {
		Country  string    `validate:"iso3166_1_alpha2"`
		Currency string    `validate:"required,iso4217"`
		ID       [16]byte  `validate:"required"`
		Short    [2]bool   `validate:"required"`
		Extra    any       `validate:"required"`
		Cause    error     `validate:"required"`
		From     harbour   `validate:"required"`
		Sent     time.Time `validate:"required"`
		Roles    []string  `validate:"unique,min=2,dive,oneof=a b"`
	}
	for seed := range Seed(4) {
		r := record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in shipment) { t.Error("fails") }, seed) })
		for _, zero := range []string{"Country: \"AA\"", "Currency: \"AAA\"", "breaks struct tags", "is not used"} {
			if strings.Contains(r.text(), zero) {
				t.Errorf("seed %d: %s in\n%s", seed, zero, r.text())
			}
		}
		r.has(t, "fails", "Country: ", "Currency: ", "ID: ", "Short: ", "Extra: ", "Cause: ", "From: ", "Sent: ", "Roles: ")
	}
}

type harbour struct{ X, Y int }

type tagged struct {
	N int    `validate:"gte=10,lte=20"`
	S string `validate:"oneof=a b"`
}

// A declaration takes precedence over a tag, for its field and for its type. Ignore turns all tags off.
func TestDeclarationsWinOverTags(t *testing.T) {
	for _, tt := range []struct {
		name    string
		opts    []Option
		n, text int // how many of 1000 inputs satisfy the tags, in hundreds
	}{
		{"no declaration", nil, 8, 8},
		{"constants for all properties", nil, 8, 8}, // as facts -write declares them
		{"ignored", []Option{Ignore{Tags: true}}, 0, 0},
		{"a range of the field", []Option{Field[tagged]("N", Range(30, 40))}, 0, 8},
		{"a range at a path", []Option{At("N", Range(30, 40))}, 0, 8},
		{"values of the type", []Option{Values("c", "d")}, 8, 0},
		{"a match of the field", []Option{At("S", Match[string]("[cd]"))}, 8, 0},
		{"a builder", []Option{Builder(func(x int16) tagged { return tagged{S: "a"} })}, 0, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "constants for all properties" {
				declared.opts = []Option{Likely("c", "d"), Likely(30, 40)}
				defer func() { declared.opts = nil }()
			}
			n, text := 0, 0
			r := record(t, "TestX", func(t testing.TB) {
				Check(t, func(t *T, in tagged) {
					if in.N >= 10 && in.N <= 20 {
						n++
					}
					if in.S == "a" || in.S == "b" {
						text++
					}
				}, append(tt.opts, AllowVacuous())...)
			})
			if n/100 != tt.n || text/100 != tt.text || r.Failed() {
				t.Errorf("%d numbers and %d texts satisfy the tags\n%s", n, text, r.text())
			}
		})
	}
}

// A tag with a word that is not known is not used at all, and a note says which.
func TestUnknownTags(t *testing.T) {
	type order struct {
		A int    `validate:"required_if=B x,min=1000"`
		B string `validate:"nonzero,regexp=^[a-z]$"`
		C string `binding:"hexcolor|rgb"`
		D []int  `validate:"dive,email"`
		E string `valid:"email" validate:"-"`
		F bool   `validate:"eqfield=G"`
	}
	fails := func(t *T, in order) { t.Error("fails") }
	r := record(t, "TestX", func(t testing.TB) { Check(t, fails) })
	r.has(t, "fails",
		`note: in.A: the tag validate:"required_if=B x,min=1000" is not used: the word required_if is not known`,
		`note: in.B: the tag validate:"nonzero,regexp=^[a-z]$" is not used: the word nonzero is not known`,
		`note: in.C: the tag binding:"hexcolor|rgb" is not used: hexcolor|rgb has alternatives`,
		`note: 2 more tags are not used, for reasons of this kind`)
	for name, opts := range map[string][]Option{
		"ignored":  {Ignore{Tags: true}},
		"declared": {At("A", Range(1, 2)), At("B", Match[string]("[a-z]+")), At("C", Values("#fff")), At("D", Range(1, 2)), At("F", Values(true))},
	} {
		if r := record(t, "TestX", func(t testing.TB) { Check(t, fails, opts...) }); strings.Contains(r.text(), "not used") {
			t.Error(name, r.text())
		}
	}
}
