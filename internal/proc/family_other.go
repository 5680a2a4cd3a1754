//go:build go1.25 && !linux

package proc

// Family returns nil: this system does not tell the memory of other processes in a simple way.
func Family() map[int]int64 { return nil }

// MachineMemory returns 0, because the memory of the machine is not known here.
func MachineMemory() int64 { return 0 }
