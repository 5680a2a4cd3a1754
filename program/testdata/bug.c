// A program with a bug for each first byte of its input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile heap;
static volatile int shift = 40;

__attribute__((noinline)) static int overflow(int n) {
	heap = malloc(8);
	heap[n] = 1;
	return heap[n];
}

__attribute__((noinline)) static int freed(void) {
	heap = malloc(8);
	free(heap);
	return heap[1];
}

__attribute__((noinline)) static int undefined(void) { return 1 << shift; }

__attribute__((noinline)) static int parse(int c) {
	switch (c) {
	case 'o': return overflow(8 + getchar() % 4);
	case 'f': return freed();
	case 'u': return undefined();
	}
	return 0;
}

int main(void) { return parse(getchar()) & 1; }
