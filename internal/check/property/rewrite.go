//go:build go1.25

package property

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/value/codec"
)

// rewrite writes a stored case again, after fields of its type were renamed or removed, and
// returns its new text. The lines above its expression stay as they are. A case that does not
// fit after the renames is not changed. It fails the test if it has one of the renamed fields.
func rewrite(p *Property, file string, data []byte, belongs func(test string) bool) []byte {
	p.TB.Helper()
	if h, err := codec.ReadHeader(file, data); err != nil || h.Test != "" && !belongs(h.Test) {
		return data
	}
	before, _, err := decode(p, file, data, nil)
	if err == nil && len(before.Losses) == 0 {
		return data // nothing was renamed in this case
	}
	keys := p.Config.Renames.Keys(before.Losses)
	for _, key := range keys {
		renamed.Store(renamedKey{p.TB.Name(), key}, true)
	}
	k, q, err := decode(p, file, data, p.Config.Renames)
	if err == nil && len(k.Losses) > 0 {
		err = fmt.Errorf("%s:%s", file, k.Losses[0])
	}
	if err != nil {
		if len(keys) > 0 { // otherwise the caller reports the case
			p.TB.Errorf("allele: -allele.rewrite did not change %v", err)
		}
		return data
	}
	var changed []byte
	if q.Reading == Fields {
		changed = codec.WithFields(codec.WithoutFields(data), q.CaseText(k.Term))
	} else {
		changed = codec.WithExpr(data, q.CaseText(k.Term))
	}
	if err := casefile.Write(At(file), changed); err != nil {
		p.TB.Errorf("allele: cannot rewrite %s: %v", file, err)
		return data
	}
	if q == p {
		AddFields(p, file, k.Term)
	}
	Say(p, "rewrote "+file)
	return changed
}

// renamed has the keys of Renames for which the stored cases of a test had fields.
var renamed sync.Map

// expecting has the tests that expectRenames looks at when they end.
var expecting sync.Map

type renamedKey struct{ test, key string }

// expectRenames fails a test at its end if -run names this test only, and none of its stored cases has
// a field that -allele.rewrite names. If more tests run, others may have such cases.
func expectRenames(p *Property) {
	run := flag.Lookup("test.run")
	if name := p.TB.Name(); p.Job.Mode != job.Plain || run == nil || run.Value.String() != name && run.Value.String() != NamePattern(name) {
		return
	}
	if _, done := expecting.LoadOrStore(p.TB, true); done {
		return
	}
	p.TB.Cleanup(func() {
		p.TB.Helper()
		expecting.Delete(p.TB)
		for _, key := range slices.Sorted(maps.Keys(p.Config.Renames)) {
			if _, ok := renamed.Load(renamedKey{p.TB.Name(), key}); ok {
				continue
			}
			what := fmt.Sprintf("a field %s that its type does not have", key)
			if dot := strings.LastIndexByte(key, '.'); dot >= 0 {
				what = fmt.Sprintf("a field %s in a %s that the type does not have", key[dot+1:], key[:dot])
			}
			p.TB.Errorf("allele: -allele.rewrite %s=%s: no stored case of %s has %s", key, p.Config.Renames[key], p.TB.Name(), what)
		}
	})
}
