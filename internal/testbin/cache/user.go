//go:build go1.25

package cache

import (
	"fmt"
	"os"
	"runtime"
)

// User returns the folder for the caches of this user. The error says what to set.
func User() (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		return cache, nil
	}
	set := "XDG_CACHE_HOME or HOME"
	switch runtime.GOOS {
	case "windows":
		set = "LocalAppData"
	case "darwin", "ios":
		set = "HOME"
	case "plan9":
		set = "home"
	}
	return "", fmt.Errorf("there is no folder for the cache: %w; set %s to a folder that you can write to", err, set)
}
