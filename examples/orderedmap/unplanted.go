//go:build go1.25 && !planted

package orderedmap

const planted = false
