package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/internal/campaign/bundle"
)

// submit builds the tests of packages, sends them to the servers, and orders the agents to search.
func submit(k *call) error {
	var p place
	p.register(k)
	p.registerKey(k)
	k.StringVar(&p.servers, "servers", "", "addresses of the servers, a comma-separated `list` (default: as serve has written)")
	file := k.String("bundle", "", "send this `file` of allele pack, instead of building packages")
	replicas := k.Int("replicas", 0, "`number` of servers that store each case: 1, 3 or 5 (default: as before; 3 if there are three)")
	tool := k.String("allele", "go tool allele", "`command` that builds the tests")
	packages, err := k.parse()
	if err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	if *file != "" && len(packages) > 0 {
		return errors.New("give either -bundle or packages")
	}
	if k.isGiven("replicas") && !slices.Contains([]int{1, 3, 5}, *replicas) {
		return fmt.Errorf("-replicas: want 1, 3 or 5, not %d", *replicas)
	}
	name, err := p.ownerKey()
	if err != nil {
		return err
	}
	key, err := order.MakeKey(name)
	if err != nil {
		return err
	}
	public := key.Public().(ed25519.PublicKey)
	if p.cred == "" {
		if err := p.credentials(k, public); err != nil {
			return err
		}
	}
	c, err := p.connect(access.Submitter, access.Admin)
	if err != nil {
		return err
	}
	defer c.close()
	if !c.credential.Owner.Equal(public) {
		return fmt.Errorf("the agents of this campaign obey another key than %s; for credentials that name this one, run for each host: "+
			"allele-fleet grant -dir DIR -campaign %s -owner %s -o FILE", name, c.credential.Campaign,
			base64.StdEncoding.EncodeToString(public))
	}
	if *file == "" {
		built, remove, err := build(k, *tool, packages)
		if err != nil {
			return err
		}
		defer remove()
		*file = built
	}
	if err := c.create(k, *replicas); err != nil {
		return err
	}
	return c.send(k, key, *file, p)
}

// createMax is how long the servers may take to make or change all streams.
const createMax = time.Minute

// create makes the streams. A number of replicas that is not given stays as it is: a submit without -replicas must
// not take the copies away.
func (c *connection) create(k *call, replicas int) error {
	k, cancel := k.within(createMax)
	defer cancel()
	if replicas == 0 {
		js, err := jetstream.New(c.conn)
		if err != nil {
			return err
		}
		s, err := js.Stream(k, jet.Corpus)
		switch {
		case err == nil:
			replicas = s.CachedInfo().Config.Replicas
		case !errors.Is(err, jetstream.ErrStreamNotFound):
			return fmt.Errorf("read the configuration of the campaign: %w; the log of the servers says why: "+
				"too little free disk space, or fewer than two of three servers", err)
		case len(c.credential.Servers) >= 3:
			replicas = 3
		}
	}
	if replicas > 1 && c.conn.ConnectedClusterName() == "" {
		return fmt.Errorf("-replicas: the server runs alone and cannot store %s; for a cluster, see: allele-fleet node -h",
			copies(replicas))
	}
	if err := jet.Create(k, c.conn, jet.Options{Replicas: replicas}); err != nil {
		return fmt.Errorf("%w; to store %s of each case, as many servers must run", err, copies(replicas))
	}
	return nil
}

func copies(n int) string {
	if n <= 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}

// build packs the test binaries of packages into a file.
func build(k *call, tool string, packages []string) (file string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "allele-fleet-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	file = filepath.Join(dir, "bundle")
	args := slices.Concat(strings.Fields(tool), []string{"pack", "-o", file}, packages)
	cmd := exec.CommandContext(k, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = k.stdout, k.stderr
	if err := cmd.Run(); err != nil {
		remove()
		return "", nil, fmt.Errorf("%s pack: %w; if allele is not a tool of this module, run: "+
			"go get -tool github.com/allele-go/allele/cmd/allele", tool, err)
	}
	return file, remove, nil
}

// send sends a bundle and orders the agents to run it.
func (c *connection) send(k *call, key ed25519.PrivateKey, file string, p place) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := checkBundle(f, info.Size()); err != nil {
		return fmt.Errorf("%s: %w; go tool allele pack makes bundles", file, err)
	}
	hash, err := c.PutBin(k, f)
	if err != nil {
		return err
	}
	last, err := c.readOrder(k)
	if errors.Is(err, order.ErrSignature) {
		fmt.Fprintln(k.stderr, "allele-fleet submit: the order before this one was not signed by the owner; no agent has obeyed it")
	} else if err != nil {
		return err
	}
	o := last.Next(time.Now())
	o.Campaign, o.Bundle, o.Size, o.Drain = c.credential.Campaign, hash, info.Size(), false
	if err := c.putOrder(k, key, o); err != nil {
		return err
	}
	fmt.Fprintf(k.stdout, "campaign %s: order %d, bundle %.12s; agents start it within seconds\n", o.Campaign, o.Number, o.Bundle)
	if p.dir != "" {
		fmt.Fprintf(k.stdout, "on this host, start an agent with: allele-fleet agent -cred %s\n"+
			"for another host, run: allele-fleet grant -dir %s -campaign %s -o HOST.cred\n",
			quote(absolute(p.file("worker"))), quote(absolute(p.dir)), p.campaign)
	}
	return nil
}

// checkBundle makes sure that agents can unpack a bundle, and goes back to its beginning.
func checkBundle(f *os.File, size int64) error {
	dir, err := os.MkdirTemp("", "allele-fleet-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := bundle.Unpack(f, size, dir); err != nil {
		return err
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

func (c *connection) putOrder(k *call, key ed25519.PrivateKey, o order.Order) error {
	text, err := order.Sign(key, o)
	if err != nil {
		return err
	}
	return c.PutState(k, order.StateName, text)
}

// drain orders the agents to stop searching.
func drain(k *call) error {
	var p place
	p.register(k)
	k.StringVar(&p.key, "key", "", "`file` of the owner's key, with -cred")
	undo := k.Bool("undo", false, "order them to go on")
	if err := k.parseAll(); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	name, err := p.ownerKey()
	if err != nil {
		return err
	}
	key, err := order.LoadKey(name)
	if errors.Is(err, fs.ErrNotExist) && p.cred == "" {
		_, err = p.credential(access.Submitter) // says that there is no such campaign
	}
	if err != nil {
		return err
	}
	c, err := p.connect(access.Submitter, access.Admin)
	if err != nil {
		return err
	}
	defer c.close()
	k, cancel := k.within(readMax)
	defer cancel()
	o, err := c.readOrder(k)
	if err != nil {
		return err
	}
	if o.Number == 0 {
		return fmt.Errorf("there is no order yet; run: allele-fleet submit %s ./...", p.flags())
	}
	if o.Drain != *undo {
		fmt.Fprintln(k.stdout, "nothing to do: the order says so already")
		return nil
	}
	o = o.Next(time.Now())
	o.Drain = !*undo
	if err := c.putOrder(k, key, o); err != nil {
		return err
	}
	fmt.Fprintf(k.stdout, "order %d: agents will %s within seconds; to watch them, run: allele-fleet status %s\n", o.Number,
		map[bool]string{true: "stop", false: "search"}[o.Drain], p.flags())
	return nil
}
