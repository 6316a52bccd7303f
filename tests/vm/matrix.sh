#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# The rings of tests/vm/guest/ on Debian's kernels in virtual machines: one x86_64 and one
# arm64, or with VM_MATRIX=all every kernel of the table below. Leaves the result, a table of
# kernel × architecture × ring as it stands in README.md, in $O/vm-matrix.md, and what was said in
# $O/vm/. VM_TIMEOUT: seconds for one machine, before it counts as hung.
set -u
TOP=${TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
O=${O:-$TOP/build}
vm=${VM:-$TOP/tools/vm}
guest=$TOP/tests/vm/guest
# Ten times what a machine needs whose host does nothing else.
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

if [ "${VM_MATRIX:-quick}" = all ]; then
	machines=('x86_64 5.10' 'x86_64 6.1' 'x86_64 6.12' 'x86_64 7' 'arm64 6.1' 'arm64 6.12' 'arm64 7')
else
	machines=('x86_64 6.1' 'arm64 6.12')
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

# Rings of the group that run on ARCH. In a ring's head: # vm-only: arm64
rings_of() { # GROUP ARCH
	local ring

	for ring in "${rings[@]}"; do
		[ "${needs[$ring]}" = "$1" ] || continue
		[ -n "${why_not[$ring]}" ] && [ "${why_not[$ring]}" != "$2" ] || echo "$ring"
	done
}

# Twice at most: an emulated machine that its host starves misses deadlines of its own.
run() { # ARCH KERNEL OUT RING…
	local arch=$1 kernel=$2 out=$3 try

	shift 3
	for try in 1 2; do
		# A ring that says nothing of itself fails.
		rm -f "$out"/*.tap
		"$vm" --arch "$arch" --kernel "$kernel" --timeout "$timeout" --out "$out" "$@" \
			>"$out/tap" 2>"$out/err"
		echo $? >"$out/rc"
		if [ "$(cat "$out/rc")" -eq 0 ] && ! grep -q '^not ok' "$out/tap"; then
			break
		fi
		echo "# $kernel $arch: run $try failed:" >&2
		grep -A3 '^not ok' "$out/tap" | sed 's/^/# /' >&2
	done
}

# Every machine for every group. tools/vm lets as many run at once as the host has CPUs for.
rm -rf "$O/vm"
outs=()
for machine in "${machines[@]}"; do
	read -r arch kernel <<<"$machine"
	for i in "${!groups[@]}"; do
		mapfile -t some < <(rings_of "${groups[$i]}" "$arch")
		[ ${#some[@]} -gt 0 ] || continue
		out=$O/vm/$arch-$kernel-$i
		mkdir -p "$out"
		printf '%s\n' "${some[@]}" >"$out/rings"
		outs+=("$out")
		[ "$(jobs -rp | wc -l)" -lt $((($(nproc) + 1) / 2)) ] || wait -n
		run "$arch" "$kernel" "$out" "${some[@]}" &
	done
done
wait

n=0 failed=0
tap() { # ARCH KERNEL < TAP
	local line

	while IFS= read -r line; do
		case $line in
		"ok "* | "not ok "*)
			n=$((n + 1))
			[[ $line = ok* ]] || failed=$((failed + 1))
			sed -E "s/^(not )?ok [0-9]+ (- )?/\1ok $n - $2 $1 /" <<<"$line"
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

# What the table says of a ring: passed, or passed/failed, and skipped with the reasons.
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

declare -A cell
for out in "${outs[@]}"; do
	IFS=- read -r arch kernel _ <<<"${out##*/}"
	sed 's/^/# /' "$out/err" >&2
	tap "$arch" "$kernel" <"$out/tap"
	if [ "$(cat "$out/rc")" -ne 0 ] && ! grep -q '^not ok' "$out/tap"; then
		n=$((n + 1)) failed=$((failed + 1))
		echo "not ok $n - $kernel $arch: the machine runs to its end (exit $(cat "$out/rc"))"
	fi
	while read -r ring; do
		if [ -s "$out/$ring.tap" ]; then
			result_of "$out/$ring.tap"
		else
			result="**failed**"
		fi
		cell[$arch-$kernel-$ring]=$result
	done <"$out/rings"
done
echo "1..$n"

version_of() { # ARCH KERNEL
	local file=${XDG_CACHE_HOME:-/var/cache}/bpfperf-vm/kernel/$1-$2/version

	sed 's/-.*//' "$file" 2>/dev/null || echo "$2"
}

# The columns: rings of the groups that were run.
columns=()
for ring in "${rings[@]}"; do
	for i in "${!groups[@]}"; do
		[ "${groups[$i]}" != "${needs[$ring]}" ] || columns+=("$ring")
	done
done
{
	echo "| kernel | arch |$(printf ' %s |' "${columns[@]}")"
	echo "| --- | --- |$(printf ' --- |%.0s' "${columns[@]}")"
	for machine in "${machines[@]}"; do
		read -r arch kernel <<<"$machine"
		printf '| %s | %s |' "$(version_of "$arch" "$kernel")" "$arch"
		for ring in "${columns[@]}"; do
			if [ -n "${why_not[$ring]}" ] && [ "${why_not[$ring]}" != "$arch" ]; then
				note "${why_not[$ring]} only"
				cell[$arch-$kernel-$ring]="– $mark"
			fi
			printf ' %s |' "${cell[$arch-$kernel-$ring]:-not run}"
		done
		echo
	done
	echo
	for i in "${!notes[@]}"; do
		echo "[$((i + 1))] ${notes[$i]}$([ "$i" -eq $((${#notes[@]} - 1)) ] && echo . || echo ';')"
	done
} >"$O/vm-matrix.md"
sed 's/^/# /' "$O/vm-matrix.md" >&2
[ $failed -eq 0 ]
