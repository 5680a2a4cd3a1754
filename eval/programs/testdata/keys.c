// A small reader of JSON-like text, for runs per second.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef PERSISTENT
__AFL_FUZZ_INIT();
#endif

static const unsigned char *at, *end;
static int depth;

static int value(void) {
	while (at < end && (*at == ' ' || *at == '\n')) at++;
	if (at >= end || depth > 100) return 0;
	switch (*at++) {
	case '[': case '{':
		depth++;
		while (at < end && *at != ']' && *at != '}') {
			if (!value()) return 0;
			if (at < end && (*at == ',' || *at == ':')) at++;
		}
		depth--;
		if (at < end) at++;
		return 1;
	case '"':
		while (at < end && *at != '"') at += *at == '\\' ? 2 : 1;
		at++;
		return 1;
	case 't': case 'f': case 'n':
		while (at < end && *at >= 'a' && *at <= 'z') at++;
		return 1;
	default:
		while (at < end && (*at == '-' || *at == '.' || *at == 'e' || (*at >= '0' && *at <= '9'))) at++;
		return 1;
	}
}

int main(int argc, char **argv) {
#ifdef PERSISTENT
	const unsigned char *buf = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(100000)) {
		at = buf, end = buf + __AFL_FUZZ_TESTCASE_LEN, depth = 0;
		value();
	}
#else
	static unsigned char buf[1 << 16];
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
	if (!f) return 1;
	at = buf, end = buf + fread(buf, 1, sizeof buf, f);
	value();
#endif
	return 0;
}
