package modules

import (
	"strings"

	"github.com/allele-go/allele/eval/foreign"
)

// subject is a module whose tests are compared.
type subject struct {
	foreign.Module
	only  []string          // patterns of the packages to test, relative to the module; empty means all
	leave map[string]string // packages to leave out, relative to the module, with the reason
	quick bool              // in the quick tier
	modes bool              // its tests are also run in the other modes
	turns bool              // its tests run on one processor, because their goroutines run the same code all the time
	why   string            // why the module is in the list, if for its kind of code
}

func (s subject) patterns() []string {
	if len(s.only) == 0 {
		return []string{"./..."}
	}
	return s.only
}

// leavesOut returns why the tests of a package are left out, or "".
func (s subject) leavesOut(pkg string) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(pkg, s.Path), "/")
	return s.leave[rel]
}

// The kinds of code that the list must contain.
const (
	generated = "generated code"
	cgo       = "cgo"
)

// subjects are the modules: parsers, encoders, containers, servers, databases, interpreters.
// Those that take long to build are at the end.
var subjects = []subject{
	{Module: foreign.At("github.com/google/btree", "v1.1.3"), quick: true, modes: true},
	{Module: foreign.At("github.com/Masterminds/semver/v3", "v3.4.0"), quick: true, modes: true},
	{Module: foreign.At("github.com/hashicorp/go-version", "v1.7.0"), quick: true},
	{Module: foreign.At("github.com/BurntSushi/toml", "v1.4.0"), modes: true},
	{Module: foreign.At("github.com/pelletier/go-toml/v2", "v2.2.4")},
	{Module: foreign.At("gopkg.in/yaml.v3", "v3.0.1"), modes: true},
	{Module: foreign.At("github.com/goccy/go-yaml", "v1.18.0")},
	{Module: foreign.At("github.com/goccy/go-json", "v0.10.5")},
	{Module: foreign.At("github.com/tidwall/gjson", "v1.18.0")},
	{Module: foreign.At("github.com/evanphx/json-patch/v5", "v5.9.11"), modes: true},
	{Module: foreign.At("github.com/santhosh-tekuri/jsonschema/v6", "v6.0.2")},
	{Module: foreign.At("github.com/fxamacker/cbor/v2", "v2.9.0")},
	{Module: foreign.At("github.com/vmihailenco/msgpack/v5", "v5.4.1")},
	{Module: foreign.At("github.com/yuin/goldmark", "v1.7.13"), modes: true},
	{Module: foreign.At("github.com/gomarkdown/markdown", "v0.0.0-20250810172220-2e2c11897d1a")},
	{Module: foreign.At("github.com/tdewolff/parse/v2", "v2.8.3"), modes: true},
	{Module: foreign.At("github.com/tdewolff/minify/v2", "v2.24.3")},
	{Module: foreign.At("github.com/PuerkitoBio/goquery", "v1.10.3")},
	{Module: foreign.At("github.com/expr-lang/expr", "v1.17.7"), modes: true},
	{Module: foreign.At("github.com/itchyny/gojq", "v0.12.17"), why: generated},
	{Module: foreign.At("github.com/hashicorp/hcl/v2", "v2.24.0"), why: generated},
	{Module: foreign.At("github.com/alecthomas/participle/v2", "v2.1.4")},
	{Module: foreign.At("github.com/alecthomas/chroma/v2", "v2.20.0")},
	{Module: foreign.At("github.com/yuin/gopher-lua", "v1.1.1"), modes: true},
	{Module: foreign.At("github.com/d5/tengo/v2", "v2.17.0"), modes: true},
	{Module: foreign.At("go.starlark.net", "v0.0.0-20250906160240-bf296ed553ea"), why: generated},
	{Module: foreign.At("mvdan.cc/sh/v3", "v3.12.0"), only: []string{"./syntax/...", "./pattern", "./expand"}},
	{Module: foreign.At("github.com/dlclark/regexp2", "v1.11.5"), modes: true},
	{Module: foreign.At("github.com/rivo/uniseg", "v0.4.7")},
	{Module: foreign.At("golang.org/x/image", "v0.32.0")},
	{Module: foreign.At("golang.org/x/mod", "v0.29.0")},
	{Module: foreign.At("github.com/miekg/dns", "v1.1.68")},
	{Module: foreign.At("github.com/pierrec/lz4/v4", "v4.1.22")},
	{Module: foreign.At("github.com/ulikunitz/xz", "v0.5.15")},
	{Module: foreign.At("github.com/bits-and-blooms/bitset", "v1.24.0")},
	{Module: foreign.At("github.com/emirpasic/gods/v2", "v2.0.0-alpha")},
	{Module: foreign.At("github.com/puzpuzpuz/xsync/v4", "v4.1.0")},
	{Module: foreign.At("github.com/hashicorp/golang-lru/v2", "v2.0.7"), modes: true},
	{Module: foreign.At("github.com/shopspring/decimal", "v1.4.0")},
	{Module: foreign.At("github.com/cockroachdb/apd/v3", "v3.2.1")},
	{Module: foreign.At("github.com/google/go-cmp", "v0.7.0")},
	{Module: foreign.At("github.com/stretchr/testify", "v1.11.1")},
	{Module: foreign.At("github.com/spf13/cobra", "v1.10.1")},
	{Module: foreign.At("github.com/robfig/cron/v3", "v3.0.1")},
	{Module: foreign.At("github.com/gorilla/mux", "v1.8.1")},
	{Module: foreign.At("github.com/gorilla/websocket", "v1.5.3")},
	{Module: foreign.At("github.com/go-chi/chi/v5", "v5.2.3")},
	{Module: foreign.At("github.com/DataDog/zstd", "v1.5.7"), why: cgo},
	{Module: foreign.At("github.com/google/cel-go", "v0.26.1"), why: generated},
	{Module: foreign.At("github.com/dop251/goja", "v0.0.0-20250309171923-bcd7cc6bf64c")},
	{Module: foreign.At("github.com/traefik/yaegi", "v0.16.1"), only: []string{"./interp"}},
	{Module: foreign.At("github.com/tetratelabs/wazero", "v1.9.0"),
		only: []string{".", "./api/...", "./internal/wasm/...", "./internal/engine/interpreter", "./internal/leb128", "./imports/..."}},
	{Module: foreign.At("cuelang.org/go", "v0.14.2"),
		only: []string{"./cue/ast/...", "./cue/scanner", "./cue/parser", "./cue/format", "./cue/literal"}},
	{Module: foreign.At("golang.org/x/text", "v0.30.0")},
	{Module: foreign.At("golang.org/x/net", "v0.46.0"),
		only: []string{"./html/...", "./http/...", "./http2/...", "./dns/...", "./idna", "./publicsuffix", "./webdav/..."}},
	{Module: foreign.At("golang.org/x/crypto", "v0.43.0"),
		only: []string{"./cryptobyte/...", "./ssh", "./openpgp/...", "./ocsp", "./pkcs12/..."}},
	{Module: foreign.At("github.com/klauspost/compress", "v1.18.0"),
		only: []string{"./flate", "./huff0", "./fse", "./gzip", "./snappy/...", "./zlib", "./zstd/..."}},
	{Module: foreign.At("github.com/RoaringBitmap/roaring/v2", "v2.10.0"), turns: true},
	{Module: foreign.At("github.com/go-playground/validator/v10", "v10.27.0")},
	{Module: foreign.At("go.uber.org/zap", "v1.27.0")},
	{Module: foreign.At("github.com/gin-gonic/gin", "v1.11.0"), turns: true},
	{Module: foreign.At("github.com/valyala/fasthttp", "v1.66.0")},
	{Module: foreign.At("google.golang.org/grpc", "v1.75.0"),
		only: []string{"./internal/transport", "./metadata", "./status", "./encoding/..."}, why: generated},
	{Module: foreign.At("google.golang.org/protobuf", "v1.36.9"),
		only: []string{"./proto", "./encoding/...", "./reflect/..."}, why: generated},
	{Module: foreign.At("github.com/jackc/pgx/v5", "v5.7.6"), only: []string{"./pgproto3/...", "./pgtype/...", "./internal/..."}},
	{Module: foreign.At("github.com/hashicorp/raft", "v1.7.3"), only: []string{"."}},
	{Module: foreign.At("go.etcd.io/raft/v3", "v3.6.0")},
	{Module: foreign.At("go.etcd.io/bbolt", "v1.4.0"), only: []string{".", "./internal/common", "./internal/freelist"}},
	{Module: foreign.At("github.com/dgraph-io/badger/v4", "v4.8.0"), only: []string{"./skl", "./table", "./y"}},
	{Module: foreign.At("github.com/cockroachdb/pebble", "v1.1.5"),
		only: []string{"./sstable", "./record", "./internal/base", "./internal/keyspan"}},
	{Module: foreign.At("github.com/prometheus/prometheus", "v0.305.0"),
		only: []string{"./promql/parser", "./model/labels"}, why: generated},
	{Module: foreign.At("github.com/mattn/go-sqlite3", "v1.14.24"), why: cgo},
	{Module: foreign.At("github.com/chai2010/webp", "v1.4.0"), why: cgo},
}
