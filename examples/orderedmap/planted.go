//go:build planted

package orderedmap

// planted enables a bug that the properties must find.
const planted = true
