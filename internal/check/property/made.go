//go:build go1.25

package property

// Made returns what the input of the current run was made from, if the property has an encoder: the value as Go code,
// and the bytes that the encoder makes of it. The input may be other bytes: those of an encoder with a fault, or changed
// ones. Made is nil unless a search makes the run.
var Made func() (value string, encoded []byte, ok bool)
