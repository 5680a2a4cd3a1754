package protos

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/allele-go/allele"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// throughJSON returns a value after it is written and read, and what was written.
func throughJSON[V any](t *allele.T, in V) (out V, b []byte) {
	t.Helper()
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return out, b
}

// sameJSON fails if a value is not the same after it is written and read, or if no input is zero or most are.
func sameJSON[V any](t *testing.T) {
	zeros, runs := 0, 0
	allele.Check(t, func(t *allele.T, in V) {
		out, b := throughJSON(t, in)
		if !equality.Semantic.DeepEqual(in, out) {
			t.Fatalf("got %#v by %s", out, b)
		}
		var zero V
		if runs++; equality.Semantic.DeepEqual(in, zero) {
			zeros++
		}
	}, allele.Seed(1), allele.Tests(500))
	if zeros == 0 || zeros > runs/2 {
		t.Errorf("%d of %d inputs are zero", zeros, runs)
	}
}

// Types of Kubernetes that read and write their own JSON have values that they can write, alone and inside messages.
func TestKubernetes(t *testing.T) {
	t.Run("time", sameJSON[metav1.Time])
	t.Run("micro", sameJSON[metav1.MicroTime])
	t.Run("duration", sameJSON[metav1.Duration])
	t.Run("intstr", sameJSON[intstr.IntOrString])
	t.Run("quantity", sameJSON[resource.Quantity])
	t.Run("probe", sameJSON[struct{ P *corev1.Probe }])
	t.Run("status", sameJSON[corev1.ContainerState])
	t.Run("pod", roundJSON[corev1.Pod])
	t.Run("deployment", roundJSON[appsv1.Deployment])
	t.Run("service", roundJSON[corev1.Service])
	t.Run("configmap", roundJSON[corev1.ConfigMap])
	t.Run("secret", roundJSON[corev1.Secret])
	t.Run("job", roundJSON[batchv1.Job])
	t.Run("ingress", roundJSON[networkingv1.Ingress])
}

// roundJSON fails if an object is written differently after it is read, or if something of it is lost.
func roundJSON[V any](t *testing.T) {
	allele.Check(t, func(t *allele.T, in V) {
		out, b := throughJSON(t, in)
		again, err := json.Marshal(out)
		if err != nil || !bytes.Equal(b, again) {
			t.Fatalf("got %s after %s (%v)", again, b, err)
		}
		if !equality.Semantic.DeepEqual(in, out) {
			t.Fatalf("got %#v by %s", out, b)
		}
	}, allele.Seed(1), allele.Tests(300))
}
