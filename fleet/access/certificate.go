package access

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"slices"
	"time"
)

// Lifetimes of certificates. A client certificate lives as long as its credential.
const (
	caLifetime     = 10 * 365 * 24 * time.Hour
	serverLifetime = 365 * 24 * time.Hour
)

// clockSkew is how far the clocks of hosts may differ: certificates are valid from this long ago.
const clockSkew = 5 * time.Minute

// An issuer signs certificates.
type issuer struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// A request is what issue puts into a certificate.
type request struct {
	name     string
	hosts    []string
	usage    []x509.ExtKeyUsage
	from     time.Time
	lifetime time.Duration
}

// newCA returns the certificate and key of a new authority for certificates, as PEM.
func newCA(name string, now time.Time) (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("create CA: %w", err)
	}
	template, err := newTemplate(request{name: name, from: now, lifetime: caLifetime})
	if err != nil {
		return nil, nil, err
	}
	template.IsCA = true
	template.MaxPathLenZero = true
	template.KeyUsage = x509.KeyUsageCertSign
	return sign(template, &issuer{template, private}, private)
}

func newTemplate(r request) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("create certificate: %w", err)
	}
	t := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: r.name},
		NotBefore:             r.from.Add(-clockSkew),
		NotAfter:              r.from.Add(r.lifetime),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           r.usage,
		BasicConstraintsValid: true,
	}
	for _, host := range r.hosts {
		if ip := net.ParseIP(host); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, host)
		}
	}
	return t, nil
}

// issue returns a certificate and its key as PEM.
func (i *issuer) issue(r request) (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("create certificate: %w", err)
	}
	template, err := newTemplate(r)
	if err != nil {
		return nil, nil, err
	}
	return sign(template, i, private)
}

func sign(template *x509.Certificate, by *issuer, private *ecdsa.PrivateKey) (cert, key []byte, err error) {
	der, err := x509.CreateCertificate(rand.Reader, template, by.cert, private.Public(), by.key)
	if err != nil {
		return nil, nil, fmt.Errorf("create certificate: %w", err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, fmt.Errorf("create certificate: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), nil
}

func loadIssuer(cert, key []byte) (*issuer, error) {
	c, err := parseCertificate(cert)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(key)
	if block == nil {
		return nil, errors.New("the key is not PEM")
	}
	private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the key cannot be parsed") // the cause may quote the key
	}
	signer, ok := private.(*ecdsa.PrivateKey)
	if !ok || !signer.PublicKey.Equal(c.PublicKey) {
		return nil, errors.New("the key does not belong to the certificate")
	}
	return &issuer{c, signer}, nil
}

func parseCertificate(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, errors.New("the certificate is not PEM")
	}
	return x509.ParseCertificate(block.Bytes)
}

func readCertificate(name string) (*x509.Certificate, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseCertificate(text)
}

// sameNames reports whether a certificate is for exactly these hosts.
func sameNames(c *x509.Certificate, names []string) bool {
	has := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		has = append(has, ip.String())
	}
	var want []string
	for _, n := range names {
		if ip := net.ParseIP(n); ip != nil {
			n = ip.String()
		}
		want = append(want, n)
	}
	slices.Sort(has)
	slices.Sort(want)
	return slices.Equal(has, want)
}

// checkNames refuses names that no certificate can have.
func checkNames(names []string) error {
	if len(names) == 0 {
		return errors.New("no host name for the server certificate: give the names or addresses that agents connect to")
	}
	for _, n := range names {
		if net.ParseIP(n) == nil && !hostName.MatchString(n) {
			return fmt.Errorf("%q is not a host name or an address", n)
		}
	}
	return nil
}
