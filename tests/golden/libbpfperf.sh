#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# libbpfperf as another program finds it: installed, by pkg-config, shared and static.
. "$(dirname "$0")/../lib.sh"
need_built
need_cmd gcc pkg-config nm

header=$TOP/src/selfmon/bpfperf.h
# All users may use the library, whoever installs it.
ok "make install: exit 0" sh -c 'umask 077; exec "$@"' sh make -s -C "$TOP" O="$O" install DESTDIR="$TMP/root" PREFIX=/opt/b
is "$(find root ! -type l ! -perm -a=r)" "" "make install: every user may read all of it"
same root/opt/b/share/doc/bpfperf/trace.schema.json "$TOP/docs/trace.schema.json" "make install: the schema that bpfperf-trace(1) names is installed"
same root/opt/b/share/doc/bpfperf/profile.schema.json "$TOP/docs/profile.schema.json" "make install: the schema that bpfperf-stack(1) names is installed"
export PKG_CONFIG_PATH=$TMP/root/opt/b/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$TMP/root
ok "pkg-config: libbpfperf is known" pkg-config --exists libbpfperf
is "$(pkg-config --modversion libbpfperf)" "$("$BPFPERF" --version | sed 's/^bpfperf //')" "pkg-config: the version is bpfperf's"

# The library exports all functions that the header declares, and no others; the man page names them.
sed -nE 's/^[a-z].*\b(bpfperf_[a-z_]+)\(.*/\1/p' "$header" | sort -u >declared
nm -D --defined-only root/opt/b/lib/libbpfperf.so | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
	sort >exported
ok "the header declares functions" test -s declared
same exported declared "the shared library exports what the header declares"
sed -nE 's/^\.Fn (bpfperf_[a-z_]+) .*/\1/p' "$TOP/docs/libbpfperf.3" | sort -u >documented
same documented declared "libbpfperf(3) has all of it"
ok "the shared library's symbols have a version" sh -c 'nm -D root/opt/b/lib/libbpfperf.so | grep -q "bpfperf_read@@LIBBPFPERF_0"'
is "$(nm -u root/opt/b/lib/libbpfperf.so | grep -ciE 'bpf_|malloc|calloc|free')" 0 \
	"the shared library needs no libbpf and allocates nothing"

# The page alone is enough to write a program: its example is one, and what it declares is what the header declares.
page_code() { # SECTION
	sed -n "/^\.Sh $1\$/,/^\.Sh /p" "$TOP/docs/libbpfperf.3" | sed -n '/^\.Bd -literal/,/^\.Ed/p' |
		sed '/^\.[BE]d/d; s/\\e/\\/g'
}
page_code EXAMPLES >example.c
ok "libbpfperf(3): the example is a program" grep -q '^int main' example.c
# shellcheck disable=SC2046 # words
ok "libbpfperf(3): the example is built" gcc -Wall -Wextra -Werror example.c -o example \
	$(pkg-config --cflags --libs libbpfperf)
LD_LIBRARY_PATH=root/opt/b/lib ./example >out 2>err
rc=$?
case $rc in
77) like "$(cat err)" '^counter [01]: [A-Z]' "libbpfperf(3): the example reports which counter is refused" ;;
*)
	is $rc 0 "libbpfperf(3): the example exits 0"
	like "$(cat out)" '[1-9][0-9]* instructions, [1-9][0-9]* cycles$' "libbpfperf(3): the example counts"
	;;
esac
{
	printf '#define BPFPERF_LINKED\n#include <bpfperf.h>\n#include <linux/perf_event.h>\n'
	sed -n '/^\.Sh SYNOPSIS/,/^\.Bd/p' "$TOP/docs/libbpfperf.3" |
		sed -nE 's/^\.Ft (.*)/\1/p; s/^\.Fn ([a-z_]+) (.*)/\1(\2);/p' | sed -E 's/" "/, /g; s/"//g'
} >synopsis.c
is "$(grep -c '^bpfperf_.*);$' synopsis.c)" "$(wc -l <declared)" "libbpfperf(3): the synopsis has each function's parameters"
# shellcheck disable=SC2046 # words
ok "libbpfperf(3): the synopsis agrees with the header" gcc -Wall -Wextra -Werror -fsyntax-only synopsis.c \
	$(pkg-config --cflags libbpfperf)
page_code SYNOPSIS >types
# Each type of the page as one line, and the header as one.
sed -E 's|/\*.*\*/||' "$header" | tr -s ' \t\n' ' ' | sed 's/ }/}/g' >header.line
awk -v RS= '{ gsub(/[ \t\n]+/, " "); gsub(/ }/, "}"); print }' types >types.lines
is "$(wc -l <types.lines)" 4 "libbpfperf(3): a constant and three types are declared"
while read -r type; do
	ok "libbpfperf(3): the header has $(cut -d' ' -f1-2 <<<"$type")" grep -qF "$type" header.line
done <types.lines

cat >prog.c <<'END'
#include <bpfperf.h>
#include <linux/perf_event.h>
#include <stdio.h>

int main(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_TASK_CLOCK,
					.exclude_kernel = 1 };
	struct bpfperf_value val = { 0 };
	struct bpfperf_counter c;
	int err = bpfperf_open(&c, &attr, 1, NULL), how;

	if (err) {
		printf("open %d\n", err);
		return err == -1 || err == -13 ? 77 : 1;
	}
	how = bpfperf_read(&c, &val);
	printf("how %d why %s\n", how, bpfperf_why(&c));
	bpfperf_close(&c, 1);
	return how == BPFPERF_READ && val.running_ns == val.enabled_ns ? 0 : 1;
}
END
# shellcheck disable=SC2046 # words
ok "a program is built with the shared one" gcc -Wall -Werror prog.c -o shared \
	$(pkg-config --cflags --libs libbpfperf)
ok "the program with the shared library needs it by its soname" sh -c 'readelf -d shared | grep -q "libbpfperf.so.1\]"'
LD_LIBRARY_PATH=root/opt/b/lib ./shared >out 2>&1
case $? in
77) skip_test "the program with the shared library runs" "this user may open no counter" ;;
*) is "$(cat out)" "how 1 why the event is counted by the kernel, not by a PMU of the CPU; there is no remedy" \
	"bpfperf_why of a software event: no setting would help" ;;
esac
# shellcheck disable=SC2046 # words
ok "a program is built with the static one" gcc -Wall -Werror prog.c -o static \
	$(pkg-config --cflags libbpfperf) root/opt/b/lib/libbpfperf.a -lpthread
# shellcheck disable=SC2016 # the inner shell's
ok "the program with the static library runs" sh -c './static; rc=$?; [ $rc -eq 0 ] || [ $rc -eq 77 ]'

# Headers of a later kernel: a struct that has grown.
cat >later.c <<'END'
#define perf_event_attr known_attr
#include <linux/perf_event.h>
#undef perf_event_attr
struct perf_event_attr {
	struct known_attr known;
	unsigned long long later;
};
#include <bpfperf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES 1013

static unsigned long long count(struct perf_event_attr *attrs)
{
	size_t sz = (size_t)sysconf(_SC_PAGESIZE), i;
	struct bpfperf_value vals[2];
	struct bpfperf_counter c[2];
	volatile char *p;
	int err = bpfperf_open(c, attrs, 2, NULL);

	if (err == -EPERM || err == -EACCES)
		exit(77);
	p = mmap(NULL, PAGES * sz, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (err || p == MAP_FAILED)
		exit(1);
	madvise((void *)p, PAGES * sz, MADV_NOHUGEPAGE);
	for (i = 0; i < PAGES; i++)
		p[i * sz] = 1;
	if (bpfperf_read_group(c, 2, vals) < 0)
		exit(2);
	bpfperf_close(c, 2);
	return vals[1].value;
}

int main(void)
{
	struct perf_event_attr attrs[2] = {
		{ { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1 } },
		{ { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .exclude_kernel = 1 } },
	};
	struct bpfperf_counter c[2];
	size_t bad = 99;

	if (count(attrs) < PAGES)
		return 3;
	attrs[1].later = 1;
	if (bpfperf_open(c, attrs, 2, &bad) != -E2BIG || bad != 1)
		return 4;
	return bpfperf_open_sized(c, attrs, 8, 2, &bad) == -EINVAL && bad == 0 ? 0 : 5;
}
END
# shellcheck disable=SC2046 # words
ok "a program of a later kernel's headers is built" gcc -Wall -Werror later.c -o later \
	$(pkg-config --cflags libbpfperf) root/opt/b/lib/libbpfperf.a -lpthread
./later
rc=$?
case $rc in
77) skip_test "the program's second event is the one it asked for" "this user may open no counter" ;;
*) is $rc 0 "the program's second event is the one it asked for" ;;
esac
if command -v g++ >/dev/null; then
	printf '#include <bpfperf.h>\nint main() { return bpfperf_cycles() == 1; }\n' >prog.cc
	# shellcheck disable=SC2046 # words
	ok "the header is C++ too" g++ -Wall -Werror prog.cc -o cxx $(pkg-config --cflags --libs libbpfperf)
fi
done_testing
