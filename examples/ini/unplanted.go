//go:build go1.25 && !planted

package ini

const planted = false
