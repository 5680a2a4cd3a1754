//go:build go1.25

package sick

import (
	"testing"

	"github.com/allele-go/allele/internal/score/suite"
)

func init() {
	suite.Add([]testing.InternalTest{
		{"TestAdd", TestAdd}, {"TestSum", TestSum}, {"TestDepth", TestDepth}, {"TestDeeper", TestDeeper}, {"TestSearch", TestSearch}, {"TestOverrun", TestOverrun}, {"TestMake", TestMake},
		{"TestLock", TestLock}, {"TestSet", TestSet}, {"TestLimit", TestLimit}, {"TestCount", TestCount}, {"TestQuit", TestQuit},
		{"TestStart", TestStart}, {"TestTable", TestTable}, {"TestWarm", TestWarm}, {"TestCache", TestCache}, {"TestGrow", TestGrow}, {"TestStubborn", TestStubborn},
		{"TestLeave", TestLeave}, {"TestSpin", TestSpin}, {"TestMove", TestMove}, {"TestIndex", TestIndex},
		{"TestPooled", TestPooled}, {"TestLazy", TestLazy}, {"TestTimer", TestTimer}, {"TestBusy", TestBusy},
		{"TestTwoFirst", TestTwoFirst}, {"TestTwoSecond", TestTwoSecond}, {"TestWork", TestWork}, {"TestParallel", TestParallel},
		{"TestPlace", TestPlace}, {"TestFails", TestFails}, {"TestSkips", TestSkips}, {"TestPanics", TestPanics},
		{"TestDies", TestDies}, {"TestBlocks", TestBlocks}, {"TestFlaky", TestFlaky}, {"TestHelper", TestHelper},
	}, []testing.InternalExample{{"ExampleGreet", ExampleGreet, "hello\n", false}})
}

func TestAlleleSuite_(t *testing.T) { suite.Run(t) }
