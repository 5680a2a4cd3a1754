// Package image has the formats of images: PNG, JPEG and BMP here, GIF with its frames in gif.go.
//
// A Picture is small numbers and bytes, and every value of it is an image: sizes are taken modulo
// the longest side, and pixels that are missing are zero. So a change of a value, however small, is
// a change of the image, and never an error.
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(image.PNG))
//	data, err := image.PNG(image.Compressed{Picture: image.Picture{Width: 7, Model: image.Paletted}})
package image

import (
	"bytes"
	"image"
	"image/color"
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
