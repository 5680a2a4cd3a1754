package main

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/proc/share"
)

// item is a line of an export: a case or a failure.
type item struct {
	Key    string `json:"key"`
	Worker string `json:"worker"`
	Input  string `json:"input,omitempty"` // of a case, as Go, for people
	Data   []byte `json:"data"`
}

const (
	casesName    = "cases.jsonl"
	failuresName = "failures.jsonl"
	lineMax      = 96 << 20 // the data of a failure, in base64
)

// export writes all cases and failures to a zip file.
func export(k *call) error {
	var p place
	p.register(k)
	out := k.String("o", "", "write to this `file`")
	if err := k.parseAll(); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	if *out == "" {
		return errors.New("name a file: -o FILE")
	}
	c, err := p.connect(access.Readers(jet.Camp, jet.Fail, jet.Corpus)...)
	if err != nil {
		return err
	}
	defer c.close()
	if _, err := c.readOrder(k); err != nil {
		return err
	}
	part := *out + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(part) // after the rename there is none
	cases, failures, err := c.write(k, f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, *out); err != nil {
		return err
	}
	fmt.Fprintf(k.stdout, "wrote %s: %d cases, %d failures\n", *out, cases, failures)
	return nil
}

func (c *connection) write(k *call, to io.Writer) (cases, failures int, err error) {
	z := zip.NewWriter(to)
	w, err := z.Create(failuresName) // the most important first
	if err != nil {
		return 0, 0, err
	}
	enc := json.NewEncoder(w)
	if _, err = c.Failures(k, 0, func(f transport.Failure) error {
		failures++
		return enc.Encode(item{Key: hex.EncodeToString(f.Key[:]), Worker: f.Worker, Data: f.Data})
	}); err != nil {
		return 0, 0, err
	}
	if w, err = z.Create(casesName); err != nil {
		return 0, 0, err
	}
	enc = json.NewEncoder(w)
	_, err = c.Cases(k, 0, func(a transport.Accepted) error {
		cases++
		one := item{Key: hex.EncodeToString(a.Key[:]), Worker: a.Worker, Data: a.Data}
		if m, ok := share.Open(a.Data); ok {
			m, _ := m.Decode()
			one.Input = m.Text
		}
		return enc.Encode(one)
	})
	if err != nil {
		return 0, 0, err
	}
	return cases, failures, z.Close()
}

// imports reads an export into a campaign.
func imports(k *call) error {
	var p place
	p.register(k)
	rest, err := k.parse()
	if err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	if len(rest) != 1 {
		return errors.New("name one file of allele-fleet export")
	}
	c, err := p.connect(access.Worker, access.Admin)
	if err != nil {
		return err
	}
	defer c.close()
	if _, err := c.readOrder(k); err != nil {
		return err
	}
	z, err := zip.OpenReader(rest[0])
	if err != nil {
		return fmt.Errorf("%s: %w", rest[0], err)
	}
	defer z.Close()
	worker := "import-" + rand.Text()
	added := map[string]int{}
	for name, give := range map[string]func(context.Context, transport.Key, []byte) (bool, error){
		failuresName: func(ctx context.Context, key transport.Key, data []byte) (bool, error) {
			return c.Report(ctx, transport.Failure{Key: key, Worker: worker, Data: data})
		},
		casesName: func(ctx context.Context, key transport.Key, data []byte) (bool, error) {
			return c.Offer(ctx, transport.Case{Key: key, Worker: worker, Data: data})
		},
	} {
		if added[name], err = read(k, z, name, give); err != nil {
			return err
		}
	}
	fmt.Fprintf(k.stdout, "added %d cases and %d failures that the campaign did not have\n", added[casesName], added[failuresName])
	return nil
}

// read reads the items of a file in an export.
func read(k *call, z *zip.ReadCloser, name string, give func(context.Context, transport.Key, []byte) (bool, error)) (added int, err error) {
	f, err := z.Open(name)
	if err != nil {
		return 0, fmt.Errorf("this is no file of allele-fleet export: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, lineMax)
	for n := 1; lines.Scan(); n++ {
		var one item
		var key transport.Key
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return added, fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		if b, err := hex.DecodeString(one.Key); err != nil || copy(key[:], b) != len(key) {
			return added, fmt.Errorf("%s, line %d: %q is no key", name, n, one.Key)
		}
		ctx, cancel := context.WithTimeout(k, time.Minute)
		first, err := give(ctx, key, one.Data)
		cancel()
		if err != nil {
			return added, fmt.Errorf("%s, line %d: %w; run the command again to go on", name, n, err)
		}
		if first {
			added++
		}
	}
	return added, lines.Err()
}
