package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// exposureMax is the highest exposure that "systemd-analyze security" may report, in tenths. Both
// units had at most 14 with systemd 252. Other versions count a little differently.
const exposureMax = "20"

var units = []string{"allele-agent.service", "allele-fleet.service"}

// unit writes a unit to a folder, with a command that exists, since systemd looks for it.
func unit(t *testing.T, name string, replace ...string) string {
	t.Helper()
	replace = append(replace, "/usr/local/bin/allele-fleet", "/bin/true")
	text := strings.NewReplacer(replace...).Replace(string(read(t, "systemd/"+name)))
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func needSystemd(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed: apt-get install systemd")
	}
}

func TestUnitsVerify(t *testing.T) {
	needSystemd(t)
	for _, name := range units {
		out, err := run("systemd-analyze", "verify", "--man=no", unit(t, name))
		if err != nil || out != "" {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	// Verify exits with 0 after an unknown key, so its output is what counts.
	out, _ := run("systemd-analyze", "verify", "--man=no", unit(t, units[0], "\nRestart=", "\nRestrat="))
	if !strings.Contains(out, "Restrat") {
		t.Errorf("a unit with a wrong key passes: %q", out)
	}
}

func TestUnitsAreHardened(t *testing.T) {
	needSystemd(t)
	for _, name := range units {
		out, err := run("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold="+exposureMax, unit(t, name))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	out, err := run("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold="+exposureMax,
		unit(t, units[1], "\nProtectSystem=", "\n#", "\nSystemCallFilter=", "\n#", "\nCapabilityBoundingSet=", "\n#"))
	if err == nil {
		t.Errorf("a unit that is not hardened passes: %s", out)
	}
}

// TestUnitsStop checks that systemd waits longer than an agent needs to end: 30 s.
func TestUnitsStop(t *testing.T) {
	for _, name := range units {
		text := string(read(t, "systemd/"+name))
		for _, want := range []string{"KillSignal=SIGTERM", "KillMode=mixed", "Restart=always", "MemoryMax=", "NoNewPrivileges=yes"} {
			if !strings.Contains(text, "\n"+want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
		if !strings.Contains(text, "\nTimeoutStopSec=45s") && !strings.Contains(text, "\nTimeoutStopSec=90s") {
			t.Errorf("%s: TimeoutStopSec is missing or too short", name)
		}
	}
}
