# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# The payload of the machine, its boot, and its results. To be sourced by tools/vm,
# whose options are here as variables.
# shellcheck disable=SC2154 # set by tools/vm

qemu_program() {
	echo "qemu-system-${arch/arm64/aarch64}"
}

# The CPU that is asked for: $pmu_cpu, a CPU's properties, and $pmu_conf, what its PMU is like.
pmu_find() {
	local name

	[ "$arch" = x86_64 ] || die "--pmu is for x86_64" 2
	while read -r name pmu_cpu pmu_conf; do
		[ "$name" != "$pmu" ] || return 0
	done <"$TOP/tests/vm/qemu-pmu/models"
	die "there is no model $pmu in tests/vm/qemu-pmu/models" 2
}

# Has the emulator: $pmu_qemu. Where it cannot be had on this machine, all rings are skipped, and that is all.
pmu_emulator() {
	local why

	pmu_qemu=$("$TOP/tests/vm/build-qemu-pmu" 2> >(tee "$work/pmu.err" >&2)) && return 0
	[ $? -eq 77 ] || die "the emulator with a PMU cannot be built"
	why=$(sed -n '$s/^build-qemu-pmu: //p' "$work/pmu.err")
	[ ${#rings[@]} -gt 0 ] || die "$why" 77
	for ring in "${rings[@]}"; do
		echo "1..0 # SKIP $why" >"$out/$ring.tap"
		echo "ok 1 - $ring: all # SKIP $why"
	done
	echo "1..${#rings[@]}"
	exit 0
}

# The static build for the guest: $PAYLOAD, or $TOP/build-vm-ARCH, made here.
build_payload() {
	local log=$work/make.log cross=() shared=()

	payload=${PAYLOAD:-$TOP/build-vm-$arch}
	[ -z "${PAYLOAD:-}" ] || return 0
	if [ "$(uname -m)" != "${arch/arm64/aarch64}" ]; then
		sysroot_fetch "$arch"
		cross=(CROSS_COMPILE="${arch/arm64/aarch64}-linux-gnu-" SYSROOT="$CACHE/sysroot-$arch")
		command -v "${arch/arm64/aarch64}-linux-gnu-gcc" >/dev/null ||
			die "there is no compiler for $arch: apt-get install gcc-${arch/arm64/aarch64}-linux-gnu"
	elif [ -e "${O:-$TOP/build}/bpfperf" ]; then
		shared=(SHARED="${O:-$TOP/build}")
	fi
	make -s -C "$TOP" -j"$(nproc)" STATIC=1 ARCH="$arch" "${cross[@]}" "${shared[@]}" O="$payload" \
		all workloads load-tests vm-tests >"$log" 2>&1 ||
		die "the static build for $arch failed: $(grep -m1 -E 'error:|\*\*\*' "$log")"
}

make_initramfs() {
	local root=$work/root f ring

	mkdir -p "$root/bin" "$root/vm/workloads"
	cp "$CACHE/busybox-$arch" "$root/bin/busybox"
	chmod 755 "$root/bin/busybox"
	cp "$TOP/tools/vm.d/init" "$root/init"
	cp "$payload/bpfperf" "$payload/load/load" "$root/vm/"
	cp "$payload/load/filter" "$root/vm/load-filter"
	[ ! -d "$payload/vm" ] || find "$payload/vm" -type f -perm -u+x -exec cp {} "$root/vm/" \;
	find "$payload/workloads" -type f -perm -u+x -exec cp {} "$root/vm/workloads/" \;
	cp "$GUEST"/*.sh "$root/vm/"
	for f in "${add[@]}"; do
		cp -r "$f" "$root/vm/"
	done
	# A ring's own preparation: what it leaves in the directory goes into the guest.
	for ring in "${rings[@]}"; do
		[ -x "$GUEST/$ring.host" ] || continue
		mkdir -p "$root/vm/$ring"
		"$GUEST/$ring.host" "$arch" "$kernel" "$root/vm/$ring" >&2 ||
			die "$ring.host failed for $arch $kernel"
	done
	[ ${#rings[@]} -eq 0 ] || printf '%s\n' "${rings[@]}" >"$root/vm/rings"
	[ ${#rings[@]} -gt 0 ] || : >"$root/vm/rings"
	[ ${#cmd[@]} -eq 0 ] || printf '%q ' "${cmd[@]}" >"$root/vm/cmd"
	find "$root/vm" "$root/bin" -type f -size +64k ! -name '*.debug' -exec \
		"${arch/arm64/aarch64}-linux-gnu-strip" -g {} \; 2>/dev/null
	{
		[ "$userland" -eq 0 ] || cat "$CACHE/userland/$arch-$kernel/root.cpio"
		# With a userland, /bin is a link.
		[ "$userland" -eq 0 ] || { mkdir -p "$root/usr" && mv "$root/bin" "$root/usr/bin"; }
		cpio_of "$root"
	} >"$work/initramfs"
}

# Waits until one machine more may run; fd 9 holds the place.
take_slot() {
	local cnt=${VM_JOBS:-$(nproc)} i

	for ((i = 0; i < cnt; i++)); do
		exec 9>"$CACHE/slot-$i"
		flock -n 9 && return
	done
	exec 9>"$CACHE/slot-$((RANDOM % cnt))"
	flock 9
}

# The machine; see docs/vm.md for why each is as it is.
qemu_args() {
	case $arch in
	x86_64) echo "-accel tcg,thread=single -cpu max${props:+,$props}${pmu:+,$pmu_cpu -L /usr/share/qemu -L /usr/share/seabios}" ;;
	arm64)
		echo "-M virt,gic-version=3 -cpu ${props:-cortex-a76}"
		[ -n "$icount" ] || echo "-accel tcg,thread=single"
		;;
	esac
	[ -z "$icount" ] || echo "-icount shift=$icount${pmu:+,sleep=off}"
}

boot() {
	local console=$out/console.log tty=ttyS0 qemu limit=$timeout

	[ "$arch" = x86_64 ] || tty=ttyAMA0
	# shellcheck disable=SC2207 # words
	qemu=("${pmu_qemu:-$(qemu_program)}" $(qemu_args))
	: >"$console"
	# With a PMU the CPUs are threads of one core.
	QEMU_X86_PMU=${pmu_conf:-} timeout -k 5 "$limit" "${qemu[@]}" -smp "$cpus${pmu:+,threads=$cpus}" -m "$memory" -nodefaults -no-reboot \
		-display none -serial file:"$console" -kernel "$CACHE/kernel/$arch-$kernel/vmlinuz" \
		-initrd "$work/initramfs" -append "console=$tty loglevel=4 panic=5 oops=panic \
mitigations=off rdinit=/init$append" </dev/null >"$out/qemu.log" 2>&1 9>&- &
	# Whoever interrupts tools/vm ends the machine, too.
	qemu_pid=$!
	[ "$verbose" -eq 0 ] || tail -f --pid=$qemu_pid "$console" >&2 &
	wait $qemu_pid
	local status=$?
	qemu_pid=
	# Serial lines end with CR LF; colours come from whoever takes it for a terminal.
	sed -i -e 's/\r//g' -e 's/\x1b\[[0-9;?]*[A-Za-z]//g' "$console"
	grep -q '^@@ done' "$console" && return 0
	if [ $status -eq 124 ] || [ $status -eq 137 ]; then
		say "the machine was stopped after $limit s; its last lines:"
		status=124
	else
		say "the machine ended before its tests (QEMU: exit $status); its last lines:"
		status=1
	fi
	tail -n 15 "$console" "$out/qemu.log" | sed 's/^/    /' >&2
	return $status
}

# The lines of one part of the console. A kernel's message may stand between.
part() { # NAME
	awk -v name="$1" '
		$0 == "@@ begin " name { on = 1; next }
		index($0, "@@ end " name " ") == 1 { on = 0 }
		on && sub(/^@\|/, "") { print }' "$out/console.log"
}

part_rc() { # NAME
	awk -v name="$1" '$1 == "@@" && $2 == "end" && $3 == name { print $4; exit }' "$out/console.log"
}

show_cmd() {
	part cmd
	[ "$rc" -eq 0 ] || exit "$rc"
	exit "$(part_rc cmd)"
}

# One TAP document of all rings: each test with its ring's name in front.
show_rings() {
	local ring bad=0 status

	for ring in "${rings[@]}"; do
		part "$ring" >"$out/$ring.tap"
		status=$(part_rc "$ring")
		# A ring that was cut off has no plan, one that died may have passed what it has.
		if [ "$status" != 0 ] && ! grep -q '^not ok' "$out/$ring.tap"; then
			echo "not ok 0 - runs to its end (exit ${status:-unknown})" >>"$out/$ring.tap"
		fi
		! grep -q '^not ok' "$out/$ring.tap" || bad=1
		awk -v ring="$ring" '
			/^1\.\.0/ { sub(/^1\.\.0 */, ""); print "ok 0 - " ring ": all " $0; next }
			/^1\.\./ { next }
			/^(not )?ok / { sub(/ok [0-9]+ (- )?/, "ok 0 - " ring ": ") }
			{ print }' "$out/$ring.tap"
	done | awk '/^(not )?ok 0/ { sub(/ok 0/, "ok " ++n) } { print } END { print "1.." n + 0 }'
	for ring in "${rings[@]}"; do
		! grep -q '^not ok' "$out/$ring.tap" || bad=1
	done
	[ "$rc" -eq 0 ] || exit "$rc"
	exit $bad
}
