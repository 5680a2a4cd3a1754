// Package sound has the formats of sounds: WAV.
//
// A WAV file is chunks, each with a name and a length. The chunk with the samples is the last one, and the first one
// says how to read them. Both agree with each other and with the lengths, whatever the value is.
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(sound.WAV))
package sound

import "encoding/binary"

// Wave is the content of a WAV file.
type Wave struct {
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

// WAV encodes a sound without compression.
func WAV(v Wave) ([]byte, error) {
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
