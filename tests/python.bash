# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#
# A python3 that is a script (pyenv's) starts several processes before the interpreter, each time. It is asked once which
# interpreter that is, which is then the first on PATH: by tests/run for all files, by a file that is run alone for itself.

direct_python() {
	local script='' dir

	IFS= read -r -n 2 script 2>/dev/null <"$(type -P python3)"
	[ "$script" != '#!' ] || ! dir=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))') || PATH=$dir:$PATH
}
[ -n "${PYTHON_IS_DIRECT:-}" ] || direct_python 2>/dev/null
export PYTHON_IS_DIRECT=1
