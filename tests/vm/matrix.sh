#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# The rings of tests/vm/guest/ on Debian's kernels in virtual machines: an x86_64, an arm64 and the
# oldest kernel's verifier, or with VM_MATRIX=all every kernel of the table below. Leaves the result, a
# table of ring × architecture × kernel for docs/vm.md, in $O/vm-matrix.md, and the messages
# in $O/vm/. VM_TIMEOUT: seconds for one machine, before it counts as hung. VM_JOBS:
# machines at once.
set -u
TOP=${TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
O=${O:-$TOP/build}
vm=${VM:-$TOP/tools/vm}
guest=$TOP/tests/vm/guest
# Ten times the duration on an idle host.
timeout=${VM_TIMEOUT:-1500}

skip_all() { # WHY
	echo "1..0 # SKIP $1"
	exit 0
}

for q in qemu-system-x86_64 qemu-system-aarch64; do
	command -v $q >/dev/null ||
		skip_all "QEMU is not installed: apt-get install qemu-system-x86 qemu-system-arm"
done
command -v cpio >/dev/null || skip_all "cpio is not installed"

# Machines: architecture, kernel, and where not all, the rings, or -RING: all others. In the quick set the rings of a machine are spread
# over two machines, so that the last one to end does not run alone for long.
parts=1
if [ "${VM_MATRIX:-quick}" = all ]; then
	machines=('x86_64 5.10' 'x86_64 6.1' 'x86_64 6.12' 'x86_64 6.17' 'x86_64 6.19'
		'x86_64 7.0' 'x86_64 7.1' 'x86_64 7' 'arm64 6.1' 'arm64 6.12' 'arm64 7')
else
	# The verifier of 6.1 has always accepted programs that those of 5.10, 6.12 and the host accept.
	machines=('x86_64 5.10 counts filter load' 'x86_64 6.1 -load' 'arm64 6.12')
	parts=2
fi

# Rings that need the same of their machine share one. Those that need anything are of the whole
# matrix alone.
mapfile -t rings < <("$vm" --rings)
declare -A needs why_not
for ring in "${rings[@]}"; do
	needs[$ring]=$(sed -n 's/^# vm: *//p' "$guest/$ring.sh")
	why_not[$ring]=$(sed -n 's/^# vm-only: *//p' "$guest/$ring.sh")
done
mapfile -t groups < <(printf '%s\n' "${needs[@]}" | sort -u)
[ "${VM_MATRIX:-quick}" = all ] || groups=('')

# Rings of the group that run on ARCH, of those named where any is. In a ring's head: # vm-only: arm64
rings_of() { # GROUP ARCH [RING…]
	local group=$1 arch=$2 ring

	shift 2
	for ring in "${rings[@]}"; do
		[ "${needs[$ring]}" = "$group" ] || continue
		case "${1:-}" in
		'') ;;
		-*) [[ " $* " != *" -$ring "* ]] || continue ;;
		*) [[ " $* " = *" $ring "* ]] || continue ;;
		esac
		[ -n "${why_not[$ring]}" ] && [ "${why_not[$ring]}" != "$arch" ] || echo "$ring"
	done
}

# The rings of DIR that did not pass: all, where the machine did not come to an end.
failed_rings() { # DIR
	local ring bad=()

	mapfile -t bad < <(while read -r ring; do
		[ -s "$1/$ring.tap" ] && ! grep -q '^not ok' "$1/$ring.tap" || echo "$ring"
	done <"$1/rings")
	[ ${#bad[@]} -gt 0 ] || [ "$(cat "$1/rc")" -eq 0 ] || mapfile -t bad <"$1/rings"
	[ ${#bad[@]} -eq 0 ] || printf '%s\n' "${bad[@]}"
}

# The rings that DIR/rings names. A ring that says nothing of itself fails.
run() { # ARCH KERNEL DIR
	local some start

	start=$(date +%s)
	mapfile -t some <"$3/rings"
	"$vm" --arch "$1" --kernel "$2" --timeout "$timeout" --out "$3" "${some[@]}" >"$3/tap" 2>"$3/err"
	echo $? >"$3/rc"
	echo $(($(date +%s) - start)) >"$3/took_s"
}

# Twice at most: an emulated machine that its host starves misses deadlines of its own. The table
# says what passed only then.
run_twice() { # ARCH KERNEL DIR
	local dir=$3 again=$3/again ring

	run "$@"
	mkdir -p "$again"
	failed_rings "$dir" >"$again/rings"
	[ -s "$again/rings" ] || return 0
	{
		echo "# $2 $1, the first time:"
		grep -A4 '^not ok' "$dir/tap"
		cat "$dir/err"
	} | sed '2,$s/^/#   /' >&2
	run "$1" "$2" "$again"
	while read -r ring; do
		rm -f "$dir/$ring.tap"
		[ ! -e "$again/$ring.tap" ] || cp "$again/$ring.tap" "$dir/"
	done <"$again/rings"
	cp "$again"/{rc,err} "$dir/"
	echo $(($(cat "$dir/took_s") + $(cat "$again/took_s"))) >"$dir/took_s"
}

# The rings on stdin that are PART's: every other one of many, or all.
rings_of_part() { # PART
	awk -v part="$1" -v parts="$parts" '{ ring[NR] = $0 }
		END { for (i = 1; i <= NR; i++) if ((NR < 7 ? 0 : i % parts) == part) print ring[i] }'
}

# Every part of every machine for every group. tools/vm starts as many at once as the host has CPUs for.
rm -rf "$O/vm"
outs=() starts=()
# The longest first: all rings of arm64, or in the quick set, of x86_64 6.1.
if [ $parts -eq 1 ]; then
	mapfile -t order < <(printf '%s\n' "${machines[@]}" | sort -s -k 1,1)
else
	mapfile -t order < <(printf '%s\n' "${machines[@]}" | sort -s -k 3,3)
fi
for ((part = 0; part < parts; part++)); do
	for machine in "${order[@]}"; do
		read -r arch kernel only <<<"$machine"
		for i in "${!groups[@]}"; do
			# shellcheck disable=SC2086 # words
			mapfile -t some < <(rings_of "${groups[$i]}" "$arch" $only | rings_of_part "$part")
			[ ${#some[@]} -gt 0 ] || continue
			out=$O/vm/$arch-$kernel-$i-$part
			mkdir -p "$out"
			printf '%s\n' "${some[@]}" >"$out/rings"
			outs+=("$out")
			# Machines that have few rings in the quick set, as 5.10, are last: both CPUs have work to the end.
			when=first
			[ $parts -eq 1 ] || [[ -z $only || $only = -* ]] || when=last
			starts+=("$when $arch $kernel $out")
		done
	done
done
mapfile -t starts < <(printf '%s\n' "${starts[@]}" | sort -s -k 1,1)
for start in "${starts[@]}"; do
	read -r _ arch kernel out <<<"$start"
	[ "$(jobs -rp | wc -l)" -lt "${VM_JOBS:-$(nproc)}" ] || wait -n
	run_twice "$arch" "$kernel" "$out" &
done
wait

n=0 failed=0
tap() { # NAME < TAP
	local line

	while IFS= read -r line; do
		case $line in
		"ok "* | "not ok "*)
			n=$((n + 1))
			[[ $line = ok* ]] || failed=$((failed + 1))
			sed -E "s/^(not )?ok [0-9]+ (- )?/\1ok $n - $1: /" <<<"$line"
			;;
		"1..0 # SKIP"*)
			n=$((n + 1))
			echo "ok $n - $1: all${line#1..0}"
			;;
		1..*) ;;
		"#"*) echo "$line" >&2 ;;
		*) echo "# $line" >&2 ;;
		esac
	done
}

# The number of the footnote that says WHY a ring, or a part of one, was skipped.
notes=()
note() { # WHY → $mark
	local i

	for i in "${!notes[@]}"; do
		[ "${notes[$i]}" != "$1" ] || { mark="[$((i + 1))]" && return; }
	done
	notes+=("$1")
	mark="[${#notes[@]}]"
}

# The table's entry for a ring: passed, or passed/failed, and skipped with the reasons.
result_of() { # TAP → $result
	local p f why mark

	if why=$(sed -n 's/^1\.\.0 # SKIP *//p' "$1") && [ -n "$why" ]; then
		note "$why"
		result="– $mark"
		return
	fi
	p=$(grep '^ok' "$1" | grep -vc '# SKIP')
	f=$(grep -c '^not ok' "$1")
	result=$p
	[ "$f" -eq 0 ] || result="$p/**$f**"
	while read -r why; do
		note "$why"
		[[ $result = *"$mark"* ]] || result+=" $mark"
	done < <(sed -nE 's/^ok .*# SKIP *//p' "$1")
}

declare -A cell took_s
for out in "${outs[@]}"; do
	IFS=- read -r arch kernel _ <<<"${out##*/}"
	echo "# $kernel $arch, $(cat "$out/took_s") s: $(tr '\n' ' ' <"$out/rings")" >&2
	sed 's/^/# /' "$out/err" >&2
	took_s[$arch-$kernel]=$((${took_s[$arch-$kernel]:-0} + $(cat "$out/took_s")))
	while read -r ring; do
		result="**failed**"
		if [ -s "$out/$ring.tap" ]; then
			tap "$kernel $arch $ring" <"$out/$ring.tap"
			result_of "$out/$ring.tap"
		else
			n=$((n + 1)) failed=$((failed + 1))
			echo "not ok $n - $kernel $arch $ring: the machine comes to it (exit $(cat "$out/rc"))"
		fi
		if grep -qx "$ring" "$out/again/rings"; then
			note "passed when run again; the first time something of it failed"
			[[ $result = *"**"* ]] || result+=" $mark"
		fi
		cell[$arch-$kernel-$ring]=$result
	done <"$out/rings"
	# All that was asked for may have passed before it died.
	if [ "$(cat "$out/rc")" -ne 0 ] && [ $failed -eq 0 ]; then
		n=$((n + 1)) failed=$((failed + 1))
		echo "not ok $n - $kernel $arch: the machine comes to its end (exit $(cat "$out/rc"))"
	fi
done
echo "1..$n"

version_of() { # ARCH KERNEL
	local file=${XDG_CACHE_HOME:-/var/cache}/bpfperf-vm/kernel/$1-$2/version

	sed 's/-.*//' "$file" 2>/dev/null || echo "$2"
}

row() { # CELL…
	printf '|'
	printf ' %s |' "$@"
	echo
}

# A row for each ring of the groups that were run, a column for each machine.
table() {
	local machine arch kernel ring cells

	cells=()
	for machine in "${machines[@]}"; do
		read -r arch kernel _ <<<"$machine"
		cells+=("$arch $(version_of "$arch" "$kernel")")
	done
	row ring "${cells[@]}"
	row --- "${cells[@]/*/---}"
	for ring in "${rings[@]}"; do
		[[ $'\n'"$(printf '%s\n' "${groups[@]}")"$'\n' = *$'\n'"${needs[$ring]}"$'\n'* ]] || continue
		cells=()
		for machine in "${machines[@]}"; do
			read -r arch kernel _ <<<"$machine"
			if [ -n "${why_not[$ring]}" ] && [ "${why_not[$ring]}" != "$arch" ]; then
				note "${why_not[$ring]} only"
				cell[$arch-$kernel-$ring]="– $mark"
			fi
			cells+=("${cell[$arch-$kernel-$ring]:-not run}")
		done
		row "$ring" "${cells[@]}"
	done
	cells=()
	for machine in "${machines[@]}"; do
		read -r arch kernel _ <<<"$machine"
		cells+=("$(((${took_s[$arch-$kernel]:-0} + 30) / 60))")
	done
	row "minutes" "${cells[@]}"
	echo
	for i in "${!notes[@]}"; do
		echo "[$((i + 1))] ${notes[$i]}$([ "$i" -eq $((${#notes[@]} - 1)) ] && echo . || echo ';')"
	done
}
table >"$O/vm-matrix.md"
sed 's/^/# /' "$O/vm-matrix.md" >&2
[ $failed -eq 0 ]
