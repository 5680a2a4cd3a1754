package observe

import (
	"flag"
	"fmt"
	"io"
	"log/slog"
	"regexp"
)

// Log says how a program writes its log. The zero value is text from level INFO on.
type Log struct {
	JSON  bool
	Level slog.Level
}

// Flags adds the flags -log and -log-level.
func (l *Log) Flags(flags *flag.FlagSet) {
	flags.Func("log", "format of the log: text or json (default text)", func(format string) error {
		if format != "text" && format != "json" {
			return fmt.Errorf("want text or json")
		}
		l.JSON = format == "json"
		return nil
	})
	flags.TextVar(&l.Level, "log-level", l.Level, "least level that is logged: debug, info, warn or error")
}

// Logger returns a logger that writes to w. It hides keys and tokens, see hide.
func (l Log) Logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: l.Level, ReplaceAttr: hideAttr}
	if l.JSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// secret matches a seed of an nkey, a JWT and a PEM block that holds a private key.
var secret = regexp.MustCompile(`\bS[A-Z][A-Z2-7]{56}\b` +
	`|\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+` +
	`|(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)`)

// hide replaces secrets in a text. No code may log a credential, but errors of libraries sometimes
// quote their input, and a log is copied to places where it stays for years.
func hide(text string) string { return secret.ReplaceAllLiteralString(text, "[hidden]") }

func hideAttr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(hide(v))
	case []byte:
		a.Value = slog.StringValue(hide(string(v)))
	case error, fmt.Stringer:
		// Times and durations are Stringers too, and stay what they are. Sprint also survives
		// a nil pointer.
		if text := fmt.Sprint(v); hide(text) != text {
			a.Value = slog.StringValue(hide(text))
		}
	}
	return a
}
