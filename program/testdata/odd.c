// A program that behaves as its input says.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void wait_forever(void) {
	for (;;) pause();
}

int main(int argc, char **argv) {
	char in[4096] = {0};
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
	if (!f) return 99;
	in[fread(in, 1, sizeof in - 1, f)] = 0;
	if (!strncmp(in, "exit ", 5)) exit(atoi(in + 5));
	if (!strcmp(in, "abort")) abort();
	if (!strcmp(in, "null")) *(volatile int *)0 = 1;
	if (!strcmp(in, "hang")) wait_forever();
	if (!strcmp(in, "spin")) for (;;) ;
	if (!strcmp(in, "deaf")) { // ignores what it can
		for (int i = 1; i < 32; i++) signal(i, SIG_IGN);
		wait_forever();
	}
	if (!strcmp(in, "fork")) { // a child stays in the group
		if (!fork()) wait_forever();
		return 0;
	}
	if (!strcmp(in, "daemon")) { // a child leaves it
		if (!fork()) {
			setsid();
			if (!fork()) wait_forever();
			exit(0);
		}
		return 0;
	}
	if (!strcmp(in, "bomb")) for (int i = 0; i < 6; i++) fork(), fork();
	if (!strcmp(in, "bomb")) wait_forever();
	if (!strcmp(in, "file")) { // one large file
		static char block[1 << 20];
		int out = open("large", O_CREAT | O_WRONLY, 0666);
		memset(block, 1, sizeof block);
		for (;;) if (write(out, block, sizeof block) < 0) perror("write");
	}
	if (!strcmp(in, "files")) { // many small ones
		static char block[1 << 16];
		memset(block, 1, sizeof block);
		for (int i = 0;; i++) {
			char name[32];
			sprintf(name, "f%d", i);
			int out = open(name, O_CREAT | O_WRONLY, 0666);
			if (write(out, block, sizeof block) < 0) return 98;
			close(out);
		}
	}
	if (!strcmp(in, "talk")) for (;;) if (puts("and so on") < 0) abort();
	if (!strcmp(in, "alloc")) {
		void *p = malloc(1L << 32);
		return p ? 1 : 0;
	}
	if (!strcmp(in, "litter")) {
		mkdir("d", 0777);
		close(open("d/x", O_CREAT | O_WRONLY, 0666));
		chmod("d", 0);
		if (argc > 1) unlink(argv[1]);
	}
	if (!strcmp(in, "link") && argc > 1) { // to a file that is not ours
		unlink(argv[1]);
		if (symlink(getenv("PRECIOUS"), argv[1])) return 97;
	}
	if (!strcmp(in, "pipe") && argc > 1) {
		unlink(argv[1]);
		if (mkfifo(argv[1], 0666)) return 96;
	}
	if (!strcmp(in, "rmdir")) {
		char name[4096];
		if (argc > 1) unlink(argv[1]);
		rmdir(getcwd(name, sizeof name));
	}
	fprintf(stderr, "read %zu bytes\n", strlen(in));
	return 0;
}
