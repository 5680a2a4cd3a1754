package strangers

import "github.com/allele-go/allele/eval/foreign"

// subject is a module with the property that is added to it.
type subject struct {
	foreign.Module
	folder  string   // of the package, relative to the module
	name    string   // of the package
	imports []string // what the property needs besides the package, testing and the library
	in      string   // type of the input
	body    string   // the property; the package is imported as sut
	old     bool     // the go line of the module is below 1.18
}

var subjects = []subject{
	{Module: foreign.At("github.com/google/btree", "v1.1.3"), name: "btree", in: "[]int", body: `tree := sut.NewOrderedG[int](2)
for _, n := range in {
	tree.ReplaceOrInsert(n)
}
for _, n := range in {
	if !tree.Has(n) {
		t.Fatal(n)
	}
}`},
	{Module: foreign.At("github.com/Masterminds/semver/v3", "v3.4.0"), name: "semver", in: "struct{ Major, Minor, Patch uint64 }",
		body: `v := sut.New(in.Major, in.Minor, in.Patch, "", "")
if w, err := sut.NewVersion(v.String()); err != nil || !w.Equal(v) {
	t.Fatal(v, w, err)
}`},
	{Module: foreign.At("github.com/hashicorp/go-version", "v1.7.0"), name: "version", in: "string",
		body: `if v, err := sut.NewVersion(in); err == nil && !v.Equal(v) {
	t.Fatal(v)
}`},
	{Module: foreign.At("github.com/BurntSushi/toml", "v1.4.0"), name: "toml", in: "struct{ A int64; B bool; C []int64 }",
		body: `data, err := sut.Marshal(in)
if err != nil {
	t.Fatal(err)
}
out := in
if err := sut.Unmarshal(data, &out); err != nil || out.A != in.A {
	t.Fatal(string(data), err)
}`},
	{Module: foreign.At("github.com/pelletier/go-toml/v2", "v2.2.4"), name: "toml", in: "string", body: `var v any
sut.Unmarshal([]byte(in), &v)`},
	{Module: foreign.At("gopkg.in/yaml.v3", "v3.0.1"), name: "yaml", in: "map[int]bool", body: `data, err := sut.Marshal(in)
var out map[int]bool
if err != nil || sut.Unmarshal(data, &out) != nil || len(out) != len(in) {
	t.Fatal(string(data), err)
}`},
	{Module: foreign.At("github.com/goccy/go-json", "v0.10.5"), name: "json", in: "[]struct{ N int64; S []bool }",
		body: `data, err := sut.Marshal(in)
out := in[:0:0]
if err != nil || sut.Unmarshal(data, &out) != nil || len(out) != len(in) {
	t.Fatal(string(data), err)
}`},
	{Module: foreign.At("github.com/tidwall/gjson", "v1.18.0"), name: "gjson", old: true, in: "string",
		body: `if sut.Valid(in) != sut.ValidBytes([]byte(in)) {
	t.Fatal(in)
}`},
	{Module: foreign.At("github.com/evanphx/json-patch/v5", "v5.9.11"), name: "jsonpatch", in: "[]byte", body: `sut.DecodePatch(in)`},
	{Module: foreign.At("github.com/fxamacker/cbor/v2", "v2.9.0"), name: "cbor", in: "map[string]int64",
		body: `data, err := sut.Marshal(in)
if err != nil || sut.Wellformed(data) != nil {
	t.Fatal(data, err)
}`},
	{Module: foreign.At("github.com/yuin/goldmark", "v1.7.13"), name: "goldmark", imports: []string{"bytes"}, in: "[]byte",
		body: `var out bytes.Buffer
if err := sut.Convert(in, &out); err != nil {
	t.Fatal(err)
}`},
	{Module: foreign.At("github.com/tdewolff/parse/v2", "v2.8.3"), folder: "strconv", name: "strconv", old: true, in: "int64",
		body: `if n, _ := sut.ParseInt(sut.AppendInt(nil, in)); n != in {
	t.Fatal(n, in)
}`},
	{Module: foreign.At("github.com/PuerkitoBio/goquery", "v1.10.3"), name: "goquery", imports: []string{"strings"}, in: "string",
		body: `doc, err := sut.NewDocumentFromReader(strings.NewReader(in))
if err == nil && doc.Find("p").Length() < 0 {
	t.Fatal(in)
}`},
	{Module: foreign.At("github.com/expr-lang/expr", "v1.17.7"), folder: "parser", name: "parser", in: "string",
		body: `sut.Parse(in)`},
	{Module: foreign.At("github.com/itchyny/gojq", "v0.12.17"), name: "gojq", in: "string",
		body: `if q, err := sut.Parse(in); err == nil && q == nil {
	t.Fatal(in)
}`},
	{Module: foreign.At("github.com/hashicorp/hcl/v2", "v2.24.0"), folder: "hclsyntax", name: "hclsyntax", in: "string",
		body: `if sut.ValidIdentifier(in) && in == "" {
	t.Fatal(in)
}`},
	{Module: foreign.At("github.com/dop251/goja", "v0.0.0-20250309171923-bcd7cc6bf64c"), name: "goja", in: "int32",
		body: `if got := sut.New().ToValue(in).ToInteger(); got != int64(in) {
	t.Fatal(got)
}`},
	{Module: foreign.At("github.com/yuin/gopher-lua", "v1.1.1"), folder: "parse", name: "parse", old: true,
		imports: []string{"strings"}, in: "string",
		body: `sut.Parse(strings.NewReader(in), "in")`},
	{Module: foreign.At("go.starlark.net", "v0.0.0-20250906160240-bf296ed553ea"), folder: "syntax", name: "syntax", in: "string",
		body: `sut.ParseExpr("in", in, 0)`},
	{Module: foreign.At("github.com/tetratelabs/wazero", "v1.9.0"), folder: "internal/leb128", name: "leb128", in: "int64",
		body: `if n, _, err := sut.LoadInt64(sut.EncodeInt64(in)); err != nil || n != in {
	t.Fatal(n, err)
}`},
	{Module: foreign.At("mvdan.cc/sh/v3", "v3.12.0"), folder: "syntax", name: "syntax", imports: []string{"strings"}, in: "string",
		body: `sut.NewParser().Parse(strings.NewReader(in), "in")`},
	{Module: foreign.At("github.com/rivo/uniseg", "v0.4.7"), name: "uniseg", in: "string",
		body: `if sut.GraphemeClusterCount(in) > len(in) {
	t.Fatal(in)
}`},
	{Module: foreign.At("golang.org/x/text", "v0.30.0"), folder: "language", name: "language", in: "string",
		body: `if tag, err := sut.Parse(in); err == nil && tag.String() == "" {
	t.Fatal(in)
}`},
	{Module: foreign.At("golang.org/x/net", "v0.46.0"), folder: "html", name: "html", in: "string",
		body: `if sut.UnescapeString(sut.EscapeString(in)) != in {
	t.Fatal(in)
}`},
	{Module: foreign.At("golang.org/x/mod", "v0.29.0"), folder: "semver", name: "semver", in: "[2]string",
		body: `if sut.Compare(in[0], in[1]) != -sut.Compare(in[1], in[0]) {
	t.Fatal(in)
}`},
	{Module: foreign.At("github.com/miekg/dns", "v1.1.68"), name: "dns", in: "string", body: `if sut.CountLabel(in) < 0 {
	t.Fatal(in)
}`},
	{Module: foreign.At("github.com/klauspost/compress", "v1.18.0"), folder: "s2", name: "s2",
		imports: []string{"bytes"}, in: "[]byte",
		body: `if out, err := sut.Decode(nil, sut.Encode(nil, in)); err != nil || !bytes.Equal(out, in) {
	t.Fatal(out, err)
}`},
	{Module: foreign.At("github.com/RoaringBitmap/roaring/v2", "v2.10.0"), name: "roaring", old: true, in: "[]uint32",
		body: `set := sut.BitmapOf(in...)
for _, n := range in {
	if !set.Contains(n) {
		t.Fatal(n)
	}
}`},
	{Module: foreign.At("github.com/emirpasic/gods/v2", "v2.0.0-alpha"), folder: "trees/redblacktree", name: "redblacktree",
		in: "[]int",
		body: `tree := sut.New[int, bool]()
for _, n := range in {
	tree.Put(n, true)
}
if tree.Size() > len(in) {
	t.Fatal(tree.Size())
}`},
	{Module: foreign.At("github.com/samber/lo", "v1.51.0"), name: "lo", in: "[]int8", body: `if len(sut.Uniq(in)) > len(in) {
	t.Fatal(in)
}`},
	{Module: foreign.At("github.com/shopspring/decimal", "v1.4.0"), name: "decimal", old: true, in: "struct{ Value int64; Exp int8 }",
		body: `d := sut.New(in.Value, int32(in.Exp))
if e, err := sut.NewFromString(d.String()); err != nil || !e.Equal(d) {
	t.Fatal(d, e, err)
}`},
	{Module: foreign.At("google.golang.org/protobuf", "v1.36.9"), folder: "encoding/protowire", name: "protowire", in: "uint64",
		body: `if n, _ := sut.ConsumeVarint(sut.AppendVarint(nil, in)); n != in {
	t.Fatal(n)
}`},
	{Module: foreign.At("go.etcd.io/raft/v3", "v3.6.0"), folder: "quorum", name: "quorum", in: "map[uint64]bool",
		body: `c := sut.MajorityConfig{}
for id := range in {
	c[id] = struct{}{}
}
if got := c.VoteResult(in); len(in) > 0 && got == sut.VotePending {
	t.Fatal(got)
}`},
	{Module: foreign.At("go.etcd.io/bbolt", "v1.4.0"), name: "bbolt", in: "sut.Stats", body: `if d := in.Sub(&in); d.TxN != 0 {
	t.Fatal(d.TxN)
}`},
	{Module: foreign.At("github.com/prometheus/prometheus", "v0.305.0"), folder: "model/labels", name: "labels",
		in: "map[string]string",
		body: `if n := sut.FromMap(in).Len(); n > len(in) {
	t.Fatal(n)
}`},
	{Module: foreign.At("github.com/mattn/go-sqlite3", "v1.14.24"), name: "sqlite3", imports: []string{"database/sql"}, in: "int64",
		body: `db, err := sql.Open("sqlite3", ":memory:")
if err != nil {
	t.Fatal(err)
}
defer db.Close()
_ = sut.ErrNo(0)
var out int64
if err := db.QueryRow("select ?", in).Scan(&out); err != nil || out != in {
	t.Fatal(out, err)
}`},
	{Module: foreign.At("github.com/DataDog/zstd", "v1.5.7"), name: "zstd", old: true, imports: []string{"bytes"}, in: "[]byte",
		body: `data, err := sut.Compress(nil, in)
if err != nil {
	t.Fatal(err)
}
if out, err := sut.Decompress(nil, data); len(in) > 0 && (err != nil || !bytes.Equal(out, in)) {
	t.Fatal(out, err)
}`},
}
