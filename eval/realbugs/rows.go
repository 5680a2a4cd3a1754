package realbugs

import "github.com/allele-go/allele/eval/foreign"

// row is a known bug of a module. testdata/NAME has the property in target.go.txt, and the generator for rapid in
// rapid.go.txt, if it cannot be derived. native.go.txt decodes bytes for native fuzzing, if the input is a text.
type row struct {
	name    string
	module  foreign.Module
	bug     string // the public report
	scope   string // packages that get probes, if not those of the module
	shared  string // a folder with a part of the property that several rows have, and with their generator for rapid
	sum     bool   // the input has interfaces; plain go test does not know their variants, so that arm is left out
	derived bool   // rapid derives the generator
	native  bool
	quick   bool // every row of a quick run compiles the library again, twice, so one row is all that CI can afford
	heldOut bool

	parser, mode string // of the rows of experiment parsers: the folder, and whether the property assumes or returns
}

func (r row) packages() string {
	if r.scope != "" {
		return r.scope
	}
	return r.module.Path + "/..."
}

func (r row) has(a arm) bool { return (a != native || r.native) && (a != plain || !r.sum) }

// The bugs are public, and later versions of the modules do not have them, except for gopher-lua. The rows of
// gopher-lua need the Debian package liblua5.1-0-dev.
var rows = []row{
	{name: "expr857", module: foreign.At("github.com/expr-lang/expr", "v1.17.6"), bug: "#857", native: true, sum: true},
	{name: "expr758", module: foreign.At("github.com/expr-lang/expr", "v1.16.9"), bug: "#758", sum: true},
	{name: "geth", module: foreign.At("github.com/ethereum/go-ethereum", "v1.10.7"), bug: "CVE-2021-39137", sum: true},
	{name: "lua490", module: foreign.At("github.com/yuin/gopher-lua", "v1.1.1"), bug: "#490", shared: "lua", sum: true},
	{name: "lua440", module: foreign.At("github.com/yuin/gopher-lua", "v1.1.1"), bug: "#440", shared: "lua", sum: true},
	{name: "lua310", module: foreign.At("github.com/yuin/gopher-lua", "v1.1.1"), bug: "#310", shared: "lua", sum: true},
	{name: "wazero", module: foreign.At("github.com/tetratelabs/wazero", "v1.0.0-pre.4"), bug: "#879", derived: true},
	{name: "minify", module: foreign.At("github.com/tdewolff/minify/v2", "v2.11.10"), bug: "#494", sum: true},
	{name: "promql", module: foreign.At("github.com/prometheus/prometheus", "v0.304.2"), bug: "#16711", sum: true},
	{name: "jsonpatch", module: foreign.At("github.com/evanphx/json-patch", "v4.11.0+incompatible"), bug: "#146", quick: true, sum: true},
	{name: "goyaml", module: foreign.At("github.com/goccy/go-yaml", "v1.15.13"), bug: "#655", derived: true},
	{name: "roaring", module: foreign.At("github.com/RoaringBitmap/roaring", "v1.2.0"), bug: "#358", derived: true},
	{name: "toml1", module: foreign.At("github.com/pelletier/go-toml", "v1.9.5"), bug: "#424", derived: true},
	{name: "toml2", module: foreign.At("github.com/pelletier/go-toml/v2", "v2.0.7"), bug: "#866", derived: true},
	{name: "cel", module: foreign.At("github.com/google/cel-go", "v0.20.1"), bug: "#1434", sum: true},

	{name: "html", module: foreign.At("golang.org/x/net", "v0.0.0-20190311183353-d8887717615a"), scope: "golang.org/x/net/html/...",
		bug: "golang/go#30600", native: true, heldOut: true, sum: true},
	{name: "iradix", module: foreign.At("github.com/hashicorp/go-immutable-radix", "v1.3.0"), bug: "#37", derived: true, heldOut: true,
		quick: true},
	{name: "squirrel", module: foreign.At("github.com/Masterminds/squirrel", "v1.5.2"), bug: "#316", heldOut: true, sum: true},
	{name: "graph", module: foreign.At("github.com/dominikbraun/graph", "v0.16.1"), bug: "#88", heldOut: true},
	{name: "semver", module: foreign.At("github.com/Masterminds/semver/v3", "v3.1.1"), bug: "#180", heldOut: true},
}
