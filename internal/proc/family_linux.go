//go:build go1.25

package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// Family returns the memory of this process and of all processes below it, by their number: of each the bytes that are
// in use. It returns nil if that is not known.
func Family() map[int]int64 {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	below := map[int][]int{}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if parent, ok := parentOf(pid); ok {
				below[parent] = append(below[parent], pid)
			}
		}
	}
	family := map[int]int64{}
	var add func(pid int)
	add = func(pid int) {
		if _, known := family[pid]; known {
			return
		}
		if family[pid] = resident(pid); len(family) < familyMax {
			for _, child := range below[pid] {
				add(child)
			}
		}
	}
	add(os.Getpid())
	return family
}

// familyMax is more processes than tests start.
const familyMax = 10_000

// parentOf returns the parent of a process. It follows the state, which follows the name in parentheses.
func parentOf(pid int) (parent int, ok bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return parent, err == nil
}

func resident(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, pages int64
	if n, _ := fmt.Sscan(string(data), &size, &pages); err != nil || n != 2 {
		return 0 // it has exited
	}
	return pages * int64(os.Getpagesize())
}

// MachineMemory returns how many bytes of memory this process may hope for: those of the machine, or of the control
// group that it is in. It returns 0 if that is not known.
func MachineMemory() int64 {
	var total int64
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		fmt.Sscanf(string(data), "MemTotal: %d kB", &total)
	}
	total <<= 10
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		data, err := os.ReadFile(file)
		limit, wrong := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64)
		if err == nil && wrong == nil && limit > 0 && (total == 0 || limit < total) { // without a limit, it is the word max
			total = limit
		}
	}
	return total
}
