# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
#   make [V=1] [O=DIR] [ARCH=x86_64|arm64] [CROSS_COMPILE=…] [SAN=1|thread] [WERROR=1] [STATIC=1] [SHARED=DIR] [GEN=DIR] [SYSROOT=DIR]
#   make install [DESTDIR=…] [PREFIX=/usr/local]
#   make help

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:

VERSION := 0.1.0

HOST_ARCH := $(shell uname -m | sed -e 's/aarch64/arm64/' -e 's/ppc64le/ppc64el/')
ARCH ?= $(HOST_ARCH)
# For each architecture: libbpf's name of it, BPF of its byte order, where its headers are.
BPF_OF_x86_64 := x86 bpfel x86_64-linux-gnu
BPF_OF_arm64 := arm64 bpfel aarch64-linux-gnu
BPF_OF_riscv64 := riscv bpfel riscv64-linux-gnu
BPF_OF_ppc64el := powerpc bpfel powerpc64le-linux-gnu
BPF_OF_s390x := s390 bpfeb s390x-linux-gnu
BPF_OF := $(BPF_OF_$(ARCH))
$(if $(BPF_OF),,$(error ARCH=$(ARCH): choose from x86_64 arm64 riscv64 ppc64el s390x))
BPF_TRIPLE := $(word 3,$(BPF_OF))

CLANG ?= clang
CC := $(if $(filter-out thread,$(SAN)),$(CLANG),$(CROSS_COMPILE)gcc)
# For programs that the build itself runs.
HOSTCC ?= gcc
BPFTOOL ?= bpftool
PKG_CONFIG ?= pkg-config
O ?= build$(if $(SAN),$(if $(filter thread,$(SAN)),-tsan,-san))$(if $(filter-out $(HOST_ARCH),$(ARCH)),-$(ARCH))
# SHARED=DIR: the build, of these flags and this architecture, whose objects, generated headers and BPF programs
# are used, so that a static program beside it is linked alone.
SHARED ?= $(O)
S := $(SHARED)
# GEN=DIR: the build, of this architecture, whose generated headers and BPF programs are used, whatever its flags.
GEN ?= $(S)
G := $(GEN)

PREFIX ?= /usr/local
bindir := $(DESTDIR)$(PREFIX)/bin
libexecdir := $(DESTDIR)$(PREFIX)/libexec/bpfperf
mandir := $(DESTDIR)$(PREFIX)/share/man
docdir := $(DESTDIR)$(PREFIX)/share/doc/bpfperf
libdir := $(DESTDIR)$(PREFIX)/lib
# From PREFIX to the libraries, for libbpfperf.pc, and the way back.
pclibdir := lib
pcback = $(shell echo $(pclibdir)/pkgconfig | sed 's|[^/][^/]*|..|g')
includedir := $(DESTDIR)$(PREFIX)/include
compdir := $(DESTDIR)$(PREFIX)/share/bash-completion/completions

comma := ,
Q := $(if $(V),,@)
say = $(if $(V),@:,@printf '  %-8s %s\n' $(1) $(patsubst $(CURDIR)/%,%,$(2)))

CFLAGS ?= -O2 -g
ALL_CFLAGS := -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wstrict-prototypes -Wmissing-prototypes \
	-Wshadow -fno-strict-aliasing -D_GNU_SOURCE -DBPFPERF_VERSION='"$(VERSION)"' \
	-Isrc -I. -I$(G)/gen $(if $(WERROR),-Werror) $(CFLAGS)
ALL_LDFLAGS := $(LDFLAGS)
# SAN=thread: data races of the threads of live commands. Fences of libbpfperf's page are not seen by gcc's.
ifeq ($(SAN),thread)
ALL_CFLAGS += -fsanitize=thread -Wno-tsan -fno-omit-frame-pointer
ALL_LDFLAGS += -fsanitize=thread
else ifdef SAN
# One build for the unit tests and the fuzzers: clang's sanitizers, and what tells libFuzzer which code an
# input has reached.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
ALL_CFLAGS += $(SANITIZERS) -fsanitize=fuzzer-no-link -fno-omit-frame-pointer -D__SANITIZE_ADDRESS__ -O1 \
	-Wno-missing-field-initializers -Wno-gnu-variable-sized-type-not-at-end -Wno-format-security
ALL_LDFLAGS += $(SANITIZERS)
endif
# SYSROOT: where packages with another architecture's headers and libraries were unpacked.
MULTIARCH := $(shell $(CC) -print-multiarch)
ifdef SYSROOT
ALL_CFLAGS += -isystem $(SYSROOT)/usr/include -isystem $(SYSROOT)/usr/include/$(MULTIARCH)
ALL_LDFLAGS += -L$(SYSROOT)/usr/lib/$(MULTIARCH)
endif
# libpfm4 is loaded when it is needed (src/event/pfm_lib.h).
LIBS := -ltraceevent -ldw -lbpf -lelf -lz -llzma -lzstd -liberty -lpthread -ldl -lm
ifdef STATIC
# Silent about dlopen(): libdw would load debuginfod's client, which is never asked for.
ALL_LDFLAGS += -static -Wl,--no-warnings
LIBS := -ltraceevent -ldw -lbpf -lpfm -lelf -lz -llzma -lbz2 -lzstd -liberty -lpthread -ldl -lm
endif

BPF_CFLAGS := -O2 -g -target $(word 2,$(BPF_OF)) -mcpu=v2 -D__TARGET_ARCH_$(word 1,$(BPF_OF)) -Wall -Wextra -Wno-unused-parameter \
	-Wno-missing-declarations $(if $(WERROR),-Werror) -Ivmlinux/$(ARCH) -Ibpf -I. -I/usr/include/$(BPF_TRIPLE) \
	-idirafter /usr/$(BPF_TRIPLE)/include

# Which programs make up one loadable object: the families of trace share maps and are linked statically.
SKELS := trace stack strace count
trace_FAMILIES := span probe tracepoint sched numa kthread exec syscalls counters tasks forks flush
stack_FAMILIES := stack running offcpu why before tasks forks flush
strace_FAMILIES := strace strace_tasks tasks forks flush
count_FAMILIES := count tasks

DROP_LINE_INFO := $(G)/tools/drop-line-info
PACK_SKEL := $(G)/tools/pack-skel
# A release is to be small. Elsewhere the two milliseconds of unpacking at each start are saved, and a build that is
# shared keeps its skeletons.
PACKED := $(if $(STATIC),$(if $(filter $(S),$(O)),$(SKELS)))

# bpfperf-send is a program of its own, which has libcurl.
SEND_SRCS := $(sort $(wildcard src/send/*.c))
# bpfperf-itrace likewise, which has libipt, and bpfperf-etm, which has libopencsd.
TRACEDEC_SRCS := $(sort $(wildcard src/tracedec/*.c))
ITRACE_SRCS := $(sort $(wildcard src/ptdec/*.c)) $(TRACEDEC_SRCS)
ETM_SRCS := $(sort $(wildcard src/etmdec/*.c)) $(TRACEDEC_SRCS)
SRCS := $(filter-out $(SEND_SRCS) $(ITRACE_SRCS) $(ETM_SRCS),$(sort $(wildcard src/*.c src/*/*.c)))
LIB_SRCS := $(filter-out src/main.c,$(SRCS))
# Objects of sources; a static program has its own of STATIC_SRCS.
STATIC_SRCS := src/annotate/capstone.c src/cmd/version.c src/event/pfm_lib.c
objs = $(foreach src,$(1),$(if $(and $(STATIC),$(filter $(src),$(STATIC_SRCS))),$(O)/static,$(S)/obj)/$(src:.c=.o))
OBJS := $(call objs,$(SRCS))
LIB := $(O)/libbpfperf-all.a
SKEL_HDRS := $(SKELS:%=$(G)/gen/%.skel.h)
GEN_HDRS := $(SKEL_HDRS) $(G)/gen/syscall_table.h $(G)/gen/syscall_table_compat.h $(G)/gen/flame_page.h $(G)/gen/why_page.h $(G)/gen/latency_page.h $(G)/gen/service_unit.h $(G)/gen/metrics_data.h

# libbpfperf, for other programs: a static library, and a shared one where programs are not static.
SELFMON_OBJS := $(patsubst %.c,$(O)/pic/%.o,$(wildcard src/selfmon/*.c))
# Its own version: the first number changes with what its users were built for.
SELFMON_SO := libbpfperf.so.1.0.0
SELFMON_SONAME := libbpfperf.so.1
SELFMON_LIBS := $(O)/libbpfperf.a $(if $(STATIC),,$(O)/$(SELFMON_SO))

# Without libcurl's headers all but bpfperf-send is built; SEND=1 insists on it.
CURL_CFLAGS := $(shell $(PKG_CONFIG) --cflags libcurl 2>/dev/null)
SEND ?= $(if $(CROSS_COMPILE),,$(shell $(PKG_CONFIG) --exists libcurl 2>/dev/null && echo 1))

# Without libipt's header all but bpfperf-itrace is built, which is for x86 alone; ITRACE=1 insists on it.
ITRACE ?= $(if $(CROSS_COMPILE),,$(shell echo '\#include <intel-pt.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo 1))
# Without libopencsd's headers all but bpfperf-etm is built; ETM=1 insists on it.
ETM ?= $(if $(CROSS_COMPILE),,$(shell echo '\#include <opencsd/c_api/opencsd_c_api.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo 1))

all: $(O)/bpfperf $(if $(SEND),$(O)/bpfperf-send) $(if $(ITRACE),$(O)/bpfperf-itrace) $(if $(ETM),$(O)/bpfperf-etm) $(SELFMON_LIBS) $(G)/bpf/types.bpf.o

help:
	@sed -n '3,5s/^#   //p' Makefile
	@echo 'release: the tarball of ARCH; check: all tests; bench: against other tracers; workloads, unit-tests, load-tests: build only; clean'

# BPF: family → object without DWARF and line information → linked object → skeleton.
$(G)/bpf/%.bpf.dwarf.o: bpf/%.bpf.c Makefile
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MT $@ -MF $@.d -c $< -o $@
$(G)/bpf/%.bpf.o: $(G)/bpf/%.bpf.dwarf.o $(DROP_LINE_INFO)
	$(Q)$(BPFTOOL) gen object $@ $<
	$(Q)$(DROP_LINE_INFO) $@
$(PACK_SKEL): tools/pack-skel.c
	$(call say,HOSTCC,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -std=gnu11 -O2 -Wall -Wextra $(if $(WERROR),-Werror) $< -lzstd -o $@
$(DROP_LINE_INFO): tools/drop-line-info.c
	$(call say,HOSTCC,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -std=gnu11 -O2 -Wall -Wextra $(if $(WERROR),-Werror) $< -lelf -o $@

define SKEL_RULE
$(G)/bpf/$(1).linked.o: $$($(1)_FAMILIES:%=$(G)/bpf/%.bpf.o)
	$$(call say,BPFLINK,$$@)
	$$(Q)$$(BPFTOOL) gen object $$@ $$^
# Tests and benchmarks load theirs as they are.
$(G)/gen/$(1).skel.h: $(G)/bpf/$(1).linked.o $(if $(filter $(1),$(PACKED)),$(PACK_SKEL))
	$$(call say,SKEL,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(BPFTOOL) gen skeleton $$< name $(1)_bpf > $$@$(if $(filter $(1),$(PACKED)),.raw && $(PACK_SKEL) $$< $$@.raw > $$@)
endef
$(foreach s,$(SKELS),$(eval $(call SKEL_RULE,$(s))))

# The families alone, compiled for any architecture: of its tools only its kernel headers are
# needed (linux-libc-dev-$(ARCH)-cross). They are linked where the byte order is this machine's.
bpf: $(patsubst %,$(G)/bpf/%.bpf.dwarf.o,$(sort types $(foreach s,$(SKELS),$($(s)_FAMILIES))))

$(G)/gen/syscall_table.h $(G)/gen/syscall_table_compat.h: tools/gen-syscalls
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)CC="$(CC)" tools/gen-syscalls $(if $(findstring compat,$@),compat) > $@

# The pages of stack --format flame, of latency and of why, as strings; the scripts of a page are one, in this order.
FLAME_SCRIPTS := $(patsubst %,src/sink/flame/%.js,data weigh graph scene paint table code time search link control input)
WHY_SCRIPTS := $(patsubst %,src/why/page/%.js,data paint input)
LATENCY_SCRIPTS := $(patsubst %,src/span/page/%.js,data paint input)
define PAGE_RULE
$(G)/gen/$(1)_page.h: $(2)/page.html $(2)/style.css $(3) Makefile
	$$(call say,GEN,$$@)
	@mkdir -p $$(@D)
	$$(Q)cat $(3) > $$@.js
	$$(Q){ echo 'static const char $(1)_page[] =' && \
		sed -e '/^@STYLE@$$$$/{r $(2)/style.css' -e 'd}' -e '/^@SCRIPT@$$$$/{r $$@.js' -e 'd}' $$< | \
		sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' && echo ';'; } > $$@
endef
$(eval $(call PAGE_RULE,flame,src/sink/flame,$(FLAME_SCRIPTS)))
$(eval $(call PAGE_RULE,latency,src/span/page,$(LATENCY_SCRIPTS)))
$(eval $(call PAGE_RULE,why,src/why/page,$(WHY_SCRIPTS)))

# The unit of systemd, for doctor --unit.
$(G)/gen/service_unit.h: dist/bpfperf.service Makefile
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q){ echo 'static const char service_unit[] =' && sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< && echo ';'; } > $@

# The metrics of stat -M: each file is one string.
METRIC_FILES := $(sort $(wildcard src/stat/metrics/*.json))
$(G)/gen/metrics_data.h: $(METRIC_FILES) Makefile
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q){ echo 'static const char *const metrics_data[] = {' && \
		for f in $(METRIC_FILES); do \
			sed -e 's/[\\"]/\\&/g' -e 's/^ *//' -e 's/.*/"&\\n"/' $$f && echo ','; done && echo '};'; } > $@

define OBJECT_CC
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
endef
$(S)/obj/%.o: %.c Makefile | $(GEN_HDRS)
	$(OBJECT_CC)
$(O)/static/%.o: ALL_CFLAGS += -DBPFPERF_STATIC
$(O)/static/%.o: %.c Makefile | $(GEN_HDRS)
	$(OBJECT_CC)

$(LIB): $(call objs,$(LIB_SRCS))
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(CROSS_COMPILE)ar rcs $@ $^

# Allocations that fail are noted (src/util/lack.c).
NOTED := malloc calloc realloc reallocarray aligned_alloc strdup strndup asprintf \
	opendir fdopendir fopen setmntent getline __getdelim elf_memory deflateInit2_
# The tables of libpfm are a fourth of a static program, and a ninth of their size when packed.
LINK_BPFPERF := $(if $(STATIC),tools/link-packed $(O)/packed $(PACK_SKEL))
$(O)/bpfperf: $(S)/obj/src/main.o $(LIB) $(if $(STATIC),tools/link-packed $(PACK_SKEL))
	$(call say,LINK,$@)
	$(Q)$(LINK_BPFPERF) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(NOTED:%=-Wl$(comma)--wrap=%) $(filter %.o %.a,$^) $(LIBS) -o $@

# Never static: libcurl comes with the system, and so do its certificates. -z now: it talks to the network.
$(S)/obj/src/send/%.o: ALL_CFLAGS += $(CURL_CFLAGS)
$(O)/bpfperf-send: $(SEND_SRCS:%.c=$(S)/obj/%.o) $(S)/obj/src/export/spool.o $(patsubst %,$(S)/obj/src/util/%.o,digits log strbuf)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(filter-out -static,$(ALL_LDFLAGS)) -Wl,-z,now $^ -lcurl -o $@

# Never static either: libipt is no part of a release. It decodes bytes of others.
$(O)/bpfperf-itrace: $(ITRACE_SRCS:%.c=$(S)/obj/%.o) $(S)/obj/src/reader/sandbox.o $(S)/obj/src/reader/call_list.o $(S)/obj/src/util/x86_insn.o $(S)/obj/src/util/present.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(filter-out -static,$(ALL_LDFLAGS)) -Wl,-z,now $^ -lipt -o $@
# Likewise.
$(O)/bpfperf-etm: $(ETM_SRCS:%.c=$(S)/obj/%.o) $(S)/obj/src/reader/sandbox.o $(S)/obj/src/reader/call_list.o $(S)/obj/src/util/present.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(filter-out -static,$(ALL_LDFLAGS)) -Wl,-z,now $^ -lopencsd_c_api -o $@

$(O)/pic/%.o: %.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@
$(O)/libbpfperf.a: $(SELFMON_OBJS)
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(CROSS_COMPILE)ar rcs $@ $^
$(O)/$(SELFMON_SO): $(SELFMON_OBJS) src/selfmon/libbpfperf.map
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(SELFMON_SONAME) \
		-Wl,--version-script=src/selfmon/libbpfperf.map -Wl,-z,defs $(SELFMON_OBJS) -lpthread -o $@

# Programs of the tests.
WORKLOADS := $(patsubst tests/workloads/%.c,$(O)/workloads/%,$(wildcard tests/workloads/*.c))
# In C++ too, where there is a compiler of it for $(ARCH).
CXX := $(CROSS_COMPILE)g++
ifneq ($(shell command -v $(CXX)),)
WORKLOADS += $(patsubst tests/workloads/%.cc,$(O)/workloads/%,$(wildcard tests/workloads/*.cc))
endif
CULPRIT_SRCS := $(wildcard tests/workloads/culprit/*.c)
WORKLOADS += $(O)/workloads/culprit
workloads: $(WORKLOADS)
# Frame pointers and -O1: the stacks of the workloads are what the source says.
$(O)/workloads/%: tests/workloads/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -Wall -Wextra -O1 -g -fno-omit-frame-pointer \
		-mno-omit-leaf-frame-pointer -D_GNU_SOURCE $< $(if $(STATIC),-static) -lpthread -o $@
# Addresses that are the same in each run.
$(O)/workloads/pt_loop $(O)/workloads/jitter: STATIC := 1
# One program of several files.
$(O)/workloads/culprit: $(CULPRIT_SRCS) tests/workloads/culprit/culprit.h Makefile
	$(call say,CC,tests/workloads/culprit)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -Wall -Wextra -O1 -g -fno-omit-frame-pointer \
		-mno-omit-leaf-frame-pointer -D_GNU_SOURCE $(CULPRIT_SRCS) \
		$(if $(STATIC),-static) -lpthread -o $@
# Programs that tests unwind are built as distributions build.
UNWIND_CFLAGS := -Wall -Wextra -Wno-unused-parameter -O2 -g -fomit-frame-pointer -D_GNU_SOURCE
$(O)/workloads/unwind_%: tests/workloads/unwind_%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(UNWIND_CFLAGS) $< $(if $(STATIC),-static) -lpthread -o $@
$(O)/workloads/unwind_%: tests/workloads/unwind_%.cc Makefile
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=gnu++17 $(UNWIND_CFLAGS) $< $(if $(STATIC),-static) -o $@

# The recipe of a program of one file that uses the stages of src/.
define STAGES_CC
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -MMD -MP $< $(ALL_LDFLAGS) $(LIB) $(LIBS) -o $@
endef
# The recipe of one that uses libbpfperf, as its users do.
define LIBBPFPERF_CC
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests $< $(ALL_LDFLAGS) $(O)/libbpfperf.a -lpthread -o $@
endef

# One program per file; each prints TAP.
UNIT_TESTS := $(patsubst tests/unit/%.c,$(O)/unit/%,$(wildcard tests/unit/*.c))
unit-tests: $(UNIT_TESTS) golden-tests
# These parts of bpfperf-itrace need no libipt.
PACKET_OBJS := $(S)/obj/src/ptdec/packet.o $(S)/obj/src/ptdec/walk_time.o
$(O)/unit/itrace_packet: $(PACKET_OBJS)
$(O)/unit/itrace_packet: LIBS += $(PACKET_OBJS)
# Both sides of the ring: one of them is the helpers'.
ANSWER_OBJS := $(S)/obj/src/tracedec/answer.o
$(O)/unit/answer_ring: $(ANSWER_OBJS)
$(O)/unit/answer_ring: LIBS := $(ANSWER_OBJS) $(LIB) $(LIBS)
$(O)/unit/%: tests/unit/%.c $(LIB)
	$(STAGES_CC)

# The unit tests for valgrind: their readers have no limits that it cannot bear.
MEMCHECK_TESTS := $(UNIT_TESTS:$(O)/unit/%=$(O)/memcheck/%)
memcheck-tests: $(MEMCHECK_TESTS)
$(O)/memcheck/sandbox.o: src/reader/sandbox.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -DUNDER_VALGRIND -MMD -MP -c $< -o $@
$(MEMCHECK_TESTS): ALL_LDFLAGS += $(O)/memcheck/sandbox.o
$(O)/memcheck/itrace_packet: $(PACKET_OBJS)
$(O)/memcheck/itrace_packet: LIBS += $(PACKET_OBJS)
$(O)/memcheck/answer_ring: $(ANSWER_OBJS)
$(O)/memcheck/answer_ring: LIBS := $(ANSWER_OBJS) $(LIB) $(LIBS)
$(O)/memcheck/%: tests/unit/%.c $(O)/memcheck/sandbox.o $(LIB)
	$(STAGES_CC)

# Programs that make what the golden tests print and compare; built with the unit tests, as they
# are run with sanitizers too.
GOLDEN_TESTS := $(patsubst tests/golden/%.c,$(O)/golden/%,$(wildcard tests/golden/*.c))
golden-tests: $(GOLDEN_TESTS)
$(O)/golden/%: tests/golden/%.c $(LIB)
	$(STAGES_CC)

# One fuzzer per file: see tools/fuzz, which builds them with SAN=1.
# Functions that a fuzzer replaces.
WRAPPED_commands := kallsyms__find kallsyms__read_ahead stop_signals__catch
WRAPPED_reader := reader__call
FUZZ_SRCS := $(filter-out $(if $(ITRACE),,tests/fuzz/itrace.c),$(wildcard tests/fuzz/*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(FUZZ_SRCS))
fuzzers: $(FUZZERS)
FUZZ_ITRACE_OBJS := $(patsubst %.c,$(S)/obj/%.o,$(filter-out %/main.c %/program.c,$(ITRACE_SRCS)))
$(O)/fuzz/itrace: $(FUZZ_ITRACE_OBJS)
$(O)/fuzz/itrace: LIBS := $(FUZZ_ITRACE_OBJS) $(LIB) $(LIBS) -lipt
# How alike names are is arithmetic: of no use to libFuzzer, which would take most of the time for it.
$(S)/obj/src/util/suggest.o: ALL_CFLAGS += $(if $(filter-out thread,$(SAN)),-fno-sanitize=fuzzer-no-link)
$(O)/fuzz/%: tests/fuzz/%.c $(LIB)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -DFUZZ_TREE='"$(CURDIR)"' -MMD -MP $< $(ALL_LDFLAGS) -fsanitize=fuzzer \
		$(WRAPPED_$*:%=-Wl$(comma)--wrap=%) $(LIB) $(LIBS) -o $@
# Unit tests without sanitizers compile the fuzzers' sources too: a changed function that a fuzzer calls is
# seen at once.
FUZZ_OBJS := $(patsubst tests/fuzz/%.c,$(S)/obj/tests/fuzz/%.o,$(FUZZ_SRCS))
unit-tests: $(if $(SAN),,$(FUZZ_OBJS))
$(S)/obj/tests/fuzz/%.o: tests/fuzz/%.c $(SKEL_HDRS) Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -DFUZZ_TREE='"$(CURDIR)"' -MMD -MP -c $< -o $@
fuzz:
	tools/fuzz

# Every program × every knob shape, and generated code, loaded: one program per file, prints TAP.
LOAD_TESTS := $(patsubst tests/load/%.c,$(O)/load/%,$(wildcard tests/load/*.c))
load-tests: $(LOAD_TESTS)
$(O)/load/%: tests/load/%.c $(SKEL_HDRS) $(LIB) Makefile
	$(STAGES_CC)

# A program of theirs: the walk by unwind tables.
$(G)/bpf/unwind_test.bpf.dwarf.o: tests/bpf/unwind.bpf.c Makefile
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MT $@ -MF $@.d -c $< -o $@
unwind_test_FAMILIES := unwind_test
$(eval $(call SKEL_RULE,unwind_test))
$(O)/load/unwind: $(G)/gen/unwind_test.skel.h

# Tests on the live kernel that need the stages themselves.
LIVE_TESTS := $(patsubst tests/live/%.c,$(O)/live/%,$(wildcard tests/live/*.c))
live-tests: $(LIVE_TESTS) $(if $(ITRACE),$(O)/itrace/pt_make)
# Intel PT without the hardware.
$(O)/itrace/pt_make: tests/itrace/pt_make.c tests/itrace/pt_records.h tests/itrace/pt_file.h $(S)/obj/src/util/x86_insn.o
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $< $(S)/obj/src/util/x86_insn.o -lipt -o $@
$(O)/live/%: tests/live/%.c $(LIB)
	$(STAGES_CC)

# Programs that the tests in virtual machines run there.
VM_TESTS := $(patsubst tests/vm/%.c,$(O)/vm/%,$(filter-out \
	$(if $(filter arm64,$(ARCH)),,tests/vm/arm_%.c),$(wildcard tests/vm/*.c)))
vm-tests: $(VM_TESTS) $(O)/vm/selfmon
$(O)/vm/%: tests/vm/%.c tests/tap.h $(O)/libbpfperf.a Makefile
	$(LIBBPFPERF_CC)
# Needs the stages themselves.
$(O)/vm/plan_measure: tests/vm/plan_measure.c tests/vm/plan_sets.h tests/tap.h $(LIB)
	$(STAGES_CC)
$(O)/vm/selfmon: tests/live/selfmon.c tests/tap.h $(O)/libbpfperf.a Makefile
	$(LIBBPFPERF_CC)

check:
	tools/check

# Against the floor and other tracers; takes minutes. See tools/bench/ for what is measured.
bench: all workloads $(if $(ITRACE),$(O)/itrace/pt_make) $(O)/bench/floor $(O)/bench/probe_floor $(O)/bench/format $(O)/bench/selfmon $(O)/bench/unwind_tables
	O="$(O)" tools/bench/overhead
	O="$(O)" tools/bench/reader
	O="$(O)" tools/bench/burst
	O="$(O)" tools/bench/latency
	O="$(O)" tools/bench/flame
	$(if $(ITRACE),O="$(O)" tools/bench/itrace)
	O="$(O)" tools/bench/page
	O="$(O)" tools/bench/pairs
	O="$(O)" tools/bench/probes
	O="$(O)" tools/bench/profile
	O="$(O)" tools/bench/python
	O="$(O)" tools/bench/record
	O="$(O)" tools/bench/selfmon
	O="$(O)" tools/bench/strace
	O="$(O)" tools/bench/unwind
	O="$(O)" tools/bench/why
$(O)/bench/selfmon: tools/bench/selfmon.c $(O)/libbpfperf.a
	$(LIBBPFPERF_CC)
$(G)/bpf/floor.bpf.o: tools/bench/floor.bpf.c Makefile
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c $< -o $@.dbg
	$(Q)$(BPFTOOL) gen object $@ $@.dbg
	@rm -f $@.dbg
floor_FAMILIES := floor
$(eval $(call SKEL_RULE,floor))
$(O)/bench/floor: tools/bench/floor.c $(G)/gen/floor.skel.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $< $(ALL_LDFLAGS) -lbpf -lelf -lz -o $@

# The least that a probe costs.
$(O)/bench/probe_floor: tools/bench/probe_floor.c $(LIB)
	$(STAGES_CC)

# The reader alone, on records from memory.
$(O)/bench/format: tools/bench/format.c $(LIB)
	$(STAGES_CC)

# How large unwind tables are.
$(O)/bench/unwind_tables: tools/bench/unwind_tables.c $(LIB)
	$(STAGES_CC)

# The tarball of $(ARCH): static, with man pages and completion. Installs what it needs.
release:
	tools/release $(ARCH)

# RUNNABLE: a bpfperf for this machine, where $(O)/bpfperf is for another.
RUNNABLE ?= $(O)/bpfperf
install: $(O)/bpfperf $(if $(SEND),$(O)/bpfperf-send) $(if $(ITRACE),$(O)/bpfperf-itrace) $(if $(ETM),$(O)/bpfperf-etm) $(SELFMON_LIBS)
	install -D -m 755 $(O)/bpfperf $(bindir)/bpfperf
	$(if $(SEND),install -D -m 755 $(O)/bpfperf-send $(libexecdir)/bpfperf-send)
	$(if $(ITRACE),install -D -m 755 $(O)/bpfperf-itrace $(libexecdir)/bpfperf-itrace)
	$(if $(ETM),install -D -m 755 $(O)/bpfperf-etm $(libexecdir)/bpfperf-etm)
	install -d $(mandir)/man1 $(mandir)/man3 $(mandir)/man7
	install -m 644 docs/*.1 $(mandir)/man1
	install -m 644 docs/*.3 $(mandir)/man3
	install -m 644 docs/*.7 $(mandir)/man7
	install -D -m 644 docs/trace.schema.json $(docdir)/trace.schema.json
	install -m 644 docs/profile.schema.json docs/one-host.md docs/kubernetes-node.md docs/fleet.md dist/Containerfile \
		$(docdir)/
	install -d $(compdir)
	$(RUNNABLE) --completion bash > $(compdir)/bpfperf
	chmod 644 $(compdir)/bpfperf
	install -D -m 644 src/selfmon/bpfperf.h $(includedir)/bpfperf.h
	install -D -m 644 $(O)/libbpfperf.a $(libdir)/libbpfperf.a
ifndef STATIC
	install -m 755 $(O)/$(SELFMON_SO) $(libdir)/$(SELFMON_SO)
	ln -sf $(SELFMON_SO) $(libdir)/$(SELFMON_SONAME)
	ln -sf $(SELFMON_SO) $(libdir)/libbpfperf.so
endif
	install -d $(libdir)/pkgconfig
	sed -e 's|@BACK@|$(pcback)|' -e 's|@LIBDIR@|$(pclibdir)|' -e 's|@VERSION@|$(VERSION)|' src/selfmon/libbpfperf.pc.in \
		> $(libdir)/pkgconfig/libbpfperf.pc
	chmod 644 $(libdir)/pkgconfig/libbpfperf.pc

clean:
	rm -rf build build-*

-include $(OBJS:.o=.d) $(SEND_SRCS:%.c=$(S)/obj/%.d) $(ITRACE_SRCS:%.c=$(S)/obj/%.d) $(ETM_SRCS:%.c=$(S)/obj/%.d) $(SELFMON_OBJS:.o=.d) $(UNIT_TESTS:%=%.d) $(GOLDEN_TESTS:%=%.d) $(LOAD_TESTS:%=%.d) $(LIVE_TESTS:%=%.d) $(FUZZERS:%=%.d)
-include $(wildcard $(G)/bpf/*.d)

.PHONY: all bpf help check bench release install clean workloads unit-tests golden-tests load-tests live-tests vm-tests fuzz fuzzers
.SECONDARY:
