//go:build go1.25

package zoo

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"math/big"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"strings"
	"time"
)

// Standard has fields of types of the standard library with builders, from packages that every
// test binary links.
type Standard struct {
	Float  *big.Float
	Value  big.Float
	Number json.Number
	Keys   map[json.Number]int
	User   *url.Userinfo
	Buffer *bytes.Buffer
	Text   *strings.Reader
	Zone   *time.Location
}

// Linked has fields of types with builders that are made by reflection.
type Linked struct {
	IP    net.IP
	Mask  net.IPMask
	Net   net.IPNet
	Nets  []*net.IPNet
	From  mail.Address
	To    []*mail.Address
	Name  sql.NullString
	Count *sql.NullInt64
	At    sql.NullTime
	Tags  sql.Null[[]Level]
	Req   *http.Request
}
