//go:build go1.25

package schema

import (
	"reflect"
	"time"
)

var timeFuncs = []*Func{timeSeconds, timeDate, timeUnix, timeZoned, timeZero}

// date has the arguments of time.Date.
type date struct {
	Year              int
	Month             time.Month
	Day, Hour, Minute int
	Second, Nano      int
}

// timeDate makes the times that are most common in code: times of the present
// decades, in UTC.
var timeDate = func() *Func {
	f := setting("time.Date(_0, _1, _2, _3, _4, _5, _6, time.UTC)", func(dst *time.Time, d *date) {
		*dst = time.Date(d.Year, d.Month, d.Day, d.Hour, d.Minute, d.Second, d.Nano, time.UTC)
	})
	limits := []Decl{
		rangeOf(1970, 2069), rangeOf[time.Month](1, 12), rangeOf(1, 31),
		rangeOf(0, 23), rangeOf(0, 59), rangeOf(0, 59), rangeOf(0, 999_999_999),
	}
	for i, limit := range limits {
		f.Args[i].Decls = []Decl{limit}
	}
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		t := v.Interface().(time.Time)
		args := values(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond())
		return args, t.Location() == time.UTC && t.Year() >= 1970 && t.Year() < 2070
	}
	return f
}()

// timeZoned makes times in other zones than UTC. Two such times can be Equal without
// being ==. Offsets are whole minutes, as in all zones of today: RFC 3339 has no seconds in
// an offset, so a time with such an offset changes when it is written and read.
var timeZoned = func() *Func {
	f := func2("time.Unix(_0, 0).In(time.FixedZone(\"\", 60*_1))", func(sec int64, minutes int) time.Time {
		return time.Unix(sec, 0).In(time.FixedZone("", 60*minutes))
	})
	f.Args[0].Decls = []Decl{rangeOf[int64](0, 4102444800)}
	f.Args[1].Decls = []Decl{rangeOf(-12*60, 14*60)}
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		t := v.Interface().(time.Time)
		name, offset := t.Zone()
		args := values(t.Unix(), offset/60)
		return args, name == "" && t.Location().String() == "" && offset%60 == 0 && t.Nanosecond() == 0
	}
	return f
}()

// timeSeconds is the hidden builder of times whose offset is in seconds. Cases may
// contain such times.
var timeSeconds = func() *Func {
	f := func2("time.Unix(_0, 0).In(time.FixedZone(\"\", _1))", func(sec int64, offset int) time.Time {
		return time.Unix(sec, 0).In(time.FixedZone("", offset))
	})
	f.Args[0].Decls = []Decl{rangeOf[int64](0, 4102444800)}
	f.Args[1].Decls = []Decl{rangeOf(-12*3600, 14*3600)}
	f.hidden = true
	return f
}()

// timeUnix makes all other times that RFC 3339, and so JSON, can represent.
var timeUnix = func() *Func {
	f := func2("time.Unix(_0, _1).UTC()", func(sec, nsec int64) time.Time { return time.Unix(sec, nsec).UTC() })
	f.Args[0].Decls = []Decl{rangeOf[int64](-62135596800, 253402300799)}
	f.Args[1].Decls = []Decl{rangeOf[int64](0, 999_999_999)}
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		t := v.Interface().(time.Time)
		return values(t.Unix(), int64(t.Nanosecond())), t.Location() == time.UTC && !t.IsZero()
	}
	return f
}()

var timeZero = func() *Func {
	f := func0("time.Time{}", func() time.Time { return time.Time{} })
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.Interface() == any(time.Time{}) }
	return f
}()

// locationFuncs make UTC and zones with a fixed offset, in whole minutes as in timeZoned. The
// zone of the machine is never generated, because inputs would not be the same elsewhere.
var locationFuncs = func() []*Func {
	fs := []*Func{
		hiddenZero[*time.Location]("(*time.Location)(nil)"), newZero[time.Location](),
		func0("time.Local", func() *time.Location { return time.Local }),
		func2("time.FixedZone(_0, _1)", time.FixedZone),
		func0("time.UTC", func() *time.Location { return time.UTC }),
		func2("time.FixedZone(_0, 60*_1)", func(name string, minutes int) *time.Location { return time.FixedZone(name, 60*minutes) }),
	}
	fs[2].hidden, fs[3].hidden = true, true
	is := func(l *time.Location) func(v reflect.Value) ([]reflect.Value, bool) {
		return func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.Interface() == any(l) }
	}
	fs[2].invert, fs[4].invert = is(time.Local), is(time.UTC)
	fs[3].invert = func(v reflect.Value) ([]reflect.Value, bool) { return fixedZone(v.Interface().(*time.Location), 1) }
	fs[5].invert = func(v reflect.Value) ([]reflect.Value, bool) { return fixedZone(v.Interface().(*time.Location), 60) }
	fs[5].Args[0].Decls = []Decl{valuesOf("", "CET", "EST", "X")}
	fs[5].Args[1].Decls = []Decl{rangeOf(-12*60, 14*60)}
	return fs
}()

// fixedZone returns the name of a zone that always has the same offset, and the offset in units
// of so many seconds.
func fixedZone(l *time.Location, unit int) ([]reflect.Value, bool) {
	if l == nil || l == time.UTC || l == time.Local {
		return nil, false
	}
	name, offset := time.Unix(0, 0).In(l).Zone()
	return values(name, offset/unit), offset%unit == 0 && reflect.DeepEqual(l, time.FixedZone(name, offset))
}
