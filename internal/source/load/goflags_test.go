//go:build go1.25

package load

import (
	"slices"
	"strings"
	"testing"
)

func TestGoFlags(t *testing.T) {
	race, msan, asan, none := InForce{Race: true}, InForce{MSan: true}, InForce{ASan: true}, InForce{}
	for _, row := range []struct {
		flags string
		kept  string // - if the flags are refused
		on    InForce
	}{
		{"", " ", none},
		{"-race", "-race", race},
		{"-race -race=false", "-race -race=false", none},
		{"--race=1", "--race=1", race},
		{"-msan", "-msan", msan},
		{"-asan", "-asan", asan},
		{"-tags=a,b", "-tags=a,b", InForce{Tags: "a,b"}},
		{"'-tags=a b' -json", "'-tags=a b'", InForce{Tags: "a b"}},
		{`-v "-ldflags=-X 'm.x=1'"`, `"-ldflags=-X 'm.x=1'"`, InForce{Linker: true}},
		{"-trimpath -ldflags=-w -gcflags=-N -asmflags=-D=x -mod=vendor -modfile=x.mod -modcacherw -p=2 -a -buildvcs=false -pgo=off",
			"-trimpath -ldflags=-w -gcflags=-N -asmflags=-D=x -mod=vendor -modfile=x.mod -modcacherw -p=2 -a -buildvcs=false -pgo=off", InForce{Linker: true}},
		{"-toolexec=time -buildmode=pie -linkshared -installsuffix=x -pkgdir=d", "-toolexec=time -buildmode=pie -linkshared -installsuffix=x -pkgdir=d", none},
		{"-cover", " ", none},
		{"-cover -covermode=atomic -coverpkg=./... -coverprofile=c.out", " ", none},
		{"-json", " ", none},
		{"-c -o=x -exec= -vet=all -i", "-exec=", none},
		{"-v -x -n -work", " ", none},
		{"-run=X -count=1 -short -timeout=1s -test.cpu=2 -bench=. -parallel=3 -skip=Y -shuffle=on", " ", none},
		{"-overlay=x.json", "-", none},
		{"-exec=sudo", "-", none},
		{"-compiler=gccgo", "-", none},
		{"-compiler=gc", "-compiler=gc", none},
		{"-new=flag", "-new=flag", none},
	} {
		flags, ok := splitFlags(row.flags)
		if !ok {
			t.Errorf("%s: not split", row.flags)
		}
		kept, on, err := settle(flags)
		if err != nil {
			if row.kept != "-" || !strings.HasPrefix(err.Error(), "GOFLAGS contains "+row.flags+", but ") {
				t.Errorf("%s: %v", row.flags, err)
			}
			continue
		}
		if got := joinFlags(kept); got != row.kept || on != row.on {
			t.Errorf("%s: kept %q, want %q; in force %v, want %v", row.flags, got, row.kept, on, row.on)
		}
		if again, ok := splitFlags(joinFlags(kept)); !ok || !slices.Equal(again, kept) {
			t.Errorf("%s: %q is read as %q", row.flags, kept, again)
		}
	}
	if _, ok := splitFlags("'-tags=a"); ok {
		t.Error("a quote without its end is accepted")
	}
}
