//go:build planted

package orderedmap

// planted turns on a bug that the properties must find.
const planted = true
