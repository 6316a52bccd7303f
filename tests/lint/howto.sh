#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The checklists of docs/howto-*.md: every place that must know a format, a raw tracepoint, an option
# or a PMU model does know it; and every path that the documents name exists.
. "$(dirname "$0")/../lib.sh"
need_built
cd "$TOP" || exit 1

# Prints the names of a file's list: NAME("word", …) or NAME(word).
formats_of() { # LIST
	sed -n "/^#define $1(/,/[^\\\\]\$/p" src/sink/formats.h |
		sed -nE 's/^\t(FIRST|NEXT)\("([^"]+)", ([a-z_]+)_sink.*/\2 \3/p'
}

# Does a manual page name a word as an argument (.Cm) of the option?
page_names() { # COMMAND OPTION WORD
	sed -n "/^\\.It Fl -$2 /,/^\\.It Fl -/p" "docs/bpfperf-$1.1" | grep -qE "\\bCm (.* )?$3( |\$)"
}

page_has_suffix() { # COMMAND SUFFIX
	grep -qE "^\.(Pa|Ql) (.* )?${2//./\\.}( |\$)" "docs/bpfperf-$1.1"
}

help_names() { # COMMAND WORD
	"$BPFPERF" "$1" --help | grep -qE "[ ,]$2([ ,;]|\$)"
}

# Not in a list: --top, the format that report has by default, and what stores take (--to).
known=" top hist otlp_gzip rows "
# The commands that have the formats of a list.
declare -A commands_of=(
	[TRACE_FORMATS]=trace [AGG_FORMATS]=trace [SCRIPT_FORMATS]=script
	[PROFILE_FORMATS]="stack report" [STACK_FORMATS]=stack
)
while read -r list; do
	commands=${commands_of[$list]:-}
	isnt "$commands" "" "tests/lint/howto.sh knows the commands of $list"
	mapfile -t formats < <(formats_of "$list")
	isnt "${#formats[@]}" 0 "$list in src/sink/formats.h has formats"
	for format in "${formats[@]}"; do
		read -r name sink <<<"$format"
		known+="$sink "
		file=$(grep -lE "^const struct sink_ops ${sink}_sink = \{" src/sink/*.c)
		ops=$(sed -n "/^const struct sink_ops ${sink}_sink = {/,/^}/p" "$file")
		like "$ops" "\.name = \"$name\"" "$list: ${sink}_sink has the name $name"
		suffixes=$(sed -nE 's/.*\.suffix = "([^"]+)".*/\1/p' <<<"$ops")
		for command in $commands; do
			ok "$list: $command --help names $name" help_names "$command" "$name"
			ok "$list: docs/bpfperf-$command.1 names $name" page_names "$command" format "$name"
			# The pages of report and script refer to those of stack and trace.
			for suffix in $([[ $command = report || $command = script ]] || echo "$suffixes"); do
				ok "$list: docs/bpfperf-$command.1 names the suffix $suffix of $name" \
					page_has_suffix "$command" "$suffix"
			done
		done
	done
done < <(sed -nE 's/^#define ([A-Z]+_FORMATS)\(.*/\1/p' src/sink/formats.h)
while read -r sink; do
	like "$known" " $sink " "${sink}_sink is in a list of src/sink/formats.h"
done < <(sed -nE 's/^const struct sink_ops ([a-z_]+)_sink = \{/\1/p' src/sink/*.c)

# The example of the howto is code that a newcomer copies.
# shellcheck disable=SC2016 # backticks of Markdown
sed -n '/^   ```c/,/^   ```$/p' docs/howto-add-format.md | sed 's/^   //; /^```/d' >"$TMP/lines.c"
ok "docs/howto-add-format.md: the example compiles" gcc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra \
	-Wno-unused-parameter -Werror -Isrc -I. -I"$O/gen" "$TMP/lines.c"

# The rows of raw_events[] name their event in the first argument of a macro, or after the system.
mapfile -t events < <(sed -n '/^static const struct raw_event raw_events/,/^};/p' src/session/raw_events.c |
	sed -nE 's/^\t(LOCKED|COMM|FIXED)_EVENT\(([a-z_]+),.*/\2/p; s/^\t\{ "[a-z_]+", "([a-z_]+)".*/\1/p' | sort -u)
compared=$(sed -n '/must_see\[\] = {/,/};/p; /may_see\[\] = {/,/};/p' tests/live/attach_paths.c)
isnt "${#events[@]}" 0 "src/session/raw_events.c has raw tracepoints"
for event in "${events[@]}"; do
	like "$compared" "\"$event\"" "raw tracepoint $event: attach_paths.c compares its bytes"
done

models=$(sed -n '/^#define MODEL_LIST/,/[^\\]$/p' src/plan/model.h | grep -oE 'X\([a-z0-9_]+\)' |
	sed -E 's/.*\((.*)\)/\1/')
isnt "$models" "" "MODEL_LIST in src/plan/model.h has models"
is "$(sed -nE 's/^const struct model model_([a-z0-9_]+) = .*/\1/p; s/^(ARM_CORE|ARM_CORE_LIKE|APPLE)\(([a-z0-9_]+),.*/\2/p' src/plan/model*.c | sort | xargs)" \
	"$(sort <<<"$models" | xargs)" "each struct model of src/plan/ is in MODEL_LIST"
listed=" $("$BPFPERF" explain --pmu list | awk '{ print $1 }' | xargs) "
for model in $models; do
	like "$(cat src/plan/model*.c)" "(struct model model_$model = \{[^}]*\.name = \"$model\"|(ARM_CORE|ARM_CORE_LIKE|APPLE)\($model,)" \
		"model $model has its name"
	like "$listed" " $model " "model $model: explain --pmu list prints it"
	ok "model $model: docs/bpfperf-explain.1 names it" page_names explain pmu "$model"
	ok "model $model: src/plan/host.c has its CPUID or MIDR numbers" grep -q "{ \"$model\", " src/plan/host.c
	ok "model $model: tests/unit/data/models has what the kernel's tables say" \
		test -s "tests/unit/data/models/$model.txt"
done

uncores=$(sed -n '/^#define UNCORE_LIST/,/[^\\]$/p' src/plan/uncore.h | grep -oE 'X\([a-z0-9_]+\)' | sed -E 's/.*\((.*)\)/\1/')
isnt "$uncores" "" "UNCORE_LIST in src/plan/uncore.h has models"
missing=
for model in $uncores; do
	grep -q "^model $model$" tests/unit/data/uncore.txt || missing+=" $model"
	[[ $listed == *" $model "* ]] || missing+=" $model (list)"
done
is "$missing" "" "each uncore model is in explain --pmu list and in tests/unit/data/uncore.txt"

test_text=$(cat tests/*.* tests/{golden,live,formats,unit,lint,vm/guest}/*.*)
for command in $("$BPFPERF" --help | sed -nE 's/^  ([a-z]+)  +.*/\1/p'); do
	while read -r short long; do
		[[ $test_text =~ $long([^a-z-]|$) ]] || [[ $short != - && $test_text =~ " -"[a-zA-Z]*"${short#-}"[^a-z] ]]
		tap_result $? "$command $long is given by a test"
	done < <("$BPFPERF" "$command" --help |
		sed -nE 's/^ +((-[^- ]),? +)?(--[a-z][a-z0-9-]*).*/\2 \3/p' | sed 's/^ /- /')
done

for room in src/*/; do
	ok "docs/internals.md: the table of rooms has $room" grep -qF "\`$room\`" docs/internals.md
done

# Paths in backticks; those below src/ may omit it, and a name without a suffix means .c or .h.
# A path with a word in capitals is a placeholder. Functions are noun__verb().
exists() { # PATH
	local path=$1

	path=${path//\[ch\]/h}
	compgen -G "$path" >/dev/null || compgen -G "src/$path" >/dev/null ||
		compgen -G "$path.[ch]" >/dev/null || compgen -G "src/$path.[ch]" >/dev/null
}
rooms=(src/*/)
rooms=(bpf/ src/ tests/ tools/ docs/ vmlinux/ "${rooms[@]#src/}")
path_regex="\`($(IFS='|' && echo "${rooms[*]}"))[^\` ]+\`"
for doc in README.md CONTRIBUTING.md docs/*.md; do
	missing=
	while read -r path; do
		exists "$path" || missing+=" $path"
	done < <(grep -oE "$path_regex" "$doc" | tr -d '\`' | grep -vE '[A-Z]{3}|…|^docs/\*|^bpf/$' | sort -u)
	is "$missing" "" "$doc: every path that it names exists"
	missing=
	while read -r name; do
		grep -rqwF -- "$name" src bpf || missing+=" $name"
	done < <(grep -oE "[a-z_0-9]+__[a-z_0-9]+\(\)" "$doc" | tr -d '()' | grep -v '^noun__' | sort -u)
	is "$missing" "" "$doc: every function that it names exists"
	broken=
	while read -r link; do
		[ -e "$(dirname "$doc")/${link%%#*}" ] || broken+=" $link"
	done < <(grep -oE '\]\([^)#:]+[^):]*\)' "$doc" | sed -E 's/^\]\((.*)\)$/\1/')
	is "$broken" "" "$doc: every page that it refers to exists"
done
large=$(find docs/pictures -size +150k)
is "$large" "" "docs/pictures: no picture has over 150 KiB"
done_testing
