//go:build go1.25

package transport

// record is one step of a campaign. The state of a campaign is what its records make of it, in
// their order. Every transport that stores records itself has the same state for the same records.
type record struct {
	Kind   kind
	Key    Key    `json:",omitzero"`
	Worker string `json:",omitzero"`
	Data   []byte `json:",omitzero"`
}

type kind string

const (
	kindCase    kind = "case"
	kindFailure kind = "failure"
)

// state is what is known of a campaign.
type state struct {
	cases    []Case
	owners   map[Key]string // of cases
	failures map[Key]string // who was first
}

func newState() *state {
	return &state{owners: map[Key]string{}, failures: map[Key]string{}}
}

// apply adds a record. A record that contradicts the state is without effect: a file may hold anything.
func (s *state) apply(r record) {
	switch r.Kind {
	case kindCase:
		if _, known := s.owners[r.Key]; !known {
			s.owners[r.Key] = r.Worker
			s.cases = append(s.cases, Case{r.Key, r.Worker, r.Data})
		}
	case kindFailure:
		if _, known := s.failures[r.Key]; !known {
			s.failures[r.Key] = r.Worker
		}
	}
}
