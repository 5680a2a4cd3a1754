// Package protos measures whether generated protobuf messages derive, and whether they are valid: they must be the
// same after they are written and read, in the wire format and in JSON.
package protos
