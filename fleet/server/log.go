package server

import (
	"fmt"
	"log/slog"
)

// A logger passes what the NATS server reports to slog. Debug and trace lines are dropped: trace lines
// have the content of messages.
type logger struct {
	to    *slog.Logger
	fatal chan string // the first fatal report
}

func newLogger(to *slog.Logger) *logger {
	return &logger{to.With("component", "nats"), make(chan string, 1)}
}

// Noticef reports progress.
func (l *logger) Noticef(format string, v ...any) { l.to.Info(fmt.Sprintf(format, v...)) }

// Warnf reports what may become a problem.
func (l *logger) Warnf(format string, v ...any) { l.to.Warn(fmt.Sprintf(format, v...)) }

// Errorf reports a problem.
func (l *logger) Errorf(format string, v ...any) { l.to.Error(fmt.Sprintf(format, v...)) }

// Fatalf reports that the server cannot go on. It does not end the process: Start returns the text.
func (l *logger) Fatalf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.to.Error(text)
	select {
	case l.fatal <- text:
	default:
	}
}

// Debugf drops a line.
func (l *logger) Debugf(string, ...any) {}

// Tracef drops a line.
func (l *logger) Tracef(string, ...any) {}
