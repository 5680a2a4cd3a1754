package access

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/jwt/v2"
)

// A Node is what a server needs to know who may connect to it. It has no key that signs.
type Node struct {
	Operator      *jwt.OperatorClaims
	SystemAccount string // public key
	SystemJWT     string
	TLS           *tls.Config // for clients
	RouteTLS      *tls.Config // for the other servers
}

// LoadNode reads dir/node, which Create or ExportNode has made.
func LoadNode(dir string) (*Node, error) {
	folder := filepath.Join(dir, nodeFolder)
	token, err := os.ReadFile(filepath.Join(folder, operatorJWT))
	if err != nil {
		return nil, fmt.Errorf("load node: %w; on the host with the authority run: allele-fleet serve -dir %s", err, dir)
	}
	n := &Node{}
	if n.Operator, err = jwt.DecodeOperatorClaims(string(token)); err != nil {
		return nil, fmt.Errorf("load node: %s: %w", operatorJWT, err)
	}
	if token, err = os.ReadFile(filepath.Join(folder, systemJWT)); err != nil {
		return nil, fmt.Errorf("load node: %w", err)
	}
	system, err := jwt.DecodeAccountClaims(string(token))
	if err != nil || system.Subject != n.Operator.SystemAccount || !n.Operator.DidSign(system) {
		return nil, fmt.Errorf("load node: %s does not belong to %s", systemJWT, operatorJWT)
	}
	n.SystemAccount, n.SystemJWT = system.Subject, string(token)
	if n.TLS, err = nodeTLS(folder, caCert, serverCert, serverKey); err != nil {
		return nil, err
	}
	n.RouteTLS, err = nodeTLS(folder, routeCACert, routeCert, routeKey)
	return n, err
}

func nodeTLS(folder, ca, cert, key string) (*tls.Config, error) {
	roots, err := os.ReadFile(filepath.Join(folder, ca))
	if err != nil {
		return nil, fmt.Errorf("load node: %w", err)
	}
	certText, err := os.ReadFile(filepath.Join(folder, cert))
	if err != nil {
		return nil, fmt.Errorf("load node: %w", err)
	}
	keyText, err := readSecret(filepath.Join(folder, key))
	if err != nil {
		return nil, err
	}
	return mutualTLS(roots, certText, keyText)
}

// mutualTLS is the one place that says how everybody talks to everybody: TLS 1.3, and both sides prove
// that the fleet's own authority has signed their certificate. The authorities of the system do not count.
func mutualTLS(roots, cert, key []byte) (*tls.Config, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(roots) {
		return nil, fmt.Errorf("the CA certificate is not PEM")
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("certificate and key: %w", err)
	}
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{pair},
		RootCAs:      pool,
		ClientCAs:    pool,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}, nil
}

// Ends returns when the first certificate of the node ends.
func (n *Node) Ends() time.Time {
	end := n.TLS.Certificates[0].Leaf.NotAfter
	if other := n.RouteTLS.Certificates[0].Leaf.NotAfter; other.Before(end) {
		return other
	}
	return end
}
