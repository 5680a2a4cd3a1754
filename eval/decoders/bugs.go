package decoders

import "github.com/allele-go/allele/eval/foreign"

// bug is a known bug of a published decoder. The package testdata/bugs/NAME.go.txt has an encoder
// of the format, the decoder, an ordinary value, and bytes that show the bug.
type bug struct {
	name     string
	module   string           // contains the decoder
	bad      string           // a version with the bug
	fixed    string           // the version without it
	report   string           // where the bug is described
	kind     string           // panic, hang or memory: what the decoder does
	requires []foreign.Module // other modules that the encoder needs
}

// bugs are public, and have been fixed.
var bugs = []bug{
	// The colour table is shorter than an index of a pixel.
	{name: "tiff", module: "golang.org/x/image", bad: "v0.17.0", fixed: "v0.18.0",
		report: "CVE-2024-24792", kind: "panic"},
	// A public key has the wrong length. Two lengths must fit each other.
	{name: "sshkey", module: "golang.org/x/crypto", bad: "v0.0.0-20200214034016-1d94cc7ab1c6",
		fixed: "v0.0.0-20200220183623-bac4c82f6975", report: "CVE-2020-9283", kind: "panic"},
	// A text ends in the middle of a character, after something that looks like a tag.
	{name: "yaml", module: "gopkg.in/yaml.v3", bad: "v3.0.0-20210107192922-496545a6307b", fixed: "v3.0.1",
		report: "CVE-2022-28948", kind: "panic"},
	// A link is longer than the data.
	{name: "dagpb", module: "github.com/ipld/go-codec-dagpb", bad: "v1.3.0", fixed: "v1.3.1",
		report: "CVE-2022-2584", kind: "panic"},
	// The data ends too early.
	{name: "msgpack", module: "github.com/shamaton/msgpack/v2", bad: "v2.1.0", fixed: "v2.1.1",
		report: "CVE-2022-41719", kind: "panic"},
	// The value of the last name of an object is missing.
	{name: "protojson", module: "google.golang.org/protobuf", bad: "v1.32.0", fixed: "v1.33.0",
		report: "CVE-2024-24786", kind: "hang"},
	// In an entry of a map there is an unknown field with a length of almost 1<<63.
	{name: "gogo", module: "github.com/gogo/protobuf", bad: "v1.3.1", fixed: "v1.3.2",
		report: "CVE-2021-3121", kind: "panic"},
	// A frame of a picture is too short.
	{name: "id3", module: "github.com/dhowden/tag", bad: "v0.0.0-20190519100835-db0c67e351b1",
		fixed: "v0.0.0-20201120070457-d52dcb253c63", report: "CVE-2020-29243", kind: "panic",
		requires: []foreign.Module{foreign.At("github.com/bogem/id3v2", "v1.2.0")}},
	// The data ends in the middle of a word.
	{name: "thrift", module: "github.com/apache/thrift", bad: "v0.12.0", fixed: "v0.13.0",
		report: "CVE-2019-0210", kind: "panic"},
	// The header asks for a large dictionary.
	{name: "lzma", module: "github.com/ulikunitz/xz", bad: "v0.5.12", fixed: "v0.5.14",
		report: "CVE-2025-58058", kind: "memory"},
	// The data is one byte. The decoder doubles a buffer again and again.
	{name: "utf16", module: "golang.org/x/text", bad: "v0.3.2", fixed: "v0.3.3",
		report: "CVE-2020-14040", kind: "memory"},
}
