#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Assembly of a program of which the DWARF has loops: a function for each kind, f_KIND(), with one parameter."""

NAME, SIBLING, LOCATION, SIZE, LOW, HIGH, INLINE = 0x03, 0x01, 0x02, 0x0B, 0x11, 0x12, 0x20
UPPER, ORIGIN, MEMBER_AT, ENCODING, SPECIFICATION, TYPE, SIGNATURE = 0x2F, 0x31, 0x38, 0x3E, 0x47, 0x49, 0x69
ADDR, DATA8, TEXT, DATA1, UDATA, REF4, EXPR = 0x01, 0x07, 0x08, 0x0B, 0x0F, 0x13, 0x18
# In the function's frame, which it has yet to fill.
EXPR_FRAME = EXPR | 0x100
CODE = [(LOW, ADDR), (HIGH, DATA8)]

# Tag, whether it has children, attributes with their forms.
SHAPES = {
    "unit": (0x11, 1, [(NAME, TEXT), *CODE]),
    "func": (0x2E, 1, [(NAME, TEXT), *CODE]),
    "func_of": (0x2E, 1, [(ORIGIN, REF4), *CODE]),
    "func_spec": (0x2E, 1, [(SPECIFICATION, REF4), *CODE]),
    "func_sibling": (0x2E, 1, [(SIBLING, REF4), (NAME, TEXT), *CODE]),
    "abstract": (0x2E, 1, [(NAME, TEXT), (INLINE, DATA1)]),
    "copy": (0x1D, 1, [(ORIGIN, REF4), *CODE]),
    "param": (0x05, 0, [(NAME, TEXT), (TYPE, REF4), (LOCATION, EXPR)]),
    "param_passed": (0x05, 0, [(NAME, TEXT), (TYPE, REF4), (LOCATION, EXPR_FRAME)]),
    "param_of": (0x05, 0, [(ORIGIN, REF4), (LOCATION, EXPR)]),
    "param_spec": (0x05, 0, [(SPECIFICATION, REF4), (LOCATION, EXPR)]),
    "param_sibling": (0x05, 1, [(SIBLING, REF4), (NAME, TEXT), (TYPE, REF4), (LOCATION, EXPR)]),
    "typedef": (0x16, 0, [(NAME, TEXT), (TYPE, REF4)]),
    "const": (0x26, 0, [(TYPE, REF4)]),
    "pointer": (0x0F, 0, [(SIZE, DATA1), (TYPE, REF4)]),
    "struct": (0x13, 1, [(NAME, TEXT), (SIZE, DATA1)]),
    "struct_spec": (0x13, 0, [(SPECIFICATION, REF4)]),
    "struct_sign": (0x13, 0, [(SIGNATURE, REF4)]),
    "member": (0x0D, 0, [(NAME, TEXT), (TYPE, REF4), (MEMBER_AT, DATA1)]),
    "member_far": (0x0D, 0, [(NAME, TEXT), (TYPE, REF4), (MEMBER_AT, UDATA)]),
    "number": (0x24, 0, [(NAME, TEXT), (SIZE, DATA1), (ENCODING, DATA1)]),
    "base": (0x1C, 0, [(TYPE, REF4), (MEMBER_AT, DATA1)]),
    "array": (0x01, 1, [(TYPE, REF4)]),
    "range": (0x21, 0, [(UPPER, DATA1)]),
}
NUMBERS = {name: i for i, name in enumerate(SHAPES, 1)}
code, info = [], []


def put(shape, *values, label=None, size=3):
    """An entry. REF4: a label; ADDR: a function or an address in it, with `size` bytes of code; EXPR: the first argument."""
    values = list(values)
    if label:
        info.append(f".L{label}:")
    info.append(f".uleb128 {NUMBERS[shape]}")
    for attr, form in SHAPES[shape][2]:
        if form == DATA8:
            info.append(f".quad {size}")
        elif form == EXPR:
            info.append(".byte 1, 0x55" if attr == LOCATION else "")  # DW_OP_reg5
        elif form == EXPR_FRAME:
            info.append(".byte 1, 0x9c")  # DW_OP_call_frame_cfa
        elif form == TEXT:
            info.append(f'.asciz "{values.pop(0)}"')
        else:
            info.append({ADDR: ".quad {}", DATA1: ".byte {}", UDATA: ".uleb128 {}", REF4: ".long .L{}-.Lunit"}[form].format(values.pop(0)))


def end():
    info.append(".byte 0")


def func(name):
    code.append(f".globl {name}\n.type {name}, %function\n{name}: .byte 0x90, 0x90, 0xc3\n.size {name}, 3")
    return name


def func_with(name, type_label):
    put("func", name, func(name))
    put("param", "a", type_label)
    end()


put("unit", "loop.c", "f_typedef", size="main + 3 - f_typedef")
put("typedef", "self", "t", label="t")
func_with("f_typedef", "t")
put("const", "c2", label="c1")
put("const", "c1", label="c2")
func_with("f_const", "c1")
put("pointer", 8, "p", label="p")
func_with("f_pointer", "p")
put("struct", "again", 8, label="s")
put("member", "in", "s", 0)
end()
func_with("f_struct", "s")
put("struct", "many", 8, label="m")
for name in "abcdefgh":
    put("member", name, "m", 0)
end()
func_with("f_many", "m")
put("func", "f_many_passed", func("f_many_passed"))
put("param_passed", "a", "m")
end()
put("number", "byte", 1, 7, label="n1")
put("number", "none", 0, 7, label="n0")
# A number that begins at the last address, one behind the structure, and one without a size there.
for name, kind, at in ("far", "n1", 2**64 - 1), ("behind", "n1", 16), ("nothing", "n0", 16):
    put("struct", name, 16, label=name)
    put("member_far", "in", kind, at)
    end()
    put("func", f"f_{name}", func(f"f_{name}"))
    put("param_passed", "a", name)
    put("param_passed", "b", "n1")
    end()
put("pointer", 8, "s", label="ps")
func_with("f_to_struct", "ps")
put("array", "a", label="a")
put("range", 3)
end()
func_with("f_array", "a")
put("pointer", 8, "a", label="pa")
func_with("f_to_array", "pa")
put("struct", "derived", 8, label="d")
put("base", "d", 0)
end()
put("pointer", 8, "d", label="pd")
func_with("f_base", "pd")
put("struct_spec", "ss", label="ss")
func_with("f_struct_spec", "ss")
put("struct_sign", "sg", label="sg")
func_with("f_struct_sign", "sg")
put("func", "f_param", func("f_param"))
put("param_of", "o2", label="o1")
put("param_of", "o1", label="o2")
end()
put("func", "f_param_spec", func("f_param_spec"))
put("param_spec", "o3", label="o3")
end()
put("func_of", "g2", func("f_origin"), label="g1")
end()
put("func_of", "g1", func("f_origin_too"), label="g2")
end()
put("func_spec", "h", func("f_spec"), label="h")
put("param", "a", "t")
end()
put("abstract", "inlined", 1, label="abs")
put("param", "x", "t")
end()
put("func", "f_copy", func("f_copy"))
put("copy", "abs", "f_copy + 1", size=1)
put("param_of", "x", label="x")
end()
end()
put("func", "f_param_sibling", func("f_param_sibling"))
put("param_sibling", "q", "a", "t", label="q")
end()
end()
put("func_sibling", "r", "f_sibling", func("f_sibling"), label="r")
put("param", "a", "t")
end()
func("main")
end()

print(".text", *code, '.section .debug_abbrev,"",@progbits', sep="\n")
for name, (tag, has_children, attrs) in SHAPES.items():
    print(f".uleb128 {NUMBERS[name]}, {tag}\n.byte {has_children}")
    print(*(f".uleb128 {attr}, {form & 0xFF}" for attr, form in attrs), ".byte 0, 0", sep="\n")
print('.byte 0\n.section .debug_info,"",@progbits\n.Lunit: .long .Lend - .Lhead\n.Lhead: .value 4\n.long 0\n.byte 8')
print(*(line for line in info if line), '.Lend:\n.section .note.GNU-stack,"",@progbits', sep="\n")
