package cluster

import (
	"net"
	"sync"
)

// Proxy passes connections on to a server, and can be cut.
type Proxy struct {
	target   string
	listener net.Listener

	mu    sync.Mutex
	state state
	news  chan struct{} // closed when the state changes, and replaced
	conns map[net.Conn]bool
}

type state int

const (
	passing state = iota
	refusing
	silent // connections stay open, and nothing comes through
	closed
)

// NewProxy returns a proxy for a server. It listens on the loopback interface.
func NewProxy(target string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: target, listener: l, news: make(chan struct{}), conns: map[net.Conn]bool{}}
	go p.accept()
	return p, nil
}

// Address is where the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut stops all traffic. If silent is true the connections stay open and new ones are accepted. Otherwise all are closed.
func (p *Proxy) Cut(quiet bool) {
	if quiet {
		p.set(silent)
	} else {
		p.set(refusing)
	}
}

// Heal lets traffic through again. What was sent in silence is not lost.
func (p *Proxy) Heal() { p.set(passing) }

// Close ends the proxy. It may be nil.
func (p *Proxy) Close() {
	if p != nil {
		p.set(closed)
		p.listener.Close()
	}
}

func (p *Proxy) set(s state) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = s
	close(p.news)
	p.news = make(chan struct{})
	if s == refusing || s == closed {
		for c := range p.conns {
			c.Close()
			delete(p.conns, c)
		}
	}
}

// pass waits until traffic may pass. It reports false if that does not happen on these connections.
func (p *Proxy) pass(conns ...net.Conn) bool {
	for {
		p.mu.Lock()
		s, news, known := p.state, p.news, true
		for _, c := range conns {
			known = known && p.conns[c]
		}
		p.mu.Unlock()
		if s != silent {
			return s == passing && known
		}
		<-news
	}
}

// add remembers a connection, to close it.
func (p *Proxy) add(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == refusing || p.state == closed {
		c.Close()
		return false
	}
	p.conns[c] = true
	return true
}

func (p *Proxy) drop(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		c.Close()
		delete(p.conns, c)
	}
}

func (p *Proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		if p.add(c) {
			go p.serve(c)
		}
	}
}

func (p *Proxy) serve(c net.Conn) {
	defer p.drop(c)
	if !p.pass(c) {
		return
	}
	s, err := net.Dial("tcp", p.target)
	if err != nil || !p.add(s) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { p.copy(s, c) })
	both.Go(func() { p.copy(c, s) })
	both.Wait()
}

// copy passes on what comes, until a connection ends.
func (p *Proxy) copy(to, from net.Conn) {
	defer p.drop(to, from)
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 && p.pass(to, from) {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
