// Package consts declares constants in every way Go has.
package consts

import "time"

type Color uint8

const (
	Red Color = iota
	_
	Blue
	Last = Blue
)

type (
	Flags  uint16
	Name   string
	Ratio  float64
	Weight = float32
)

const (
	A, B Flags = 1 << iota, 1<<iota + 100
	C, D
	All = ^Flags(0)
)

const (
	Adam Name = "adam"
	Eve       = Name("eve")
	Both      = Adam + "&" + Eve
)

const Half, One Ratio = 0.5, 1

const (
	Untyped  = 'a' + len("bcd")
	Wait     = 3 * time.Second
	Loop     = Loop2 + 1
	Loop2    = Loop
	Unknown  = undeclared + 1
	Crash    = 1 / 0
	Text     = "x" - 1
	Overflow = 1 << 100000
)

func f() {
	const inner Color = 9
	type Inner int
}
