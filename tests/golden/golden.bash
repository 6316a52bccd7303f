# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# Output compared with files; sourced after lib.sh by the scripts of this ring that do so:
#
#     golden_begin NAME "$@"         # files of tests/golden/data/NAME; "$@" may be --update
#     as_user CMD… >out/FILE         # an ordinary user's output
#     golden FILE                    # out/FILE equals tests/golden/data/NAME/FILE
#     golden_end                     # each of the files was compared
#
# With --update a script writes the golden files in place of comparing them. `git diff` then shows
# what has changed in the output; a golden file is committed with the change that it belongs to.

# Drops root's privileges, which no format may need.
as_user() { # CMD [ARG…]
	if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
		setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"
	else
		"$@"
	fi
}

# The programs are copied: the tree may be in a directory that the user may not read.
golden_begin() { # NAME [--update]
	golden_name=$1
	GOLDEN=$TOP/tests/golden/data/$1
	golden_update=0
	case ${2:-} in
	--update) golden_update=1 ;;
	'') ;;
	*) echo "usage: ${0##*/} [--update]" >&2 && exit 2 ;;
	esac
	need_built
	need_cmd python3
	chmod 755 "$TMP"
	mkdir "$TMP/scratch" "$TMP/scratch/out"
	chmod 777 "$TMP/scratch" "$TMP/scratch/out"
	cp "$BPFPERF" "$TMP/bpfperf"
	BPFPERF=$TMP/bpfperf
	golden_version=$("$BPFPERF" --version | awk '{ print $NF }')
	cd "$TMP/scratch" || exit 1
}

# Copies a generator of tests/golden/*.c: of the builds with and without sanitizers the newer one.
golden_program() { # NAME
	local from=$O/golden/$1 san=${OSAN:-$TOP/build-san}/golden/$1

	[ ! "$san" -nt "$from" ] || from=$san
	[ -x "$from" ] || skip_all "$from is not built: make golden-tests"
	cp "$from" "$TMP/$1"
}

# Makes out/FILE the golden file, unless this run has compared FILE before: several commands may
# have to print the same text.
golden_write() { # FILE
	grep -qxF "$1" "$TMP/compared" 2>/dev/null && return
	mkdir -p "$GOLDEN"
	cmp -s "out/$1" "$GOLDEN/$1" && return
	cp "out/$1" "$GOLDEN/$1" && chmod 644 "$GOLDEN/$1" && diag "written: $GOLDEN/$1"
}

golden() { # FILE [OF WHAT]
	local file=$1 name="$golden_name: ${2:-$1}" command="tests/golden/$golden_name.sh --update"

	[ "$golden_update" = 0 ] || golden_write "$file"
	echo "$file" >>"$TMP/compared"
	if [ ! -e "$GOLDEN/$file" ]; then
		fail "$name has a golden file" "format ${file##*.} has no golden file $file: run $command, \
read tests/golden/data/$golden_name/$file, and commit it"
		return
	fi
	same "out/$file" "$GOLDEN/$file" "$name is as its golden file" ||
		diag "if the new output is right: run $command, read its diff, and commit it"
}

# Runs a command, and compares what it prints with FILE.
golden_of() { # FILE CMD [ARG…]
	local file=$1

	shift
	if ! as_user "$@" >"out/$file" 2>err; then
		fail "$golden_name: $file: $* succeeds" "$(cat err)"
		return
	fi
	golden "$file" "$file, by ${*##*/},"
}

# Reports golden files that were not compared: such a file could never fail.
golden_end() {
	local stale

	stale=$(comm -13 <(sort -u "$TMP/compared") <(cd "$GOLDEN" && find . -type f | sed 's|^\./||' | sort))
	if [ "$golden_update" = 1 ] && [ -n "$stale" ]; then
		(cd "$GOLDEN" && tr '\n' '\0' <<<"$stale" | xargs -0 rm -f --)
		diag "removed: $stale"
		stale=
	fi
	is "$stale" "" "$golden_name: each golden file was compared"
	done_testing
}

# Offsets of records and the file's features differ from machine to machine, and are omitted.
golden_recording() { # FILE → stdout
	as_user "$BPFPERF" script -D -i "$1" | sed -e 's/^0x[0-9a-f]* //' -e '/PERF_RECORD_FINISHED_ROUND/d'
	as_user "$BPFPERF" script -F comm,tid,cpu,time,period,event,trace -i "$1"
}

# Prints a file as text: binary formats decoded, a page without its program.
golden_decoded() { # FORMAT FILE → stdout
	case $1 in
	flame) python3 "$TOP/tests/golden/flame_text.py" "$2" ;;
	pprof) python3 "$TOP/tests/golden/pprof_text.py" "$2" ;;
	otlp) python3 "$TOP/tests/formats/otlp.py" text "$2" | sed "s/^\( *version\) '$golden_version'/\1 'VERSION'/" ;;
	perf) golden_recording "$2" ;;
	*) cat "$2" ;;
	esac | sed "s/bpfperf $golden_version/bpfperf VERSION/g"
}
