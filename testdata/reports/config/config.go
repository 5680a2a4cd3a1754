package config

import "time"

type Level uint8

const (
	Quiet Level = iota
	Normal
	Loud
)

type Config struct {
	Name    string
	Labels  map[string]string
	Limits  map[string]map[Level]int
	Retry   *int
	Since   time.Time
	Volume  Level
	Backups []Backup
}

type Backup struct {
	Host  string
	Every time.Duration
}

// Loudest is the highest limit of a name at the configured volume.
func (c *Config) Loudest(name string) int {
	limits := c.Limits[name]
	best := 0
	for _, v := range limits {
		best = max(best, v)
	}
	return 100 / (100 - best)
}
