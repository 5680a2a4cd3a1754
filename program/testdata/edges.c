// A program for afl-cc: nested conditions, and a crash behind them.
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <unistd.h>

#ifdef PERSISTENT
__AFL_FUZZ_INIT();
#endif

static volatile int found;

static int look(const unsigned char *in, long n) {
	if (n > 0 && in[0] == 'b')
		if (n > 1 && in[1] == 'u')
			if (n > 2 && in[2] == 'g') {
				found = 1;
				if (n > 3 && in[3] == '!') abort();
			}
	if (n > 0 && in[0] == 'w') for (;;) pause();
	if (n > 0 && in[0] == 'k') kill(getppid(), 9); // the fork server, or whatever has started it
	if (n > 0 && in[0] == 'x') exit(7);
	return 0;
}

int main(int argc, char **argv) {
#ifdef PERSISTENT
	const unsigned char *buf = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(1000)) look(buf, __AFL_FUZZ_TESTCASE_LEN);
#else
	static unsigned char buf[1 << 16];
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
	look(buf, f ? fread(buf, 1, sizeof buf, f) : 0);
#endif
	return found;
}
