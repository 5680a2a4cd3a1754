//go:build go1.25

package worth

import "testing"

func TestQuiet(t *testing.T) {
	const text, remove = "constant", "delete"
	tests := []struct {
		body     body
		operator string
		want     string
	}{
		{"err = errors.New(«`no file`»)", text, ErrorText},
		{"err = fmt.Errorf(«`no file %s`», s)", text, ErrorText},
		{"err = fmt.Errorf(`line %d`, «1»)", text, ErrorText},
		{"err = fmt.Errorf(`line %d`, x + «1»)", text, ""},
		{"err = fmt.Errorf(label(«`a`»))", text, ""},
		{"s = fmt.Sprintf(«`%s`», s)", text, ""},
		{"err = errorf(«`no file`»)", text, ""}, // may do more than make an error
		{"panic(«`no file`»)", text, ""},
		{"«errors.New(`a`)»", remove, ""},

		{"«log.Printf(`%d`, x)»", remove, LogLine},
		{"log.Printf(«`%d`», x)", text, LogLine},
		{"log.Printf(`%d`, x + «1»)", text, ""},
		{"«log.Printf(`%s`, err.Error())»", remove, LogLine},
		{"«log.Printf(`%s`, label(s))»", remove, ""},
		{"«log.Printf(`%s`, time.Now())»", remove, LogLine},
		{"log.Fatal(«`no file`»)", text, LogLine},
		{"«log.Fatal(`no file`)»", remove, ""},
		{"«log.SetPrefix(`a`)»", remove, ""},
		{"«log.New(os.Stderr, ``, 0).Println(`a`)»", remove, LogLine},
		{"«slog.Info(`a`, `b`, 1)»", remove, LogLine},
		{"«slog.Default().DebugContext(context.TODO(), `a`)»", remove, LogLine},
		{"«slog.SetDefault(nil)»", remove, ""},
		{"«fmt.Println(`a`)»", remove, ""},
		{"«fmt.Fprintln(os.Stderr, `a`)»", remove, ""},
		{"«log1.Infof(`a`)»", remove, ""}, // a logger of this package
		{"«pr.Printf(`a`)»", remove, ""},  // an interface that is not called Logger
		{"func f1(t testing.TB) { «t.Log(`a`)» }", remove, LogLine},
		{"func f1(t testing.TB) { «t.Error(`a`)» }", remove, ""},
		{"type logger interface { Debugf(string, ...any) }; func f1(l logger) { «l.Debugf(`a`)» }", remove, LogLine},
		{"func f1(l interface { Debugf(string, ...any) }) { «l.Debugf(`a`)» }", remove, ""},
	}
	for _, tt := range tests {
		p, c := tt.body.change(t, tt.operator, map[string]string{text: `""`}[tt.operator])
		if got := p.Quiet(c); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.operator, tt.body, got, tt.want)
		}
	}
}
