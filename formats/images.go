package formats

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/bmp"
)

// Picture is an image: its size, how it stores colours, and its pixels.
type Picture struct {
	Width, Height uint8
	Model         Model
	Pixels        []byte // bytes that are missing are zero
}

// Model is how an image stores colours.
type Model uint8

const (
	Gray Model = iota
	Gray16
	RGBA
	NRGBA
	NRGBA64
	Paletted
)

// sideMax is the longest side of a picture.
const sideMax = 64

// image returns the picture as an image of the standard library.
func (p Picture) image() image.Image {
	r := image.Rect(0, 0, 1+int(p.Width)%sideMax, 1+int(p.Height)%sideMax)
	switch p.Model {
	case Gray:
		m := image.NewGray(r)
		copy(m.Pix, p.Pixels)
		return m
	case Gray16:
		m := image.NewGray16(r)
		copy(m.Pix, p.Pixels)
		return m
	case RGBA:
		m := image.NewRGBA(r)
		copy(m.Pix, p.Pixels)
		return m
	case NRGBA64:
		m := image.NewNRGBA64(r)
		copy(m.Pix, p.Pixels)
		return m
	case Paletted:
		return p.paletted(r, nil)
	}
	m := image.NewNRGBA(r)
	copy(m.Pix, p.Pixels)
	return m
}

// paletted returns the picture with a palette, which has at least two colours.
func (p Picture) paletted(r image.Rectangle, colours []byte) *image.Paletted {
	palette := color.Palette{color.Black, color.White}
	for i := 0; i+2 < len(colours) && len(palette) < 256; i += 3 {
		palette = append(palette, color.RGBA{colours[i], colours[i+1], colours[i+2], 255})
	}
	m := image.NewPaletted(r, palette)
	for i, b := range p.Pixels[:min(len(p.Pixels), len(m.Pix))] {
		m.Pix[i] = b % uint8(min(255, len(palette)))
	}
	return m
}

// Compressed is a PNG image with a level of compression.
type Compressed struct {
	Picture
	Level uint8
}

// PNG encodes an image.
func PNG(v Compressed) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: -png.CompressionLevel(v.Level % 4)}
	err := e.Encode(&b, v.image())
	return b.Bytes(), err
}

// JPEG encodes an image; the level is its quality.
func JPEG(v Compressed) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, v.image(), &jpeg.Options{Quality: 1 + int(v.Level)%100})
	return b.Bytes(), err
}

// BMP encodes an image.
func BMP(v Picture) ([]byte, error) {
	var b bytes.Buffer
	err := bmp.Encode(&b, v.image())
	return b.Bytes(), err
}

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

// Sound is a WAV file.
type Sound struct {
	Channels, Bits uint16
	Rate           uint32
	Samples        []byte
	Chunks         []Chunk // further chunks, before the samples
}

// Chunk is a part of a WAV file.
type Chunk struct {
	ID   [4]byte
	Data []byte
}

// WAV encodes a sound.
func WAV(v Sound) ([]byte, error) {
	body := []byte("WAVE")
	add := func(id string, data []byte) {
		body = append(body, id...)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(data)))
		if body = append(body, data...); len(data)%2 == 1 {
			body = append(body, 0)
		}
	}
	channels, bits := 1+v.Channels%8, 8*(1+v.Bits%4)
	block := channels * bits / 8
	var f []byte
	f = binary.LittleEndian.AppendUint16(f, 1) // not compressed
	f = binary.LittleEndian.AppendUint16(f, channels)
	f = binary.LittleEndian.AppendUint32(f, v.Rate)
	f = binary.LittleEndian.AppendUint32(f, v.Rate*uint32(block))
	f = binary.LittleEndian.AppendUint16(f, block)
	f = binary.LittleEndian.AppendUint16(f, bits)
	add("fmt ", f)
	for _, c := range v.Chunks {
		add(string(c.ID[:]), c.Data)
	}
	add("data", v.Samples)
	out := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(body)))...)
	return append(out, body...), nil
}
