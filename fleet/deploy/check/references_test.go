package check

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// selects reports whether a selector takes the pods of a set.
func selects(t *testing.T, selector *meta.LabelSelector, set apps.StatefulSet) bool {
	t.Helper()
	s, err := meta.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return s.Matches(labels.Set(set.Spec.Template.Labels))
}

// port resolves a port by its name or number among those of a container.
func port(c core.Container, p intstr.IntOrString) (number int32, ok bool) {
	for _, have := range c.Ports {
		if have.Name == p.StrVal && p.Type == intstr.String || have.ContainerPort == p.IntVal && p.Type == intstr.Int {
			return have.ContainerPort, true
		}
	}
	return 0, false
}

func TestSelectors(t *testing.T) {
	c := load(t)
	for _, set := range c.sets {
		if !selects(t, set.Spec.Selector, set) {
			t.Errorf("%s does not select its own pods", set.Name)
		}
		for _, other := range c.sets {
			if other.Name != set.Name && selects(t, set.Spec.Selector, other) {
				t.Errorf("%s selects the pods of %s", set.Name, other.Name)
			}
		}
		i := slices.IndexFunc(c.services, func(s core.Service) bool { return s.Name == set.Spec.ServiceName })
		if i < 0 {
			t.Fatalf("%s: no Service %s", set.Name, set.Spec.ServiceName)
		}
		service := c.services[i]
		if service.Spec.ClusterIP != core.ClusterIPNone || !selects(t, &meta.LabelSelector{MatchLabels: service.Spec.Selector}, set) {
			t.Errorf("Service %s is not headless, or does not select the pods of %s", service.Name, set.Name)
		}
		for _, p := range service.Spec.Ports {
			if number, ok := port(set.Spec.Template.Spec.Containers[0], p.TargetPort); !ok || number != p.Port {
				t.Errorf("Service %s: port %s", service.Name, p.Name)
			}
		}
	}
	servers := c.set(t, "allele-fleet")
	if len(c.budgets) != 1 || !selects(t, c.budgets[0].Spec.Selector, servers) || c.budgets[0].Spec.MaxUnavailable.IntValue() != 1 {
		t.Errorf("budgets: %+v", c.budgets)
	}
	apart := servers.Spec.Template.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if len(apart) != 1 || !selects(t, apart[0].LabelSelector, servers) {
		t.Errorf("two servers may be on one host: %+v", apart)
	}
}

// TestVolumes checks that every mount has a volume, and every volume what it takes its files from.
func TestVolumes(t *testing.T) {
	c := load(t)
	objects := c.objects()
	for _, set := range c.sets {
		volumes := map[string]bool{}
		for _, claim := range set.Spec.VolumeClaimTemplates {
			volumes[claim.Name] = true
		}
		for _, v := range set.Spec.Template.Spec.Volumes {
			volumes[v.Name] = true
			if v.Secret != nil {
				if _, ok := objects["Secret "+v.Secret.SecretName]; !ok || *v.Secret.DefaultMode != 0o400 {
					t.Errorf("%s: volume %s: no such Secret, or its mode is %o", set.Name, v.Name, *v.Secret.DefaultMode)
				}
			}
			if v.ConfigMap != nil {
				if _, ok := objects["ConfigMap "+v.ConfigMap.Name]; !ok {
					t.Errorf("%s: no ConfigMap %s", set.Name, v.ConfigMap.Name)
				}
			}
		}
		container := set.Spec.Template.Spec.Containers[0]
		mounts := map[string]bool{}
		for _, m := range container.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s: no volume %s", set.Name, m.Name)
			}
			delete(volumes, m.Name)
			mounts[m.MountPath] = true
		}
		if len(volumes) > 0 {
			t.Errorf("%s: volumes %v are not mounted", set.Name, volumes)
		}
		for _, arg := range container.Args {
			if name, folder, _ := strings.Cut(arg, "="); (name == "-dir" || name == "-cred") && !mounts[folder] {
				t.Errorf("%s: %s is not mounted", set.Name, arg)
			}
		}
	}
}

// TestStateSurvivesAPod checks that what an agent or a server must not lose is on a volume that is
// kept when the pod, and even when the set is deleted.
func TestStateSurvivesAPod(t *testing.T) {
	for _, set := range load(t).sets {
		keep := set.Spec.PersistentVolumeClaimRetentionPolicy
		if keep == nil || keep.WhenDeleted != apps.RetainPersistentVolumeClaimRetentionPolicyType || keep.WhenScaled != keep.WhenDeleted {
			t.Errorf("%s: volumes are not kept", set.Name)
		}
		container, dir := set.Spec.Template.Spec.Containers[0], ""
		for _, arg := range container.Args {
			if value, ok := strings.CutPrefix(arg, "-dir="); ok {
				dir = value
			}
		}
		claim := set.Spec.VolumeClaimTemplates[0].Name
		if !slices.ContainsFunc(container.VolumeMounts, func(m core.VolumeMount) bool { return m.Name == claim && m.MountPath == dir }) {
			t.Errorf("%s: %s is not on a volume of its own", set.Name, dir)
		}
	}
}

// TestNumberedFiles checks that each pod finds the file with its name: a server its
// configuration, an agent its credential.
func TestNumberedFiles(t *testing.T) {
	c := load(t)
	servers, agents := c.set(t, "allele-fleet"), c.set(t, "allele-agent")
	for i := range *servers.Spec.Replicas {
		checkNode(t, c, servers, fmt.Sprintf("%s-%d", servers.Name, i))
	}
	i := slices.IndexFunc(c.secrets, func(s core.Secret) bool { return s.Name == "allele-agents" })
	for n := range *agents.Spec.Replicas {
		if _, ok := c.secrets[i].StringData[fmt.Sprintf("%s-%d.cred", agents.Name, n)]; !ok {
			t.Errorf("no credential for agent %d", n)
		}
	}
}

// A node is the configuration of one server.
type node struct {
	Dir     string   `json:"dir"`
	Node    string   `json:"node"`
	Listen  string   `json:"listen"`
	Names   []string `json:"names"`
	Disk    int64    `json:"disk"`
	Cluster struct {
		Name   string   `json:"name"`
		Listen string   `json:"listen"`
		Peers  []string `json:"peers"`
	} `json:"cluster"`
}

func checkNode(t *testing.T, c *cluster, set apps.StatefulSet, pod string) {
	t.Helper()
	text, ok := c.configs[0].Data[pod+".json"]
	if !ok {
		t.Fatalf("no configuration for %s", pod)
	}
	var n node
	strictJSON(t, []byte(text), &n)
	host := fmt.Sprintf("%s.%s.%s.svc", pod, set.Spec.ServiceName, set.Namespace)
	container := set.Spec.Template.Spec.Containers[0]
	if n.Node != pod || !slices.Contains(n.Names, host) || !slices.Contains(container.Args, "-dir="+n.Dir) {
		t.Errorf("%s: node %s, names %q, dir %s", pod, n.Node, n.Names, n.Dir)
	}
	if len(n.Cluster.Peers) != int(*set.Spec.Replicas) || !slices.Contains(n.Cluster.Peers, host+":6222") {
		t.Errorf("%s: peers %q", pod, n.Cluster.Peers)
	}
	storage := set.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests.Storage().Value()
	if n.Disk <= 0 || n.Disk*10 > storage*9 {
		t.Errorf("%s: %d bytes for streams on a volume of %d: a tenth must stay free", pod, n.Disk, storage)
	}
	for name, address := range map[string]string{"client": n.Listen, "route": n.Cluster.Listen} {
		_, text, err := net.SplitHostPort(address)
		number, _ := strconv.Atoi(text)
		if want, ok := port(container, intstr.FromString(name)); err != nil || !ok || int(want) != number {
			t.Errorf("%s: %s listens on %s", pod, name, address)
		}
	}
}

func TestProbes(t *testing.T) {
	for _, set := range load(t).sets {
		pod := set.Spec.Template.Spec
		c := pod.Containers[0]
		for _, probe := range []*core.Probe{c.StartupProbe, c.ReadinessProbe} {
			if probe == nil {
				continue // an agent needs no time to start
			}
			if _, ok := port(c, probe.HTTPGet.Port); !ok || probe.HTTPGet.Path != "/healthz" || probe.TimeoutSeconds <= 3 {
				t.Errorf("%s: probe %+v", set.Name, probe)
			}
		}
		if c.ReadinessProbe == nil || c.LivenessProbe == nil || c.LivenessProbe.HTTPGet != nil {
			t.Errorf("%s: wants a readiness probe, and a liveness probe that does not ask for health", set.Name)
		}
		number, _ := port(c, c.ReadinessProbe.HTTPGet.Port)
		if !slices.Contains(c.Args, fmt.Sprintf("-http=0.0.0.0:%d", number)) ||
			set.Spec.Template.Annotations["prometheus.io/port"] != strconv.Itoa(int(number)) {
			t.Errorf("%s: port %d is not the one of -http, or not the one that is scraped", set.Name, number)
		}
		if *pod.TerminationGracePeriodSeconds < 45 {
			t.Errorf("%s: is killed before it has ended", set.Name)
		}
	}
}

// TestPodSecurity checks pods with the code of the admission controller, at the level that the
// namespace enforces, and what that level leaves open.
func TestPodSecurity(t *testing.T) {
	c := load(t)
	level := c.namespaces[0].Labels[api.EnforceLevelLabel]
	if level != string(api.LevelRestricted) {
		t.Errorf("the namespace enforces %q", level)
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	at := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, set := range c.sets {
		template := set.Spec.Template
		if result := policy.AggregateCheckResults(evaluator.EvaluatePod(at, &template.ObjectMeta, &template.Spec)); !result.Allowed {
			t.Errorf("%s: %s: %s", set.Name, result.ForbiddenReason(), result.ForbiddenDetail())
		}
		if s := template.Spec.Containers[0].SecurityContext; !*s.ReadOnlyRootFilesystem || *template.Spec.AutomountServiceAccountToken {
			t.Errorf("%s: the root file system can be written, or the pod has a token of the cluster", set.Name)
		}
		open := template.DeepCopy()
		open.Spec.Containers[0].SecurityContext = nil
		if policy.AggregateCheckResults(evaluator.EvaluatePod(at, &open.ObjectMeta, &open.Spec)).Allowed {
			t.Errorf("%s: passes without a security context", set.Name)
		}
	}
}

// TestNetwork prints who may connect to which port, and compares it with what is wanted.
func TestNetwork(t *testing.T) {
	c := load(t)
	var in, out []string
	for _, p := range c.policies {
		for _, set := range c.sets {
			if !selects(t, &p.Spec.PodSelector, set) {
				continue
			}
			for _, rule := range p.Spec.Ingress {
				for _, number := range policyPorts(t, rule.Ports, set.Spec.Template.Spec.Containers[0]) {
					in = append(in, fmt.Sprintf("%s -> %s:%d", peers(t, c, rule.From), set.Name, number))
				}
			}
			for _, rule := range p.Spec.Egress {
				for _, number := range policyPorts(t, rule.Ports, core.Container{}) {
					out = append(out, fmt.Sprintf("%s -> %s:%d", set.Name, peers(t, c, rule.To), number))
				}
			}
		}
	}
	compare(t, "ingress", in, "allele-agent -> allele-fleet:4222", "allele-fleet -> allele-fleet:6222",
		"monitoring -> allele-agent:9798", "monitoring -> allele-fleet:9797")
	compare(t, "egress", out, "allele-agent -> allele-fleet:4222", "allele-agent -> kube-system:53", "allele-agent -> kube-system:53",
		"allele-fleet -> allele-fleet:6222", "allele-fleet -> kube-system:53", "allele-fleet -> kube-system:53")
	deny := slices.IndexFunc(c.policies, func(p networking.NetworkPolicy) bool {
		return len(p.Spec.PodSelector.MatchLabels) == 0 && len(p.Spec.PolicyTypes) == 2 && p.Spec.Ingress == nil && p.Spec.Egress == nil
	})
	if deny < 0 {
		t.Error("what is not allowed is not denied")
	}
}

func compare(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func policyPorts(t *testing.T, ports []networking.NetworkPolicyPort, of core.Container) (numbers []int32) {
	t.Helper()
	for _, p := range ports {
		number := p.Port.IntVal
		if p.Port.Type == intstr.String {
			var ok bool
			if number, ok = port(of, *p.Port); !ok {
				t.Errorf("no port %s", p.Port.StrVal)
			}
		}
		numbers = append(numbers, number)
	}
	return numbers
}

// peers names the sets or the namespace that a rule allows.
func peers(t *testing.T, c *cluster, all []networking.NetworkPolicyPeer) string {
	t.Helper()
	if len(all) != 1 {
		t.Fatalf("%d peers in a rule", len(all))
	}
	if all[0].NamespaceSelector != nil {
		return all[0].NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"]
	}
	var names []string
	for _, set := range c.sets {
		if selects(t, all[0].PodSelector, set) {
			names = append(names, set.Name)
		}
	}
	return strings.Join(names, " ")
}
