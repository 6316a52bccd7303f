# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""probe_corpus.py SEED c|cc: a program of random functions on stdout, which prints the arguments of each call as
tests/workloads/probe/say.h does, and in the file "events" a probe of each function."""
import random
import sys

FUNCTIONS = 24
HEAD = """#include "say.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
%s
#define KEPT __attribute__((noinline))
#define USED() __asm__ volatile("" ::: "memory")
enum color { RED, GREEN = 5, BLUE = -3 };
static const enum color colors[] = { RED, GREEN, BLUE };
static const char *const texts[] = { "", "a", "hello", "/page/17", "a longer text that lies beyond any small buffer" };
static unsigned long state = %d;
KEPT unsigned long any(void)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return state >> 11;
}
volatile long sink;
KEPT void use(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
"""


class Kind:
    """A type of numbers: how it is written in C, made at random, made of a sum, and printed."""

    def __init__(self, c, any_value, of_sum, say):
        self.c, self.any_value, self.of_sum, self.say = c, any_value, of_sum, say


def integer(c, say):
    return Kind(c, f"({c})any()", f"({c})(%s)", say)


INTEGERS = [integer(c, "num") for c in ("char", "signed char", "short", "int", "long", "long long")] + [
    integer(c, "size") for c in ("unsigned char", "unsigned short", "unsigned int", "unsigned long")]
BOOL = Kind("bool", "any() & 1", "((%s) & 1) != 0", "flag")
DOUBLE = Kind("double", "(double)(long)(any() % 200000 - 100000) / 8", "(double)(short)(%s) / 8", "real")
FLOAT = Kind("float", "(float)(long)(any() % 20000 - 10000) / 8", "(float)(short)(%s) / 8", "real")
COLOR = Kind("enum color", "colors[any() % 3]", "colors[(%s) %% 3]", "num")
SIGNED_BITS = Kind("int", "(int)any()", "(int)(%s)", "num")
BITS = Kind("unsigned int", "any()", "(%s)", "size")


class Struct:
    """A structure, and its numbers: the path of each, and its kind."""

    def __init__(self, name, draw, others):
        self.name, self.members, self.leaves = name, [], []
        only_floats = draw.random() < 0.25
        for i in range(draw.choice([1, 1, 2, 2, 2, 3, 3, 4, 5, 6])):
            self.add(f"m{i}", draw, others, only_floats)

    def add(self, member, draw, others, only_floats):
        how = 1 if only_floats else draw.random()
        if how < 0.12:
            kind = draw.choice([BITS, SIGNED_BITS])
            self.members.append(f"{kind.c} {member} : {draw.randint(1, 31)};")
            self.leaves.append((member, kind))
        elif how < 0.2:
            kind, cnt = draw.choice(INTEGERS), draw.randint(2, 3)
            self.members.append(f"{kind.c} {member}[{cnt}];")
            self.leaves += [(f"{member}[{i}]", kind) for i in range(cnt)]
        elif how < 0.3 and others:
            inner = draw.choice(others)
            self.members.append(f"struct {inner.name} {member};")
            self.leaves += [(f"{member}.{path}", kind) for path, kind in inner.leaves]
        else:
            kind = draw.choice([DOUBLE, FLOAT]) if only_floats else scalar(draw)
            self.members.append(f"{kind.c} {member};")
            self.leaves.append((member, kind))

    def text(self):
        fill = " ".join(f"x->{path} = {kind.any_value};" for path, kind in self.leaves)
        return (f"struct {self.name} {{ {' '.join(self.members)} }};\n"
                f"static void fill_{self.name}(struct {self.name} *x) {{ memset(x, 0, sizeof(*x)); {fill} }}")


def scalar(draw):
    how = draw.random()
    return (draw.choice(INTEGERS) if how < 0.62 else BOOL if how < 0.72 else DOUBLE if how < 0.82 else
            FLOAT if how < 0.92 else COLOR)


class Function:
    """A function, a call of it in braces, and its probe."""

    def __init__(self, name, draw, structs, is_cxx):
        self.name, self.draw, self.structs = name, draw, structs
        self.params, self.args, self.setup = [], [], []
        self.fields, self.says = [], []  # of the probe, and of the program
        self.sums, self.kept = [], []  # numbers that the body sums up; variables with an address
        for i in range(draw.choice([1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 10])):
            self.add_param(f"a{i}", is_cxx)
        self.make_body()

    def field(self, expr, kind, own=None):
        """A field of the probe, which is an expression of C as well, and the same value by the program."""
        name = f"v{len(self.fields)}"
        self.fields.append(f"{name}={expr}")
        if kind is None:
            self.says.append(f'say_text("{name}", {own or expr});')
            self.sums.append(f"(long)strlen({own or expr})")
        else:
            self.says.append(f'say_{kind.say}("{name}", {expr});')
            self.sums.append(f"(long)({expr})")

    def pass_as(self, param, name, *setup):
        self.params.append(param)
        self.args.append(name)
        self.setup += setup

    def add_param(self, name, is_cxx):
        draw, how = self.draw, self.draw.random()
        struct = draw.choice(self.structs)
        path, leaf = draw.choice(struct.leaves)
        made = [f"struct {struct.name} {name};", f"fill_{struct.name}(&{name});"]
        if how < 0.5:
            kind = scalar(draw)
            self.pass_as(f"{kind.c} {name}", name, f"{kind.c} {name} = {kind.any_value};")
            self.field(name, kind)
            self.kept.append(name)
        elif how < 0.68:
            self.pass_as(f"struct {struct.name} {name}", name, *made)
            for path, leaf in draw.sample(struct.leaves, min(len(struct.leaves), 2)):
                self.field(f"{name}.{path}", leaf)
            self.kept.append(name)
        elif how < 0.8:
            self.pass_as(f"{draw.choice(['', 'const '])}struct {struct.name} *{name}", name,
                         f"struct {struct.name} of_{name}, *{name} = &of_{name};", f"fill_{struct.name}({name});",
                         f"use({name});")
            self.field(f"{name}->{path}", leaf)
        elif how < 0.88:
            # A pointer to letters is a text.
            kind = draw.choice([k for k in INTEGERS if "char" not in k.c])
            self.pass_as(f"{kind.c} *{name}", name, f"{kind.c} of_{name} = {kind.any_value}, *{name} = &of_{name};",
                         f"use({name});")
            self.field(f"*{name}", kind)
        elif not is_cxx or how < 0.91:
            self.pass_as(f"const char *{name}", name, f"const char *{name} = texts[any() % 5];")
            self.field(name, None)
        elif how < 0.94:
            kind = draw.choice(INTEGERS)
            self.pass_as(f"{kind.c} &{name}", name, f"{kind.c} {name} = {kind.any_value};", f"use(&{name});")
            self.field(name, kind)
        elif how < 0.97:
            self.pass_as(f"const struct {struct.name} &{name}", name, *made, f"use(&{name});")
            self.field(f"{name}.{path}", leaf)
        else:
            self.pass_as(f"{draw.choice(['const std::string &', 'std::string ', 'std::string_view '])}{name}", name,
                         f"std::string {name}(texts[any() % 5]);")
            self.field(name, None, f"std::string({name}).c_str()")

    def make_body(self):
        draw = self.draw
        how = draw.choice(["plain", "plain", "addresses", "loop", "early", "static", "static", "inline"])
        # A result that is constant is not returned.
        summed = [x for x in self.sums if draw.random() < 0.8] or self.sums
        total = " + ".join(f"(unsigned long)({x})" for x in summed)
        self.type, declared, result, told = self.make_result(total)
        body = [declared]
        if how == "addresses":
            body += [f"use(&{name});" for name in self.kept if draw.random() < 0.6]
        if how == "loop":
            body.append(f"for (unsigned long i = 0; i < (({total}) & 7); i++) {{ sink += i; USED(); }}")
        if how == "early":
            body.append(f"if (({total}) == 12345) {{ sink = 3; return{' r' if result else ''}; }}")
        body.append(f"sink += (long)({total});")
        if draw.random() < 0.5:
            body.append("USED();")
        if result:
            body += [result, "return r;"]
        self.linkage = {"static": "static KEPT", "inline": "static inline __attribute__((always_inline))"}.get(how, "KEPT")
        self.body = body
        if told and how != "inline" and draw.random() < 0.5:
            self.fields.append(told[0])
            self.says.append(told[1])

    def make_result(self, total):
        """The function's type, declaration and value of its result, and how the probe and the program tell it."""
        draw, how = self.draw, self.draw.random()
        if how < 0.12:
            return "void", "", "", None
        if how < 0.75:
            kind = scalar(draw)
            return (kind.c, f"{kind.c} r;", f"r = {kind.of_sum % total};", ("r=$ret", f'say_{kind.say}("r", r);'))
        struct = draw.choice(self.structs)
        path, kind = draw.choice(struct.leaves)
        return (f"struct {struct.name}", f"struct {struct.name} r; memset(&r, 0, sizeof(r));",
                f"r.{path} = {kind.of_sum % total};", (f"r=$ret.{path}", f'say_{kind.say}("r", r.{path});'))

    def text(self):
        body = "\n\t".join(x for x in self.body if x)
        return f"{self.linkage} {self.type} {self.name}({', '.join(self.params)})\n{{\n\t{body}\n}}"

    def call(self):
        result = "" if self.type == "void" else f"{self.type} r = "
        lines = self.setup + [f"{result}{self.name}({', '.join(self.args)});", f'say("{self.name}");']
        lines += self.says + ["say_end();"] + (["use(&r);"] if result else [])
        return "\t\t{\n\t\t\t" + "\n\t\t\t".join(lines) + "\n\t\t}"

    def event(self):
        return f"u:./corpus:{self.name}({','.join(self.fields)})"


def main():
    seed, is_cxx = int(sys.argv[1]), sys.argv[2] == "cc"
    draw = random.Random(seed)
    structs = []
    for i in range(draw.randint(4, 9)):
        structs.append(Struct(f"s{i}", draw, structs))
    functions = [Function(f"f{i}", draw, structs, is_cxx) for i in range(FUNCTIONS)]
    print(HEAD % ("#include <string>\n#include <string_view>" if is_cxx else "", seed * 7919 + 1))
    print("\n".join(x.text() for x in structs + functions))
    calls = "\n".join(f.call() for f in functions)
    print("int main(int argc, char **argv)\n{\n\tfor (int i = 0; i < atoi(argv[1]); i++) {\n" + calls + "\n\t}\n\treturn 0;\n}")
    with open("events", "w", encoding="utf-8") as f:
        f.write(",".join(f.event() for f in functions))


if __name__ == "__main__":
    main()
