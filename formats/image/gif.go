package image

import (
	"bytes"
	"image"
	"image/gif"
)

// Animation is a GIF image.
type Animation struct {
	Frames []Frame
	Loops  int8
	Back   uint8
}

// Frame is one of the images of a GIF.
type Frame struct {
	Picture
	X, Y     uint8
	Colours  []byte // three bytes for each colour beyond black and white
	Delay    uint8
	Disposal uint8
}

// framesMax is the most frames of an animation.
const framesMax = 8

// GIF encodes an animation. The first frame is as large as all others need.
func GIF(v Animation) ([]byte, error) {
	if len(v.Frames) == 0 {
		v.Frames = []Frame{{}}
	}
	var g gif.GIF
	whole := image.Rectangle{}
	for _, f := range v.Frames[:min(framesMax, len(v.Frames))] {
		x, y := int(f.X)%sideMax, int(f.Y)%sideMax
		r := image.Rect(x, y, x+1+int(f.Width)%sideMax, y+1+int(f.Height)%sideMax)
		whole = whole.Union(image.Rectangle{Max: r.Max})
		g.Image = append(g.Image, f.paletted(r, f.Colours))
		g.Delay = append(g.Delay, int(f.Delay))
		g.Disposal = append(g.Disposal, f.Disposal%4)
	}
	g.LoopCount = int(v.Loops)
	g.Config = image.Config{Width: whole.Max.X, Height: whole.Max.Y, ColorModel: g.Image[0].Palette}
	g.BackgroundIndex = v.Back % 2
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &g)
	return b.Bytes(), err
}
