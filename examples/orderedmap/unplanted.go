//go:build !planted

package orderedmap

const planted = false
