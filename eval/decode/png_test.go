package decode

import (
	"bytes"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/png"
	"testing"

	"github.com/allele-go/allele"
)

type picture struct {
	Model         uint8
	Width, Height uint8
	Pixels        [][4]uint8
	Level         uint8
}

func (p picture) encode() ([]byte, error) {
	r := image.Rect(0, 0, int(p.Width%40)+1, int(p.Height%10)+1)
	m := []draw.Image{
		image.NewGray(r), image.NewGray16(r), image.NewRGBA(r), image.NewNRGBA(r), image.NewNRGBA64(r),
		image.NewPaletted(r, palette.Plan9[:2]), image.NewPaletted(r, palette.Plan9[:16]), image.NewPaletted(r, palette.WebSafe),
	}[p.Model%8]
	for i, c := range p.Pixels {
		m.Set(i%r.Dx(), i/r.Dx(), color.NRGBA{c[0], c[1], c[2], c[3]})
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: -png.CompressionLevel(p.Level % 4)}).Encode(&b, m)
	return b.Bytes(), err
}

// An image has the size that DecodeConfig reports, and encoding it again keeps every pixel.
func TestPNG(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		size, err := png.DecodeConfig(bytes.NewReader(data))
		t.Assume(err == nil && size.Width < 1000 && size.Height < 1000)
		m, err := png.Decode(bytes.NewReader(data))
		t.Assume(err == nil)
		if r := image.Rect(0, 0, size.Width, size.Height); m.Bounds() != r {
			t.Fatalf("bounds %v, want %v", m.Bounds(), r)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		again, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if !same(m, again) {
			t.Errorf("%v became %v", m, again)
		}
	}, allele.Through(picture.encode))
}

func same(a, b image.Image) bool {
	p, q := image.NewRGBA64(a.Bounds()), image.NewRGBA64(b.Bounds())
	draw.Draw(p, p.Rect, a, p.Rect.Min, draw.Src)
	draw.Draw(q, q.Rect, b, q.Rect.Min, draw.Src)
	return p.Rect == q.Rect && bytes.Equal(p.Pix, q.Pix)
}
