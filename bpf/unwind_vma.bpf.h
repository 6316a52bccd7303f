/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Finds the mapping of an address in the kernel's own tree of the mappings of the current process,
 * and the unwind table of its file by the file's identity. So a process has tables from its first
 * instruction on, if another one has needed the tables of its files before. The tree is a maple
 * tree from 6.1 on: d4af56c5c7c6 (mm: start tracking VMAs with maple tree). Programs hold no lock:
 * they run in RCU read-side sections, the tree's nodes are freed after these, and everything is
 * copied by helpers that survive a bad address. A mapping that changes in that moment is not found.
 */
#ifndef BPFPERF_UNWIND_VMA_BPF_H
#define BPFPERF_UNWIND_VMA_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "unwind_wire.h"

/*
 * A knob of the including file: bits of an offset in a page; 0: the tree cannot be read, and all
 * mappings are found in sets.
 */
#ifndef UNWIND_PAGE_SHIFT
#define UNWIND_PAGE_SHIFT 0
#endif

/* Tables by file; user space adds and removes them. The loader sets max_entries. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct unwind_file_id);
	__type(value, struct unwind_file_use);
} unwind_file_ids __weak SEC(".maps");

#define UNWIND_CORE __attribute__((preserve_access_index))

struct maple_tree___unwind {
	void *ma_root;
} UNWIND_CORE;
struct maple_range_64___unwind {
	unsigned long pivot[15];
	void *slot[16];
} UNWIND_CORE;
struct maple_arange_64___unwind {
	unsigned long pivot[9];
	void *slot[10];
} UNWIND_CORE;
enum maple_type___unwind {
	maple_leaf_64___unwind = 1,
	maple_range_64___unwind = 2,
	maple_arange_64___unwind = 3,
};
/* A typedef of a struct without a name; x86-64 and arm64 name this member alike. */
struct mm_context___unwind {
	void *vdso;
} UNWIND_CORE;
struct file___unwind;
struct mm_struct___unwind {
	struct maple_tree___unwind mm_mt;
	struct mm_context___unwind context;
	struct file___unwind *exe_file;
} UNWIND_CORE;
#define UNWIND_HAS_TREE                                                                            \
	(UNWIND_PAGE_SHIFT && bpf_core_field_exists(((struct mm_struct___unwind *)0)->mm_mt))

struct task_struct___unwind_mm {
	struct mm_struct___unwind *mm;
} UNWIND_CORE;

struct super_block___unwind {
	unsigned int s_dev;
} UNWIND_CORE;
struct timespec64___unwind {
	long long tv_sec;
	long tv_nsec;
} UNWIND_CORE;
struct inode___unwind {
	struct super_block___unwind *i_sb;
	unsigned long i_ino;
	long long i_size;
	/*
	 * Added in 6.11: 3aa63a569c64 (fs: switch timespec64 fields in inode to discrete integers).
	 */
	long long i_ctime_sec;
	unsigned int i_ctime_nsec;
	/* From 6.6 on: 13bc24457850 (fs: rename i_ctime field to __i_ctime). */
	struct timespec64___unwind __i_ctime;
	/* Before. */
	struct timespec64___unwind i_ctime;
} UNWIND_CORE;
struct dentry___unwind {
	struct inode___unwind *d_inode;
} UNWIND_CORE;
struct path___unwind {
	struct dentry___unwind *dentry;
} UNWIND_CORE;
struct file___unwind {
	struct inode___unwind *f_inode;
	unsigned int f_mode;
} UNWIND_CORE;
struct backing_file___unwind {
	struct path___unwind user_path;
} UNWIND_CORE;
struct vm_area_struct___unwind {
	unsigned long vm_start, vm_end;
	struct mm_struct___unwind *vm_mm;
	unsigned long vm_pgoff;
	struct file___unwind *vm_file;
} UNWIND_CORE;

/*
 * FMODE_NOACCOUNT of file.f_mode: the kernel has opened the file for itself. If it is mapped, it is
 * that of a layer below the overlay that was opened, struct backing_file (6.5), whose own bit has
 * moved (25, now 24).
 */
#define UNWIND_FMODE_NOACCOUNT (1u << 29)
/* The bits of i_ctime_nsec that are time: from 6.13 on bit 31 says that it was queried. */
#define UNWIND_NSEC_MASK 0x7fffffff

/* Layout of the pointer to a node, which has 256 bytes: its type is in bits 3 to 6. */
#define UNWIND_NODE_MASK (~255ull)
#define UNWIND_NODE_TYPE(node) ((__u32)((node) >> 3) & 15)
/* The root is a node, not the only entry of a small tree. */
#define UNWIND_IS_NODE(root) (((root)&3) == 2 && (root) > 4096)
/* The narrowest full nodes have 5 entries; so many levels are beyond the kernel's limits. */
#define UNWIND_TREE_DEPTH 16

/* Results of a look-up in the tree. */
enum unwind_found {
	UNWIND_FOUND, /* s->mapping is the address's */
	UNWIND_NO_MAPPING, /* there is none */
	UNWIND_NOT_SURE, /* the tree could not be read */
	UNWIND_DEEPER, /* s->entry is a node of the next level */
};

/* Copies sz (a constant of the kernel) bytes into the scratch space. Not 0: impossible. */
static __always_inline long unwind_copy(struct unwind_state *s, __u64 sz, const void *from)
{
	return sz > sizeof(s->scratch) ? -1 : bpf_probe_read_kernel(s->scratch, (__u32)sz, from);
}

/* A word of the scratch space, by its offset in bytes, a constant of the kernel. */
static __always_inline __u64 unwind_scratch(const struct unwind_state *s, __u64 off)
{
	return off > sizeof(s->scratch) - 8 ? 0 : *(__u64 *)((const void *)s->scratch + off);
}

#define UNWIND_SCRATCH(s, type, member)                                                            \
	unwind_scratch(s, bpf_core_field_offset(struct type, member))

/* Goes from the node in s->entry to the entry that s->find_pc belongs to: enum unwind_found. */
__weak __noinline int unwind_tree_step(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	__u64 pivot_off, slot_off;
	__u32 type, i, cnt;

	if (UNWIND_OFF || !UNWIND_HAS_TREE || !s)
		return UNWIND_NOT_SURE;
	type = UNWIND_NODE_TYPE(s->entry);
	if (type == bpf_core_enum_value(enum maple_type___unwind, maple_arange_64___unwind)) {
		pivot_off = bpf_core_field_offset(struct maple_arange_64___unwind, pivot);
		slot_off = bpf_core_field_offset(struct maple_arange_64___unwind, slot);
	} else {
		pivot_off = bpf_core_field_offset(struct maple_range_64___unwind, pivot);
		slot_off = bpf_core_field_offset(struct maple_range_64___unwind, slot);
	}
	cnt = (__u32)(slot_off - pivot_off) / 8;
	if (cnt > 15 || unwind_copy(s, 256, (const void *)(s->entry & UNWIND_NODE_MASK)))
		return UNWIND_NOT_SURE;
	/* The last entry in use has no limit, or that of the node: a pivot of 0 ends them. */
	for (i = 0; i < 15; i++) {
		__u64 pivot;

		if (i >= cnt)
			break;
		pivot = unwind_scratch(s, pivot_off + 8 * i);
		if (!pivot || pivot >= s->find_pc)
			break;
	}
	s->entry = unwind_scratch(s, slot_off + 8 * i);
	if (type == bpf_core_enum_value(enum maple_type___unwind, maple_leaf_64___unwind))
		return s->entry ? UNWIND_FOUND : UNWIND_NO_MAPPING;
	return s->entry > 4096 ? UNWIND_DEEPER : UNWIND_NOT_SURE;
}

/* Puts the kernel's struct for the mapping of s->find_pc into s->entry: enum unwind_found. */
static __always_inline int unwind_search_tree(struct unwind_state *s, __u32 key,
					      struct mm_struct___unwind *mm)
{
	int found = UNWIND_DEEPER;
	__u32 i;

	s->entry = (__u64)BPF_CORE_READ(mm, mm_mt.ma_root);
	if (!UNWIND_IS_NODE(s->entry))
		return UNWIND_NOT_SURE;
	for (i = 0; i < UNWIND_TREE_DEPTH && found == UNWIND_DEEPER; i++)
		found = unwind_tree_step(key);
	return found == UNWIND_DEEPER ? UNWIND_NOT_SURE : found;
}

/* Reads what identifies the file into s->file. Not 0: impossible. */
__weak __noinline int unwind_identify(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct inode___unwind *inode;
	struct file___unwind *file;
	__u64 sec, nsec, sb;

	if (UNWIND_OFF || !UNWIND_HAS_TREE || !s)
		return -1;
	file = (void *)s->entry;
	inode = BPF_CORE_READ(file, f_inode);
	if (bpf_core_field_exists(inode->i_ctime_nsec)) {
		if (unwind_copy(s, bpf_core_field_offset(inode->i_ctime_nsec) + 4, inode))
			return -1;
		sec = UNWIND_SCRATCH(s, inode___unwind, i_ctime_sec);
		nsec = UNWIND_SCRATCH(s, inode___unwind, i_ctime_nsec);
	} else if (bpf_core_field_exists(inode->__i_ctime)) {
		if (unwind_copy(s, bpf_core_field_offset(inode->__i_ctime) + 16, inode))
			return -1;
		sec = UNWIND_SCRATCH(s, inode___unwind, __i_ctime);
		nsec = unwind_scratch(s, bpf_core_field_offset(inode->__i_ctime) + 8);
	} else {
		if (unwind_copy(s, bpf_core_field_offset(inode->i_ctime) + 16, inode))
			return -1;
		sec = UNWIND_SCRATCH(s, inode___unwind, i_ctime);
		nsec = unwind_scratch(s, bpf_core_field_offset(inode->i_ctime) + 8);
	}
	s->file.ctime_ns = sec * 1000000000 + (nsec & UNWIND_NSEC_MASK);
	s->file.sz = UNWIND_SCRATCH(s, inode___unwind, i_size);
	s->file.ino = UNWIND_SCRATCH(s, inode___unwind, i_ino);
	sb = UNWIND_SCRATCH(s, inode___unwind, i_sb);
	/* /proc/PID/maps shows the inode of the overlay (6.7): so does user space's identity. */
	if (bpf_core_field_exists(((struct backing_file___unwind *)0)->user_path) &&
	    BPF_CORE_READ(file, f_mode) & UNWIND_FMODE_NOACCOUNT) {
		inode = BPF_CORE_READ((struct backing_file___unwind *)file, user_path.dentry,
				      d_inode);
		s->file.ino = BPF_CORE_READ(inode, i_ino);
		sb = (__u64)BPF_CORE_READ(inode, i_sb);
	}
	s->file.dev = BPF_CORE_READ((struct super_block___unwind *)sb, s_dev);
	s->file.is_vdso = 0;
	return 0;
}

/* Finds the table of s->file for s->mapping. */
static __always_inline void unwind_find_table(struct unwind_state *s)
{
	struct unwind_file_use *use = bpf_map_lookup_elem(&unwind_file_ids, &s->file);

	if (!use) {
		s->mapping.is_unknown = 1;
		return;
	}
	s->mapping.table = use->table;
	if (!use->used)
		use->used = 1;
}

/* Finds the mapping of s->find_pc, and its table, by the kernel's tree: s->found. */
__weak __noinline int unwind_find_vma(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct vm_area_struct___unwind *vma;
	struct mm_struct___unwind *mm;
	__u64 file;
	int found;

	if (UNWIND_OFF || !UNWIND_HAS_TREE || !s)
		return 0;
	s->found = UNWIND_NOT_SURE;
	mm = BPF_CORE_READ((struct task_struct___unwind_mm *)bpf_get_current_task(), mm);
	found = mm ? unwind_search_tree(s, key, mm) : UNWIND_NOT_SURE;
	if (found != UNWIND_FOUND) {
		s->found = found;
		return 0;
	}
	vma = (void *)s->entry;
	if (unwind_copy(s, bpf_core_field_offset(vma->vm_file) + 8, vma))
		return 0;
	s->mapping.start = UNWIND_SCRATCH(s, vm_area_struct___unwind, vm_start);
	s->mapping.end = UNWIND_SCRATCH(s, vm_area_struct___unwind, vm_end);
	s->mapping.base = s->mapping.start;
	s->mapping.table = s->mapping.is_unknown = 0;
	file = UNWIND_SCRATCH(s, vm_area_struct___unwind, vm_file);
	if (UNWIND_SCRATCH(s, vm_area_struct___unwind, vm_mm) != (__u64)mm ||
	    s->find_pc < s->mapping.start || s->find_pc >= s->mapping.end)
		goto unsure;
	if (file) {
		s->mapping.base -= UNWIND_SCRATCH(s, vm_area_struct___unwind, vm_pgoff)
				   << UNWIND_PAGE_SHIFT;
		s->entry = file;
		/* The file exists as long as the mapping has it. */
		if (unwind_identify(key) || (__u64)BPF_CORE_READ(vma, vm_file) != file)
			goto unsure;
	} else if ((__u64)BPF_CORE_READ(mm, context.vdso) == s->mapping.start) {
		s->file = (struct unwind_file_id){ .is_vdso = 1 };
	} else {
		/* Code of no file: there will never be a table. */
		s->found = UNWIND_FOUND;
		return 0;
	}
	unwind_find_table(s);
	s->found = UNWIND_FOUND;
	return 0;
unsure:
	s->mapping.end = 0;
	return 0;
}

#endif
