package decode

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"slices"
	"testing"

	"github.com/allele-go/allele"
)

type animation struct {
	Palette []color.RGBA
	Frames  []struct {
		X, Y, Width, Height uint8
		Pixels              []byte
		Delay               uint16
		Disposal            uint8
	}
	Loop int8
}

func (a animation) encode() ([]byte, error) {
	colors := color.Palette{color.Black, color.Transparent}
	for _, c := range a.Palette {
		colors = append(colors, c)
	}
	g := &gif.GIF{LoopCount: int(a.Loop), Config: image.Config{Width: 64, Height: 64}}
	for _, f := range a.Frames {
		x, y := int(f.X%32), int(f.Y%32)
		m := image.NewPaletted(image.Rect(x, y, x+int(f.Width%32)+1, y+int(f.Height%32)+1), colors)
		for i := range min(len(f.Pixels), len(m.Pix)) {
			m.Pix[i] = f.Pixels[i] % byte(len(colors))
		}
		g.Image = append(g.Image, m)
		g.Delay = append(g.Delay, int(f.Delay))
		g.Disposal = append(g.Disposal, f.Disposal%4)
	}
	var b bytes.Buffer
	err := gif.EncodeAll(&b, g)
	return b.Bytes(), err
}

// Every frame lies inside the image, and encoding the frames again keeps their delays and the
// colour index of every pixel.
func TestGIF(t *testing.T) {
	allele.Check(t, func(t *allele.T, data []byte) {
		size, err := gif.DecodeConfig(bytes.NewReader(data))
		t.Assume(err == nil && size.Width < 1000 && size.Height < 1000)
		g, err := gif.DecodeAll(bytes.NewReader(data))
		t.Assume(err == nil)
		for _, m := range g.Image {
			if !m.Rect.In(image.Rect(0, 0, size.Width, size.Height)) {
				t.Fatalf("frame %v outside of %d x %d", m.Rect, size.Width, size.Height)
			}
		}
		var b bytes.Buffer
		if err := gif.EncodeAll(&b, g); err != nil {
			t.Fatal(err)
		}
		again, err := gif.DecodeAll(&b)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.Delay, again.Delay) {
			t.Errorf("delays %v became %v", g.Delay, again.Delay)
		}
		for i, m := range g.Image {
			if n := again.Image[i]; m.Rect != n.Rect || !bytes.Equal(m.Pix, n.Pix) {
				t.Errorf("frame %d: %v %v became %v %v", i, m.Rect, m.Pix, n.Rect, n.Pix)
			}
		}
	}, allele.Through(animation.encode))
}
