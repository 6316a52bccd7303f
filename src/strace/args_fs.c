// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of calls on files. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>

#include <linux/fcntl.h>
#include <linux/openat2.h>

#include "strace/names.h"
#include "strace/view.h"

/* The kernel's struct statx, newer than that of some C libraries; its first 128 bytes. */
struct kernel_statx {
	uint32_t mask, blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid;
	uint16_t mode, pad;
	uint64_t ino, size, blocks, attributes_mask;
	struct {
		int64_t sec;
		uint32_t nsec;
		int32_t pad;
	} atime, btime, ctime, mtime;
};

void put_date(struct strbuf *out, int64_t sec, uint64_t nsec)
{
	time_t t = (time_t)sec;
	char date[64], zone[16];
	struct tm tm;

	if (!localtime_r(&t, &tm) || (!sec && !nsec))
		return;
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	strftime(zone, sizeof(zone), "%z", &tm);
	if (nsec)
		strbuf__printf(out, " /* %s.%09llu%s */", date, (unsigned long long)nsec, zone);
	else
		strbuf__printf(out, " /* %s%s */", date, zone);
}

static void put_time(struct strbuf *out, const char *name, int64_t sec, uint64_t nsec)
{
	strbuf__printf(out, ", %s=%lld", name, (long long)sec);
	put_date(out, sec, nsec);
	strbuf__printf(out, ", %s_nsec=%llu", name, (unsigned long long)nsec);
}

PRINT(stat)
{
	const struct stat *st = view__struct(v, arg, sizeof(*st));
	struct strbuf *out = v->out;

	if (!st || !view__is_written(v)) {
		put_addr(out, v->args[arg]);
		return;
	}
	strbuf__putc(out, '{');
	if (v->opts->verbose) {
		strbuf__puts(out, "st_dev=");
		put_dev(out, st->st_dev);
		strbuf__printf(out, ", st_ino=%llu, ", (unsigned long long)st->st_ino);
	}
	strbuf__puts(out, "st_mode=");
	put_mode(out, st->st_mode);
	if (v->opts->verbose)
		strbuf__printf(
			out, ", st_nlink=%lu, st_uid=%u, st_gid=%u, st_blksize=%ld, st_blocks=%ld",
			(unsigned long)st->st_nlink, st->st_uid, st->st_gid, (long)st->st_blksize,
			(long)st->st_blocks);
	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode)) {
		strbuf__puts(out, ", st_rdev=");
		put_dev(out, st->st_rdev);
	} else {
		strbuf__puts(out, ", st_size=");
		strbuf__put_s64(out, st->st_size);
	}
	if (!v->opts->verbose) {
		strbuf__puts(out, ", ...}");
		return;
	}
	put_time(out, "st_atime", st->st_atim.tv_sec, (uint64_t)st->st_atim.tv_nsec);
	put_time(out, "st_mtime", st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec);
	put_time(out, "st_ctime", st->st_ctim.tv_sec, (uint64_t)st->st_ctim.tv_nsec);
	strbuf__putc(out, '}');
}

static void put_statx_time(struct strbuf *out, const char *name, int64_t sec, uint32_t nsec)
{
	strbuf__printf(out, ", %s={tv_sec=%lld, tv_nsec=%u}", name, (long long)sec, nsec);
	put_date(out, sec, nsec);
}

PRINT(statx)
{
	const struct kernel_statx *st = view__struct(v, arg, sizeof(*st));
	struct strbuf *out = v->out;

	if (!st || !view__is_written(v)) {
		put_addr(out, v->args[arg]);
		return;
	}
	strbuf__puts(out, "{stx_mask=");
	put_flags(out, &names_statx_mask, st->mask);
	if (v->opts->verbose)
		strbuf__printf(out, ", stx_blksize=%u", st->blksize);
	strbuf__puts(out, ", stx_attributes=");
	put_flags(out, &names_statx_attr, st->attributes);
	if (v->opts->verbose)
		strbuf__printf(out, ", stx_nlink=%u, stx_uid=%u, stx_gid=%u", st->nlink, st->uid,
			       st->gid);
	strbuf__puts(out, ", stx_mode=");
	put_mode(out, st->mode);
	if (v->opts->verbose)
		strbuf__printf(out, ", stx_ino=%llu", (unsigned long long)st->ino);
	strbuf__printf(out, ", stx_size=%llu", (unsigned long long)st->size);
	if (!v->opts->verbose) {
		strbuf__puts(out, ", ...}");
		return;
	}
	strbuf__printf(out,
		       ", stx_blocks=%llu, stx_attributes_mask=", (unsigned long long)st->blocks);
	put_flags(out, &names_statx_attr, st->attributes_mask);
	put_statx_time(out, "stx_atime", st->atime.sec, st->atime.nsec);
	put_statx_time(out, "stx_btime", st->btime.sec, st->btime.nsec);
	put_statx_time(out, "stx_ctime", st->ctime.sec, st->ctime.nsec);
	put_statx_time(out, "stx_mtime", st->mtime.sec, st->mtime.nsec);
	strbuf__puts(out, "}");
}

PRINT(statfs)
{
	const struct statfs *st = view__struct(v, arg, sizeof(*st));
	struct strbuf *out = v->out;

	if (!st || !view__is_written(v)) {
		put_addr(out, v->args[arg]);
		return;
	}
	strbuf__puts(out, "{f_type=");
	put_enum(out, &names_statfs_type, (uint64_t)st->f_type);
	strbuf__printf(out, ", f_bsize=%llu, f_blocks=%llu, f_bfree=%llu, f_bavail=%llu",
		       (unsigned long long)st->f_bsize, (unsigned long long)st->f_blocks,
		       (unsigned long long)st->f_bfree, (unsigned long long)st->f_bavail);
	strbuf__printf(out, ", f_files=%llu, f_ffree=%llu, f_fsid={val=[",
		       (unsigned long long)st->f_files, (unsigned long long)st->f_ffree);
	put_hex(out, (unsigned int)st->f_fsid.__val[0]);
	strbuf__puts(out, ", ");
	put_hex(out, (unsigned int)st->f_fsid.__val[1]);
	strbuf__printf(out, "]}, f_namelen=%llu, f_frsize=%llu, f_flags=",
		       (unsigned long long)st->f_namelen, (unsigned long long)st->f_frsize);
	put_flags(out, &names_statfs_flags, (uint64_t)st->f_flags);
	strbuf__putc(out, '}');
}

/* Appends the entries that have been copied. Returns their bytes. */
static size_t put_dirents(struct strbuf *out, const struct text_opts *opts, const char *data,
			  size_t sz)
{
	static const struct name_of rows[] = { NAME(DT_UNKNOWN), NAME(DT_FIFO), NAME(DT_CHR),
					       NAME(DT_DIR),     NAME(DT_BLK),  NAME(DT_REG),
					       NAME(DT_LNK),     NAME(DT_SOCK) };
	static const struct names types = NAMES(rows, "DT_???");
	size_t at = 0, head = offsetof(struct dirent64, d_name);
	struct dirent64 d;

	while (at + head < sz) {
		memcpy(&d, data + at, head);
		if (d.d_reclen <= head || at + d.d_reclen > sz)
			break;
		strbuf__printf(out,
			       "%s{d_ino=%llu, d_off=%lld, d_reclen=%u, d_type=", at ? ", " : "",
			       (unsigned long long)d.d_ino, (long long)d.d_off, d.d_reclen);
		put_enum(out, &types, d.d_type);
		strbuf__puts(out, ", d_name=");
		put_quoted(out, opts, data + at + head,
			   strnlen(data + at + head, d.d_reclen - head), false);
		strbuf__putc(out, '}');
		at += d.d_reclen;
	}
	return at;
}

/* The number of entries; with -v, those that have been copied. */
PRINT(getdents)
{
	const uint64_t *cnt;
	size_t sz, cnt_sz, at;
	const char *data = view__part(v, arg, 0, &sz);

	cnt = view__part(v, arg, 1, &cnt_sz);
	if (v->opts->verbose && view__is_written(v) && (data || !v->ret)) {
		strbuf__putc(v->out, '[');
		at = put_dirents(v->out, v->opts, data, sz);
		strbuf__puts(v->out, at < (size_t)v->ret ? ", ...]" : "]");
		return;
	}
	put_addr(v->out, v->args[arg]);
	if (view__is_written(v) && cnt)
		strbuf__printf(v->out, " /* %llu entries */", (unsigned long long)*cnt);
}

static void put_flock(struct call_view *v, const struct flock *l, bool with_pid)
{
	struct strbuf *out = v->out;

	strbuf__puts(out, "{l_type=");
	put_enum(out, &names_lock_type, (uint64_t)l->l_type);
	strbuf__puts(out, ", l_whence=");
	put_enum(out, &names_seek, (uint64_t)l->l_whence);
	strbuf__printf(out, ", l_start=%lld, l_len=%lld", (long long)l->l_start,
		       (long long)l->l_len);
	if (with_pid)
		strbuf__printf(out, ", l_pid=%d", l->l_pid);
	strbuf__putc(out, '}');
}

PRINT(fcntl_cmd)
{
	put_enum(v->out, &names_fcntl, v->args[arg]);
}

PRINT(fcntl_arg)
{
	const struct flock *lock;

	switch (v->args[arg - 1]) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return;
	case F_SETFD:
		put_flags(v->out, &names_fd, v->args[arg]);
		return;
	case F_SETFL:
		put_flags(v->out, &names_open, v->args[arg]);
		return;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETOWN:
	case F_SETPIPE_SZ:
		strbuf__put_s64(v->out, (int64_t)v->args[arg]);
		return;
	case F_SETLEASE:
		put_enum(v->out, &names_lease, v->args[arg]);
		return;
	case F_ADD_SEALS:
		put_flags(v->out, &names_seal, v->args[arg]);
		return;
	case F_SETSIG:
		put_signal(v->out, (int)v->args[arg]);
		return;
	case F_SETLK:
	case F_SETLKW:
	case F_GETLK:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		lock = view__struct(v, arg, sizeof(*lock));
		if (!lock)
			break;
		put_flock(v, lock, v->args[arg - 1] == F_GETLK || v->args[arg - 1] == F_OFD_GETLK);
		return;
	}
	put_addr(v->out, v->args[arg]);
}

void ret_fcntl(struct call_view *v)
{
	unsigned int cmd = (unsigned int)v->args[1];

	if (cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC) {
		put_fd(v, v->ret);
		return;
	}
	if (cmd == F_GETFD || cmd == F_GETFL || cmd == F_GET_SEALS) {
		const struct names *names = cmd == F_GETFD   ? &names_fd
					    : cmd == F_GETFL ? &names_open
							     : &names_seal;

		put_hex(v->out, (uint64_t)v->ret);
		if (v->ret || cmd == F_GETFL) {
			strbuf__puts(v->note, cmd == F_GET_SEALS ? "seals " : "flags ");
			put_flags(v->note, names, (uint64_t)v->ret);
		}
		return;
	}
	strbuf__put_s64(v->out, v->ret);
}

PRINT(open_how)
{
	const struct open_how *how = view__struct(v, arg, sizeof(*how));

	if (!how) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	strbuf__puts(v->out, "{flags=");
	put_flags(v->out, &names_open, how->flags);
	if (how->mode || how->flags & O_CREAT) {
		strbuf__puts(v->out, ", mode=");
		put_octal(v->out, how->mode, 3);
	}
	strbuf__puts(v->out, ", resolve=");
	put_flags(v->out, &names_resolve, how->resolve);
	strbuf__putc(v->out, '}');
}
