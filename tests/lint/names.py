#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""names.py [--list] FILE…: names of assertions that do not stand alone, one a line; with --list: all names.

A name is read from the calls of the functions that print TAP, in scripts, C and Python, and of each function of
the file that hands a parameter on as a name. It must have three words, where a variable counts as all three,
must not begin like the end of a sentence, and must not be the name of another assertion of the file. An
assertion and the pass, fail or skip_test that stand for it in another branch may share a name.
"""
import ast
import functools
import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
# Functions of C by the position of the name; scripts and Python state their own.
C_CALLS = {"ok": 1, "is_str": 2, "is_mem": 3, "is_u64": 2, "is_s64": 2}
STAND_INS = ("pass", "fail", "skip_test")
# The first words of what continues a sentence.
CONTINUES = re.compile(r"\s|(and|but|or|nor|so|then|which|who|that|says|it|its|they|them|also|too|"
                       r"is|are|was|were|has|have|had|does|do)\b", re.I)


class Name:
    def __init__(self, line, function, text, variable):
        self.line, self.function, self.text, self.variable = line, function, text, variable


def shell_word(text, i):
    """The end of the word at i."""
    while i < len(text) and text[i] not in " \t\n;&|<>()":
        if text[i] == "\\":
            i += 2
        elif text[i] == "'":
            i = text.index("'", i + 1) + 1
        elif text[i] == '"':
            i = shell_quoted(text, i + 1)
        elif text.startswith(("$(", "<(", "${"), i):
            i = shell_nested(text, i + 1)
        else:
            i += 1
    return i


def shell_quoted(text, i):
    """The end of the double-quoted text that begins at i."""
    while text[i] != '"':
        if text[i] == "\\":
            i += 2
        elif text.startswith(("$(", "${"), i):
            i = shell_nested(text, i + 1)
        else:
            i += 1
    return i + 1


def shell_nested(text, i):
    """The end of the parenthesis or brace at i."""
    close = {"(": ")", "{": "}"}[text[i]]
    i += 1
    while text[i] != close:
        if text[i] == "\\":
            i += 2
        elif text[i] == "'" and close == ")":
            i = text.index("'", i + 1) + 1
        elif text[i] == '"':
            i = shell_quoted(text, i + 1)
        elif text[i] == "(" or text.startswith("${", i):
            i = shell_nested(text, i if text[i] == "(" else i + 1)
        else:
            i += 1
    return i + 1


def shell_args(text, i):
    """Words of a command behind its name, and their end."""
    words = []
    while True:
        blank = re.compile(r"(?:[ \t]|\\\n)*").match(text, i)
        end = shell_word(text, blank.end())
        if text.startswith(("<(", ">("), blank.end()):
            end = shell_nested(text, blank.end() + 1)
        if end == blank.end():
            return words, end
        words.append(text[blank.end():end])
        i = end


def shell_calls(text, functions):
    """Calls of the functions: (line, function, words)."""
    if not functions:
        return
    start = re.compile(r"(?m)(?:^[ \t]*(?:if |while |until |! )*|[;&|({][ \t]*|^[ \t]*[^\s()]+\) |\b(?:then|do|else) )(%s)(?= [^=])"
                       % "|".join(map(re.escape, functions)))
    i = 0
    while match := start.search(text, i):
        i = match.end()
        if text[text.rfind("\n", 0, i) + 1:i].lstrip().startswith("#"):
            continue
        try:
            words, i = shell_args(text, i)
        except (IndexError, ValueError):
            continue  # Within quotes, where no command begins.
        yield text.count("\n", 0, match.start(1)) + 1, match[1], words


def without_documents(text):
    """The script with its here-documents blanked; lines stay where they are."""
    return re.sub(r"(?ms)((?<!<)<<-?[ \t]*(['\"]?)(\w+)\2[^\n]*\n)(.*?)(^\t*\3$)",
                  lambda m: m[1] + re.sub(r"[^\n]", " ", m[4]) + m[5], text)


def shell_functions(text):
    """Functions of a script: (name, body)."""
    for match in re.finditer(r"(?ms)^(\w+)\(\) \{[^\n]*\n(.*?)^\}", text):
        yield match[1], match[2]


def shell_hand_on(text, known):
    """Adds the functions that hand one of their parameters on as a name, by its position."""
    found = True
    while found:
        found = False
        for function, body in shell_functions(text):
            if function in known:
                continue
            for _, called, words in shell_calls(body, known):
                word = words[known[called]] if known[called] < len(words) else ""
                whole = re.fullmatch(r'"?\$(\w+)"?', word)
                if not whole:
                    continue
                position = whole[1] if whole[1].isdigit() else None
                if not position and (given := re.search(r"\b%s=\"?\$(\d)" % whole[1], body)):
                    position = given[1]
                if position:
                    known[function] = int(position) - 1
                    found = True


@functools.lru_cache(maxsize=None)
def shell_shared(guest):
    """Functions of the files that a script may source."""
    known = {"tap_result": 1}
    shell_hand_on((TESTS / ("vm/guest/lib.sh" if guest else "lib.sh")).read_text(), known)
    known["skip_test"] = 0
    if not guest:
        for shared in sorted(TESTS.glob("*/*.bash")):
            shell_hand_on(shared.read_text(), known)
    return known


def shell_names(path, text):
    text = without_documents(text)
    known = dict(shell_shared(path.parent.name == "guest"))
    for function, _ in shell_functions(text):
        known.pop(function, None)
    shell_hand_on(text, known)
    for line, function, words in shell_calls(text, known):
        if known[function] < len(words) and '"$@"' not in words[:known[function]]:
            word = words[known[function]]
            name = re.sub(r"\\\n", "", word)
            name = name[1:-1] if name[0] in "'\"" and name[-1] == name[0] else name
            yield Name(line, function, name, "$" in word and word[0] != "'")


def c_args(text, i):
    """Arguments of the call whose parenthesis is before i."""
    args, depth, start = [], 0, i
    token = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|.', re.S)
    while True:
        piece = token.match(text, i)
        i = piece.end()
        if piece[0] in "([{":
            depth += 1
        elif piece[0] in ")]}" and depth:
            depth -= 1
        elif piece[0] == "," and not depth or piece[0] == ")":
            args.append(text[start:piece.start()].strip())
            start = i
            if piece[0] == ")":
                return args


def c_names(path, text):
    known = dict(C_CALLS)
    definition = re.compile(r"(?ms)^[a-z][\w \t*\n()]*?\b(\w+)\(([^()]*)\)\n\{(.*?)^\}")
    for match in definition.finditer(text):
        params = [re.split(r"[ *]", p.strip())[-1] for p in match[2].split(",")]
        for call in re.finditer(r"\b(%s)\(" % "|".join(known), match[3]):
            args = c_args(match[3], call.end())
            at = known[call[1]]
            if len(args) == at + 2 and args[at] == '"%s"' and args[at + 1] in params:
                known[match[1]] = params.index(args[at + 1])
                break
    for call in re.finditer(r"(?<![\w.>])(%s)\(" % "|".join(known), text):
        line = text.count("\n", 0, call.start()) + 1
        args = c_args(text, call.end())
        at = known[call[1]]
        if at >= len(args) or not args[at].startswith('"'):
            continue
        literals = re.findall(r'"((?:\\.|[^"\\])*)"|(\bPRI\w+)', args[at])
        name = "".join(a or b for a, b in literals)
        yield Name(line, call[1], name, "%" in name)


def python_names(path, text):
    tree = ast.parse(text)
    known = {"report": 1}
    for shared in [TESTS / "formats/page.py", path]:
        for node in ast.walk(ast.parse(shared.read_text())):
            if isinstance(node, ast.FunctionDef) and any(a.arg == "name" for a in node.args.args) and any(
                    isinstance(n, ast.Call) and getattr(n.func, "id", "") in known for n in ast.walk(node)):
                known[node.name] = [a.arg for a in node.args.args if a.arg != "self"].index("name")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if function not in known or known[function] >= len(node.args):
            continue
        arg = node.args[known[function]]
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
            yield Name(node.lineno, function, arg.value, False)
        elif isinstance(arg, ast.JoinedStr):
            text = "".join(p.value if isinstance(p, ast.Constant) else "{" + ast.unparse(p.value) + "}"
                           for p in arg.values)
            yield Name(node.lineno, function, text, True)


def names_of(path):
    text = path.read_text()
    if path.suffix in (".sh", ".bash"):
        return list(shell_names(path, text))
    if path.suffix == ".py":
        return list(python_names(path, text))
    return list(c_names(path, text))


def wrong(names):
    """What is wrong with names of one file: (name, why)."""
    seen = {}
    for name in names:
        words = [w for w in name.text.split() if re.search(r"\w", w)]
        if CONTINUES.match(name.text):
            yield name, "begins like the end of a sentence"
        elif len(words) < 3 and not name.variable:
            yield name, "has under three words"
        # A name that is handed on whole, or stands for an assertion of another branch, is that of another line.
        if name.function in STAND_INS or re.fullmatch(r"\$\w+|%s", name.text):
            continue
        first = seen.setdefault(name.text, name)
        if first is not name:
            yield name, f"is the name of line {first.line} too"


def main():
    listed = sys.argv[1:2] == ["--list"]
    for file in sys.argv[1 + listed:]:
        names = names_of(Path(file).resolve())
        if listed:
            for name in names:
                print(f"{file}:{name.line}: {name.function}: {name.text}")
        else:
            for name, why in wrong(names):
                print(f"{file}:{name.line}: {why}: {name.text}")


main()
