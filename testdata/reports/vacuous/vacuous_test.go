package vacuous

import (
	"hash/crc32"
	"testing"

	"github.com/allele-go/allele"
)

type Packet struct {
	Body  []uint16
	Parts map[string][]byte
	Sum   uint32
}

func TestDecodePacket(t *testing.T) {
	allele.Check(t, func(t *allele.T, p Packet) {
		sum := crc32.NewIEEE()
		for _, name := range []string{"head", "tail"} {
			part, ok := p.Parts[name]
			t.Assume(ok)
			sum.Write(part)
		}
		t.Assume(p.Sum == sum.Sum32())
		t.Errorf("a packet with a good sum")
	}, allele.Given(func(p Packet) bool { return len(p.Body) > 4 }))
}
