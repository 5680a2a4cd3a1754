package cluster

import (
	"errors"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Embedded starts one server in this process, which stores its data in a folder. change may be nil, or
// changes the options before the start.
func Embedded(folder string, change func(*server.Options)) (s *server.Server, stop func(), err error) {
	o := &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: folder, NoSigs: true, NoLog: true}
	if change != nil {
		change(o)
	}
	if s, err = server.NewServer(o); err != nil {
		return nil, nil, err
	}
	s.Start()
	stop = func() {
		s.Shutdown()
		s.WaitForShutdown()
	}
	if !s.ReadyForConnections(time.Minute) {
		stop()
		return nil, nil, errors.New("the server does not start")
	}
	return s, stop, nil
}
