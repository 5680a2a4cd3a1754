package everyday

// row is a type that Go programs have, as the input of a property without a declaration.
type row struct {
	name     string   // of the package
	about    string   // in the table
	modules  []string // path and version of what it requires
	imports  []string // of the test, beside the library
	source   string   // the user's own package, without the package clause
	in       string   // type of the input
	meets    string   // body of func(in) bool: the input is one that a test can use
	distinct int      // distinct inputs of 1,000 that meet it; 0 means distinctBar
	quick    bool
	copied   string // a package of a required module that is copied into the user's module as its package pb

	advice  string   // options that make the input useful, if the type does not derive usefully
	needs   []string // imports of the advice
	because string   // why it needs them
}

const (
	protobuf   = "google.golang.org/protobuf v1.36.9"
	rpc        = "google.golang.org/genproto/googleapis/rpc v0.0.0-20250922171735-9219d122eba9"
	googleapis = "google.golang.org/genproto/googleapis/api v0.0.0-20250922171735-9219d122eba9"
	raft       = "go.etcd.io/raft/v3 v3.6.0"
	uuid       = "github.com/google/uuid v1.6.0"
	decimal    = "github.com/shopspring/decimal v1.4.0"
	machinery  = "k8s.io/apimachinery v0.34.1"
	k8s        = "k8s.io/api v0.34.1"
	validator  = "github.com/go-playground/validator/v10 v10.27.0"
	semver     = "github.com/Masterminds/semver/v3 v3.4.0"
)

// protoRound is a measure of messages, in addition to what they must contain.
const protoRound = `
data, err := proto.Marshal(in)
out := in.ProtoReflect().New().Interface()
return err == nil && proto.Unmarshal(data, out) == nil && proto.Equal(in, out)`

// smallFirst is why the first thousand inputs of a search are smaller than those of go test.
const smallFirst = "a search also changes inputs that it has kept, and the first ones are small"

// The list was fixed before anything was changed for these types.
var rows = []row{
	{name: "ownmessage", about: "protobuf message of the user's own module", modules: []string{protobuf, rpc},
		imports: []string{"pb types/ownmessage/pb", "google.golang.org/protobuf/proto"}, copied: "errdetails",
		in: "*pb.BadRequest", meets: "if len(in.GetFieldViolations()) == 0 {\n\treturn false\n}" + protoRound},
	{name: "message", about: "protobuf message of another module", modules: []string{protobuf, googleapis},
		imports: []string{"google.golang.org/genproto/googleapis/api/annotations", "google.golang.org/protobuf/proto"},
		in:      "*annotations.Http", meets: "if len(in.GetRules()) == 0 {\n\treturn false\n}" + protoRound},
	{name: "oneof", about: "protobuf oneof (structpb.Value)", modules: []string{protobuf},
		imports: []string{"google.golang.org/protobuf/types/known/structpb", "google.golang.org/protobuf/proto"},
		in:      "*structpb.Value", meets: "if in.GetKind() == nil {\n\treturn false\n}" + protoRound},
	{name: "gogo", about: "message of gogo/protobuf (raftpb.Message)", modules: []string{raft},
		imports: []string{"bytes", "go.etcd.io/raft/v3/raftpb"},
		in:      "raftpb.Message", meets: `data, err := in.Marshal()
var out raftpb.Message
if err != nil || out.Unmarshal(data) != nil {
	return false
}
again, err := out.Marshal()
return err == nil && bytes.Equal(again, data) && len(in.Entries) > 0`},
	{name: "enum", about: "protobuf enum (code.Code)", modules: []string{protobuf, rpc},
		imports: []string{"google.golang.org/genproto/googleapis/rpc/code"},
		in:      "[]code.Code", meets: `for _, c := range in {
	if code.Code_name[int32(c)] == "" {
		return false
	}
}
return len(in) > 0`},
	{name: "month", about: "[]time.Month", imports: []string{"time"}, quick: true,
		in: "[]time.Month", meets: `for _, m := range in {
	if m < time.January || m > time.December {
		return false
	}
}
return len(in) > 0`},
	{name: "samesite", about: "http.SameSite", imports: []string{"net/http"}, distinct: 4,
		in: "http.SameSite", meets: "return in >= http.SameSiteDefaultMode && in <= http.SameSiteNoneMode",
		advice:  "allele.Values(http.SameSiteDefaultMode, http.SameSiteLaxMode, http.SameSiteStrictMode, http.SameSiteNoneMode)",
		because: "a test binary has no list of the constants of a type without a String method"},
	{name: "uuids", about: "[]uuid.UUID", modules: []string{uuid}, imports: []string{"github.com/google/uuid"},
		in: "[]uuid.UUID", meets: "return len(in) >= 5", advice: "allele.Size(40)", because: smallFirst},
	{name: "uuidmap", about: "map[uuid.UUID]string", modules: []string{uuid}, imports: []string{"github.com/google/uuid"},
		in: "map[uuid.UUID]string", meets: "return len(in) >= 5", advice: "allele.Size(40)", because: smallFirst},
	{name: "hashes", about: "[][32]byte", in: "[][32]byte", meets: "return len(in) >= 5",
		advice: "allele.Size(40)", because: smallFirst},
	{name: "hashpointer", about: "*[32]byte", in: "*[32]byte", meets: "return in != nil && *in != [32]byte{}"},
	{name: "chain", about: "a chain of blocks with hashes", source: "type Block struct {\n\tPrev *Block\n\tHash [32]byte\n}\n",
		in: "*Block", meets: `n := 0
for b := in; b != nil; b = b.Prev {
	n++
}
return n >= 5`},
	{name: "addrs", about: "[]netip.Addr", imports: []string{"net/netip"}, in: "[]netip.Addr", meets: `valid := 0
for _, a := range in {
	if a.IsValid() {
		valid++
	}
}
return len(in) >= 2 && 2*valid >= len(in)`},
	{name: "page", about: "[]struct{ P *[65536]byte }", source: "type Page struct {\n\tP *[65536]byte\n}\n",
		in: "[]Page", meets: `for _, p := range in {
	if p.P != nil && *p.P != [65536]byte{} {
		return true
	}
}
return false`},
	{name: "decimals", about: "decimal.Decimal", modules: []string{decimal}, imports: []string{"github.com/shopspring/decimal"},
		in: "decimal.Decimal", meets: "return !in.IsZero()"},
	{name: "object", about: "map[string]any", imports: []string{"encoding/json", "reflect"}, quick: true,
		in: "map[string]any", meets: `data, err := json.Marshal(in)
var out map[string]any
if err != nil || json.Unmarshal(data, &out) != nil || !reflect.DeepEqual(in, out) {
	return false
}
for _, v := range in {
	if v != nil {
		return true
	}
}
return false`},
	{name: "anything", about: "[]any", imports: []string{"encoding/json", "reflect"},
		in: "[]any", meets: `data, err := json.Marshal(in)
var out []any
if err != nil || json.Unmarshal(data, &out) != nil || !reflect.DeepEqual(in, out) {
	return false
}
for _, v := range in {
	if v != nil {
		return true
	}
}
return false`},
	{name: "failure", about: "struct with an error",
		source: "type Result struct {\n\tCode int\n\tErr  error\n}\n", in: "Result",
		meets:  `return in.Err != nil && in.Err.Error() != ""`,
		advice: `allele.Builder(func(code int) error { return fmt.Errorf("code %d", code) })`, needs: []string{"fmt"},
		because: "half of the errors are nil, as in programs, and some have no text"},
	{name: "contexts", about: "struct with a context", imports: []string{"context"},
		source: "import \"context\"\n\n" +
			"type Call struct {\n\tCtx context.Context\n\tID  int\n}\n", in: "Call",
		meets: "err := in.Ctx.Err()\nreturn err == nil || err == context.Canceled || err == context.DeadlineExceeded"},
	{name: "reader", about: "struct with an io.Reader", imports: []string{"io"},
		source: "import \"io\"\n\n" +
			"type Upload struct {\n\tName string\n\tBody io.Reader\n}\n", in: "Upload", meets: `if in.Body == nil {
	return false
}
data, err := io.ReadAll(in.Body)
return err == nil && len(data) > 0`},
	{name: "hooks", about: "struct with func and chan fields", quick: true,
		source: "type Config struct {\n\tHosts   []string\n\tOnError func(error)\n\tStop    chan struct{}\n}\n",
		in:     "Config", meets: "return len(in.Hosts) > 0"},
	{name: "request", about: "*http.Request", imports: []string{"bufio", "bytes", "net/http"},
		in: "*http.Request", meets: `if in == nil {
	return false
}
var out bytes.Buffer
if err := in.Write(&out); err != nil {
	return false
}
_, err := http.ReadRequest(bufio.NewReader(&out))
return err == nil`},
	{name: "quantity", about: "resource.Quantity", modules: []string{machinery},
		imports: []string{"k8s.io/apimachinery/pkg/api/resource"},
		in:      "resource.Quantity", meets: "return !in.IsZero()"},
	{name: "atomics", about: "struct with atomic.Int64 and a map",
		source: "import \"sync/atomic\"\n\ntype Stats struct {\n\tHits  atomic.Int64\n\tNames map[string]int\n}\n",
		in:     "*Stats", meets: "return in != nil && in.Hits.Load() != 0",
		advice: "allele.Builder(func(hits int64, names map[string]int) *Stats { " +
			"s := &Stats{Names: names}; s.Hits.Store(hits); return s })",
		because: "the field of an atomic is hidden, and nothing says what it may hold"},
	{name: "pod", about: "v1.Pod", modules: []string{k8s, machinery}, imports: []string{"k8s.io/api/core/v1"},
		in: "v1.Pod", meets: "return len(in.Spec.Containers) > 0"},
	{name: "certificate", about: "x509.Certificate", imports: []string{"crypto/x509"},
		in: "*x509.Certificate", meets: "if in == nil {\n\treturn false\n}\n_, err := x509.ParseCertificate(in.Raw)\nreturn err == nil",
		advice: "allele.Builder(func(serial uint32, hosts []string) (*x509.Certificate, error) { " +
			"key := ed25519.NewKeyFromSeed(make([]byte, 32)); " +
			"c := &x509.Certificate{SerialNumber: big.NewInt(int64(serial)), DNSNames: hosts}; " +
			"raw, err := x509.CreateCertificate(nil, c, c, key.Public(), key); if err != nil { return nil, err }; " +
			"return x509.ParseCertificate(raw) })",
		needs:   []string{"crypto/ed25519", "math/big"},
		because: "its fields describe the bytes in Raw, which are signed"},
	{name: "validated", about: "struct with validate tags", modules: []string{validator},
		imports: []string{"github.com/go-playground/validator/v10"},
		source: "type User struct {\n" +
			"\tName  string   `validate:\"required,min=3,max=32\"`\n" +
			"\tEmail string   `validate:\"required,email\"`\n" +
			"\tAge   int      `validate:\"gte=0,lte=130\"`\n" +
			"\tRole  string   `validate:\"oneof=admin user guest\"`\n" +
			"\tSite  string   `validate:\"omitempty,url\"`\n" +
			"\tID    string   `validate:\"uuid\"`\n" +
			"\tTags  []string `validate:\"max=5,dive,min=1\"`\n}\n",
		in: "User", meets: "return check.Struct(in) == nil\n}\n\nvar check = validator.New()\n\nfunc init() {"},
	{name: "textual", about: "hidden fields with UnmarshalText", source: `import (
	"errors"
	"strconv"
	"strings"
)

// Version is a version such as 1.20.
type Version struct{ major, minor int }

// MarshalText implements encoding.TextMarshaler.
func (v Version) MarshalText() ([]byte, error) {
	return []byte(strconv.Itoa(v.major) + "." + strconv.Itoa(v.minor)), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Version) UnmarshalText(b []byte) error {
	a, c, ok := strings.Cut(string(b), ".")
	x, err := strconv.ParseUint(a, 10, 16)
	y, err2 := strconv.ParseUint(c, 10, 16)
	if !ok || err != nil || err2 != nil {
		return errors.New("no version")
	}
	v.major, v.minor = int(x), int(y)
	return nil
}
`, in: "[]Version", meets: `for _, v := range in {
	if v.major < 0 || v.minor < 0 || v.major > 65535 || v.minor > 65535 {
		return false
	}
}
return len(in) > 0`},
	{name: "optioned", about: "constructor with option functions", source: `import (
	"errors"
	"time"
)

// Server has a timeout above zero and a port.
type Server struct {
	port    int
	timeout time.Duration
	names   []string
}

// Option changes a Server.
type Option func(*Server) error

// WithTimeout sets the timeout.
func WithTimeout(d time.Duration) Option {
	return func(s *Server) error {
		if d <= 0 {
			return errors.New("no timeout")
		}
		s.timeout = d
		return nil
	}
}

// WithName adds a name.
func WithName(name string) Option {
	return func(s *Server) error {
		s.names = append(s.names, name)
		return nil
	}
}

// NewServer makes a Server.
func NewServer(port uint16, opts ...Option) (*Server, error) {
	s := &Server{port: int(port), timeout: time.Second}
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("nil option")
		}
		if err := o(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}
`, in: "*Server", meets: "return in != nil && in.port >= 0 && in.port <= 65535 && in.timeout > 0",
		advice:  "allele.Builder(NewServer), allele.Builder(WithTimeout), allele.Builder(WithName)",
		because: "fields of own types are filled in plain go test"},
	{name: "parsed", about: "constructor with an error, hidden fields", source: `import (
	"errors"
	"strings"
)

// Email is an address.
type Email struct{ user, host string }

// ParseEmail reads an address.
func ParseEmail(s string) (Email, error) {
	user, host, ok := strings.Cut(s, "@")
	if !ok {
		return Email{}, errors.New("no @")
	}
	return NewEmail(user, host)
}

// NewEmail makes an address.
func NewEmail(user, host string) (Email, error) {
	if user == "" || host == "" || strings.ContainsAny(user+host, "@ \x00\n") {
		return Email{}, errors.New("no address")
	}
	return Email{user, host}, nil
}
`, in: "Email", meets: `_, err := NewEmail(in.user, in.host)
return err == nil`},
	{name: "dlist", about: "doubly linked list", source: `
// DList is a list with links in both directions.
type DList struct {
	head, tail *elem
	n          int
}

type elem struct {
	prev, next *elem
	value      int
}

// PushBack adds a value at the end.
func (l *DList) PushBack(v int) {
	e := &elem{prev: l.tail, value: v}
	if l.tail == nil {
		l.head = e
	} else {
		l.tail.next = e
	}
	l.tail = e
	l.n++
}
`, in: "*DList", meets: `if in == nil {
	return false
}
n, last := 0, (*elem)(nil)
for e := in.head; e != nil && n < 1000; e = e.next {
	if e.prev != last {
		return false
	}
	last = e
	n++
}
return n > 0 && n == in.n && last == in.tail`},
	{name: "parents", about: "tree with parent pointers", source: `
// Node is a node of a tree.
type Node struct {
	Name     string
	Parent   *Node
	Children []*Node
}

// Add adds a child.
func (n *Node) Add(name string) {
	n.Children = append(n.Children, &Node{Name: name, Parent: n})
}
`, in: "*Node", meets: `if in == nil || in.Parent != nil {
	return false
}
for _, c := range in.Children {
	if c == nil || c.Parent != in {
		return false
	}
}
return len(in.Children) > 0`},
	{name: "sealed", about: "sealed interface", source: `
// Shape is a Circle or a Square.
type Shape interface{ sealed() }

// Circle is round.
type Circle struct{ R int }

// Square is not.
type Square struct{ A, B int }

func (Circle) sealed() {}
func (Square) sealed() {}
`, in: "[]Shape", meets: `for _, s := range in {
	if s == nil {
		return false
	}
}
return len(in) > 0`, advice: "allele.Variants[Shape](Circle{}, Square{})",
		because: "a test binary has no list of the types that implement an interface"},
	{name: "nulls", about: "sql.NullString, sql.NullInt64",
		source: "import \"database/sql\"\n\ntype Row struct {\n\tName sql.NullString\n\tAge  sql.NullInt64\n}\n", in: "Row",
		meets: `return (in.Name.Valid || in.Name.String == "") && (in.Age.Valid || in.Age.Int64 == 0) && (in.Name.Valid || in.Age.Valid)`},
	{name: "number", about: "json.Number", imports: []string{"encoding/json"}, quick: true,
		in: "[]json.Number", meets: `for _, n := range in {
	if !json.Valid([]byte(n)) || n[0] == '"' {
		return false
	}
}
return len(in) > 0`},
	{name: "address", about: "mail.Address", imports: []string{"net/mail"},
		in: "mail.Address", meets: `a, err := mail.ParseAddress(in.String())
return err == nil && *a == in`},
	{name: "network", about: "net.IPNet", imports: []string{"net"}, in: "net.IPNet", meets: `_, n, err := net.ParseCIDR(in.String())
return err == nil && n.String() == in.String()`},
	{name: "float", about: "*big.Float", imports: []string{"math/big"}, in: "*big.Float", meets: "return in != nil && in.Sign() != 0"},
	{name: "buffer", about: "*bytes.Buffer", quick: true, imports: []string{"bytes"},
		in: "*bytes.Buffer", meets: "return in != nil && in.Len() > 0"},
	{name: "semantic", about: "*semver.Version", modules: []string{semver}, imports: []string{"semver github.com/Masterminds/semver/v3"},
		in: "*semver.Version", meets: `if in == nil {
	return false
}
v, err := semver.StrictNewVersion(in.String())
return err == nil && v.Equal(in) && in.String() != "0.0.0"`},
}
