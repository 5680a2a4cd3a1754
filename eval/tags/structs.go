package tags

import "time"

// The structs are requests, settings and records as programs have them. Their tags are of the
// kinds that the documentation of the validator shows.

type address struct {
	Street  string `validate:"required,max=100"`
	City    string `validate:"required,max=50"`
	Zip     string `validate:"required,numeric,len=5"`
	Country string `validate:"required,iso3166_1_alpha2"`
}

type user struct {
	FirstName string     `validate:"required"`
	LastName  string     `validate:"required"`
	Age       uint8      `validate:"gte=0,lte=130"`
	Email     string     `validate:"required,email"`
	Colour    string     `validate:"hexcolor"`
	Addresses []*address `validate:"required,dive,required"`
}

type signup struct {
	Username string `binding:"required,alphanum,min=3,max=20"`
	Password string `binding:"required,min=8,max=72"`
	Email    string `binding:"required,email,max=100"`
	Referrer string `binding:"omitempty,url"`
}

type login struct {
	Email    string `binding:"required,email"`
	Password string `binding:"required,gte=6"`
	Remember bool
}

type product struct {
	SKU      string   `validate:"required,alphanum,len=8"`
	Name     string   `validate:"required,min=1,max=80"`
	Price    float64  `validate:"gt=0"`
	Currency string   `validate:"required,iso4217"`
	Stock    int      `validate:"min=0,max=100000"`
	Tags     []string `validate:"max=5,dive,required,max=20"`
	Image    *string  `validate:"omitempty,http_url"`
}

type orderLine struct {
	Product  string  `validate:"required,uuid4"`
	Quantity int     `validate:"required,min=1,max=99"`
	Discount float32 `validate:"gte=0,lt=1"`
}

type order struct {
	ID       string      `validate:"required,uuid"`
	Customer string      `validate:"required,uuid"`
	Status   string      `validate:"required,oneof=new paid shipped cancelled"`
	Lines    []orderLine `validate:"required,min=1,max=20,dive"`
	Placed   time.Time   `validate:"required"`
	Note     *string     `validate:"omitempty,max=200"`
}

type server struct {
	Host     string        `validate:"required,hostname_rfc1123"`
	Port     uint16        `validate:"required,min=1,max=65535"`
	Timeout  time.Duration `validate:"min=1s,max=1m"`
	LogLevel string        `validate:"oneof=debug info warn error"`
	Origins  []string      `validate:"dive,url"`
}

type database struct {
	Driver   string `validate:"required,oneof=postgres mysql sqlite"`
	Host     string `validate:"required,hostname|ip"`
	Port     int    `validate:"gte=1,lte=65535"`
	Name     string `validate:"required,lowercase"`
	PoolSize int    `validate:"gte=1,lte=100"`
}

type network struct {
	Gateway string            `validate:"required,ipv4"`
	DNS     []string          `validate:"min=1,max=3,dive,ip"`
	Subnet  string            `validate:"required,cidrv4"`
	MAC     string            `validate:"omitempty,mac"`
	Labels  map[string]string `validate:"max=8,dive,keys,alphanum,endkeys,required"`
}

type event struct {
	ID       string         `validate:"required,uuid4"`
	Type     string         `validate:"required,startswith=com.,max=60"`
	Source   string         `validate:"required,uri"`
	Time     string         `validate:"required,datetime=2006-01-02T15:04:05Z07:00"`
	Priority int            `validate:"oneof=1 2 3"`
	Counts   map[string]int `validate:"required"`
}

type payment struct {
	Amount   int64  `validate:"required,gt=0,lte=1000000"`
	Currency string `validate:"required,oneof=EUR USD GBP"`
	Card     string `validate:"required,credit_card"`
	Holder   string `validate:"required,min=2,max=26,alphaunicode"`
	Month    int    `validate:"min=1,max=12"`
	Year     int    `validate:"min=2024,max=2040"`
}

type page struct {
	Offset int    `validate:"gte=0"`
	Limit  int    `validate:"gte=1,lte=100"`
	Sort   string `validate:"omitempty,oneof=name date 'last change'"`
	Query  string `validate:"max=64,printascii"`
}

type location struct {
	Latitude  float64 `validate:"required,latitude"`
	Longitude float64 `validate:"required,longitude"`
	Zone      string  `validate:"required,timezone"`
	Label     string  `validate:"omitempty,min=2"`
}

type release struct {
	Version  string            `validate:"required,semver"`
	Checksum string            `validate:"required,sha256"`
	Assets   map[string]string `validate:"min=1,dive,keys,required,endkeys,required,url"`
	Date     string            `validate:"required,datetime=2006-01-02"`
}

type contact struct {
	Name   string   `validate:"required"`
	Phone  string   `validate:"required,e164"`
	Emails []string `validate:"required,min=1,unique,dive,email"`
	Lang   string   `validate:"required,bcp47_language_tag"`
}

type job struct {
	Name    string   `validate:"required,dns_rfc1035_label"`
	Image   string   `validate:"required,contains=:"`
	Args    []string `validate:"max=10"`
	Retries *int     `validate:"required,min=0,max=5"`
	CPU     float64  `validate:"gt=0,lte=64"`
	Secret  []byte   `validate:"required,len=16"`
}

type survey struct {
	Title     string     `validate:"required,max=120"`
	Questions []question `validate:"required,min=1,max=10,dive"`
	Public    *bool      `validate:"required"`
}

type question struct {
	Text    string   `validate:"required"`
	Kind    string   `validate:"oneof=text choice scale"`
	Options []string `validate:"omitempty,min=2,max=6,dive,required"`
	Scale   *uint8   `validate:"omitempty,gte=2,lte=10"`
}

type token struct {
	Issuer   string   `validate:"required,url"`
	Subject  string   `validate:"required,ulid"`
	Scopes   []string `validate:"required,dive,oneof=read write admin"`
	Expires  int64    `validate:"required,gt=1700000000"`
	Key      string   `validate:"required,hexadecimal,len=32"`
	Audience string   `validate:"required,fqdn"`
}

type profile struct {
	Nick    string  `validate:"required,excludesall= @#,min=2,max=16"`
	Bio     *string `validate:"omitempty,max=160"`
	Website string  `validate:"omitempty,http_url"`
	Avatar  string  `validate:"required,base64"`
	Age     *int    `validate:"omitempty,gte=13,ne=99"`
	Home    *address
}

type member struct {
	Name  string `validate:"required"`
	Role  string `validate:"required,oneof=owner editor viewer"`
	Since string `validate:"required_if=Role owner"`
}

type team struct {
	Name    string   `validate:"required,min=3"`
	Members []member `validate:"required,min=1,dive"`
}
