package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	// AgentAddress is where the page of an agent is by default.
	AgentAddress = "127.0.0.1:9798"
	// ServerAddress is where the page of a server is by default.
	ServerAddress = "127.0.0.1:9797"
)

const (
	headerMax   = 5 * time.Second  // a client that sends its request slower is cut off
	requestMax  = 30 * time.Second // a whole request with its answer
	idleMax     = 2 * time.Minute  // more than the usual time between scrapes, so that connections are used again
	headerBytes = 16 << 10
	scrapesMax  = 4 // at the same time; more get status 503
	closeMax    = 2 * time.Second
)

// Handler returns a handler that serves /metrics and /healthz, and nothing else.
func Handler(metrics prometheus.Gatherer, health *Health) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{
		// A metric that fails must not hide the others.
		ErrorHandling:       promhttp.ContinueOnError,
		MaxRequestsInFlight: scrapesMax,
	}))
	mux.HandleFunc("GET /healthz", health.serve)
	return mux
}

// HealthReport is the JSON of /healthz. Status is "ok" or "failing".
type HealthReport struct {
	Status  string   `json:"status"`
	Reasons []string `json:"reasons,omitempty"`
}

func (h *Health) serve(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), checkMax)
	defer cancel()
	report, code := HealthReport{Status: "ok", Reasons: h.Reasons(ctx)}, http.StatusOK
	if len(report.Reasons) > 0 {
		report.Status, code = "failing", http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(report) // the client may be gone, which is no error of ours
}

// A Page is a running HTTP server.
type Page struct {
	server   *http.Server
	listener net.Listener
	ended    chan struct{}
}

// Serve listens on an address and serves the handler in the background. An address without a
// host, such as ":9797", means 127.0.0.1: to be reachable from other hosts, name 0.0.0.0 or an
// address of this host. There is no authentication.
func Serve(address string, handler http.Handler) (*Page, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w; want HOST:PORT, for example %s", address, err, AgentAddress)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err // names the operation and the address
	}
	p := &Page{listener: listener, ended: make(chan struct{}), server: &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerMax,
		ReadTimeout:       requestMax,
		WriteTimeout:      requestMax,
		IdleTimeout:       idleMax,
		MaxHeaderBytes:    headerBytes,
	}}
	go func() {
		defer close(p.ended)
		p.server.Serve(listener) // always ends with an error: ErrServerClosed after Close
	}()
	return p, nil
}

// Addr returns the address that the page listens on, with the port that the system chose for 0.
func (p *Page) Addr() string { return p.listener.Addr().String() }

// Close stops the page. Requests get a short time to end.
func (p *Page) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeMax)
	defer cancel()
	if p.server.Shutdown(ctx) != nil {
		p.server.Close()
	}
	<-p.ended
}
