// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names of files: the kernel's headers, not the C library's, which hides O_LARGEFILE. */
#include <linux/types.h>
#include <linux/fcntl.h>
#include <linux/stat.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/inotify.h>
#include <linux/fanotify.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/xattr.h>
#include <linux/close_range.h>
#include <linux/fadvise.h>

#include "strace/names.h"

/* clang-format off */

static const struct name_of opens[] = {
	NAME(O_RDONLY), NAME(O_WRONLY), NAME(O_RDWR), NAME(O_ACCMODE),
	NAME(O_CREAT), NAME(O_EXCL), NAME(O_NOCTTY), NAME(O_TRUNC), NAME(O_APPEND),
	NAME(O_NONBLOCK), NAME(O_SYNC), NAME(O_DSYNC), NAME(O_DIRECT), NAME(O_LARGEFILE),
	NAME(O_NOFOLLOW), NAME(O_NOATIME), NAME(O_CLOEXEC), NAME(O_PATH), NAME(O_TMPFILE),
	NAME(O_DIRECTORY), { FASYNC, "FASYNC" },
};
const struct names names_open = { opens, sizeof(opens) / sizeof(opens[0]), "O_???", O_ACCMODE };

static const struct name_of open_flags[] = {
	NAME(O_NONBLOCK), NAME(O_DIRECT), NAME(O_CLOEXEC),
};
const struct names names_open_flags = NAMES(open_flags, "O_???");

/* The C library has these. */
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
static const struct name_of accesses[] = { NAME(F_OK), NAME(R_OK), NAME(W_OK), NAME(X_OK) };
const struct names names_access = NAMES(accesses, "?_OK");

static const struct name_of ats[] = {
	NAME(AT_SYMLINK_NOFOLLOW), NAME(AT_REMOVEDIR), NAME(AT_SYMLINK_FOLLOW),
	NAME(AT_NO_AUTOMOUNT), NAME(AT_EMPTY_PATH), NAME(AT_RECURSIVE),
};
const struct names names_at = NAMES(ats, "AT_???");
const struct names names_at_empty = NAMES(ats, "AT_???");

static const struct name_of at_accesses[] = {
	NAME(AT_SYMLINK_NOFOLLOW), NAME(AT_EACCESS), NAME(AT_EMPTY_PATH),
};
const struct names names_at_access = NAMES(at_accesses, "AT_???");

static const struct name_of at_statxs[] = {
	NAME(AT_STATX_SYNC_AS_STAT), NAME(AT_STATX_FORCE_SYNC), NAME(AT_STATX_DONT_SYNC),
	NAME(AT_SYMLINK_NOFOLLOW), NAME(AT_REMOVEDIR), NAME(AT_SYMLINK_FOLLOW),
	NAME(AT_NO_AUTOMOUNT), NAME(AT_EMPTY_PATH), NAME(AT_RECURSIVE),
};
const struct names names_at_statx = {
	at_statxs, sizeof(at_statxs) / sizeof(at_statxs[0]), "AT_???", AT_STATX_SYNC_TYPE
};

static const struct name_of statx_masks[] = {
#ifdef STATX_ALL
	NAME(STATX_ALL),
#endif
	NAME(STATX_BASIC_STATS), NAME(STATX_TYPE), NAME(STATX_MODE), NAME(STATX_NLINK),
	NAME(STATX_UID), NAME(STATX_GID), NAME(STATX_ATIME), NAME(STATX_MTIME), NAME(STATX_CTIME),
	NAME(STATX_INO), NAME(STATX_SIZE), NAME(STATX_BLOCKS), NAME(STATX_BTIME),
#ifdef STATX_MNT_ID
	NAME(STATX_MNT_ID),
#endif
#ifdef STATX_DIOALIGN
	NAME(STATX_DIOALIGN),
#endif
};
const struct names names_statx_mask = NAMES(statx_masks, "STATX_???");

static const struct name_of statx_attrs[] = {
	NAME(STATX_ATTR_COMPRESSED), NAME(STATX_ATTR_IMMUTABLE), NAME(STATX_ATTR_APPEND),
	NAME(STATX_ATTR_NODUMP), NAME(STATX_ATTR_ENCRYPTED), NAME(STATX_ATTR_AUTOMOUNT),
	{ 0x2000, "STATX_ATTR_MOUNT_ROOT" }, { 0x100000, "STATX_ATTR_VERITY" },
	{ 0x200000, "STATX_ATTR_DAX" },
};
const struct names names_statx_attr = NAMES(statx_attrs, "STATX_ATTR_???");

static const struct name_of seeks[] = {
	NAME(SEEK_SET), NAME(SEEK_CUR), NAME(SEEK_END), NAME(SEEK_DATA), NAME(SEEK_HOLE),
};
const struct names names_seek = NAMES(seeks, "SEEK_???");

static const struct name_of fcntls[] = {
	NAME(F_DUPFD), NAME(F_GETFD), NAME(F_SETFD), NAME(F_GETFL), NAME(F_SETFL), NAME(F_GETLK),
	NAME(F_SETLK), NAME(F_SETLKW), NAME(F_SETOWN), NAME(F_GETOWN), NAME(F_SETSIG),
	NAME(F_GETSIG), NAME(F_SETOWN_EX), NAME(F_GETOWN_EX), NAME(F_GETOWNER_UIDS),
	NAME(F_OFD_GETLK), NAME(F_OFD_SETLK), NAME(F_OFD_SETLKW), NAME(F_SETLEASE),
	NAME(F_GETLEASE), NAME(F_NOTIFY), NAME(F_DUPFD_CLOEXEC), NAME(F_SETPIPE_SZ),
	NAME(F_GETPIPE_SZ), NAME(F_ADD_SEALS), NAME(F_GET_SEALS), NAME(F_GET_RW_HINT),
	NAME(F_SET_RW_HINT), NAME(F_GET_FILE_RW_HINT), NAME(F_SET_FILE_RW_HINT),
};
const struct names names_fcntl = NAMES(fcntls, "F_???");

static const struct name_of fds[] = { NAME(FD_CLOEXEC) };
const struct names names_fd = NAMES(fds, "FD_???");

static const struct name_of lock_types[] = { NAME(F_RDLCK), NAME(F_WRLCK), NAME(F_UNLCK) };
const struct names names_lock_type = NAMES(lock_types, "F_???");

static const struct name_of leases[] = { NAME(F_RDLCK), NAME(F_WRLCK), NAME(F_UNLCK) };
const struct names names_lease = NAMES(leases, "F_???");

static const struct name_of seals[] = {
	NAME(F_SEAL_SEAL), NAME(F_SEAL_SHRINK), NAME(F_SEAL_GROW), NAME(F_SEAL_WRITE),
	NAME(F_SEAL_FUTURE_WRITE),
};
const struct names names_seal = NAMES(seals, "F_SEAL_???");

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
static const struct name_of flocks[] = {
	NAME(LOCK_SH), NAME(LOCK_EX), NAME(LOCK_NB), NAME(LOCK_UN),
};
const struct names names_flock = NAMES(flocks, "LOCK_???");

static const struct name_of fallocs[] = {
	NAME(FALLOC_FL_KEEP_SIZE), NAME(FALLOC_FL_PUNCH_HOLE), NAME(FALLOC_FL_NO_HIDE_STALE),
	NAME(FALLOC_FL_COLLAPSE_RANGE), NAME(FALLOC_FL_ZERO_RANGE), NAME(FALLOC_FL_INSERT_RANGE),
	NAME(FALLOC_FL_UNSHARE_RANGE),
};
const struct names names_falloc = NAMES(fallocs, "FALLOC_FL_???");

static const struct name_of renames[] = {
	NAME(RENAME_NOREPLACE), NAME(RENAME_EXCHANGE), NAME(RENAME_WHITEOUT),
};
const struct names names_rename = NAMES(renames, "RENAME_???");

static const struct name_of unlink_ats[] = { NAME(AT_REMOVEDIR) };
const struct names names_unlink_at = NAMES(unlink_ats, "AT_???");
static const struct name_of link_ats[] = { NAME(AT_SYMLINK_FOLLOW), NAME(AT_EMPTY_PATH) };
const struct names names_link_at = NAMES(link_ats, "AT_???");

static const struct name_of mounts[] = {
	NAME(MS_RDONLY), NAME(MS_NOSUID), NAME(MS_NODEV), NAME(MS_NOEXEC), NAME(MS_SYNCHRONOUS),
	NAME(MS_REMOUNT), NAME(MS_MANDLOCK), NAME(MS_DIRSYNC), NAME(MS_NOSYMFOLLOW),
	NAME(MS_NOATIME), NAME(MS_NODIRATIME), NAME(MS_BIND), NAME(MS_MOVE), NAME(MS_REC),
	NAME(MS_SILENT), NAME(MS_POSIXACL), NAME(MS_UNBINDABLE), NAME(MS_PRIVATE), NAME(MS_SLAVE),
	NAME(MS_SHARED), NAME(MS_RELATIME), NAME(MS_KERNMOUNT), NAME(MS_I_VERSION),
	NAME(MS_STRICTATIME), NAME(MS_LAZYTIME),
};
const struct names names_mount = NAMES(mounts, "MS_???");

#define MNT_FORCE 1
#define MNT_DETACH 2
#define MNT_EXPIRE 4
#define UMOUNT_NOFOLLOW 8
static const struct name_of umounts[] = {
	NAME(MNT_FORCE), NAME(MNT_DETACH), NAME(MNT_EXPIRE), NAME(UMOUNT_NOFOLLOW),
};
const struct names names_umount = NAMES(umounts, "MNT_???");

static const struct name_of fadvises[] = {
	NAME(POSIX_FADV_NORMAL), NAME(POSIX_FADV_RANDOM), NAME(POSIX_FADV_SEQUENTIAL),
	NAME(POSIX_FADV_WILLNEED), NAME(POSIX_FADV_DONTNEED), NAME(POSIX_FADV_NOREUSE),
};
const struct names names_fadvise = NAMES(fadvises, "POSIX_FADV_???");

#define SPLICE_F_MOVE 1
#define SPLICE_F_NONBLOCK 2
#define SPLICE_F_MORE 4
#define SPLICE_F_GIFT 8
static const struct name_of splices[] = {
	NAME(SPLICE_F_MOVE), NAME(SPLICE_F_NONBLOCK), NAME(SPLICE_F_MORE), NAME(SPLICE_F_GIFT),
};
const struct names names_splice = NAMES(splices, "SPLICE_F_???");

static const struct name_of xattrs[] = { NAME(XATTR_CREATE), NAME(XATTR_REPLACE) };
const struct names names_xattr = NAMES(xattrs, "XATTR_???");

static const struct name_of resolves[] = {
	NAME(RESOLVE_NO_XDEV), NAME(RESOLVE_NO_MAGICLINKS), NAME(RESOLVE_NO_SYMLINKS),
	NAME(RESOLVE_BENEATH), NAME(RESOLVE_IN_ROOT),
#ifdef RESOLVE_CACHED
	NAME(RESOLVE_CACHED),
#endif
};
const struct names names_resolve = NAMES(resolves, "RESOLVE_???");

static const struct name_of inotifys[] = {
	NAME(IN_ACCESS), NAME(IN_MODIFY), NAME(IN_ATTRIB), NAME(IN_CLOSE_WRITE),
	NAME(IN_CLOSE_NOWRITE), NAME(IN_OPEN), NAME(IN_MOVED_FROM), NAME(IN_MOVED_TO),
	NAME(IN_CREATE), NAME(IN_DELETE), NAME(IN_DELETE_SELF), NAME(IN_MOVE_SELF),
	NAME(IN_UNMOUNT), NAME(IN_Q_OVERFLOW), NAME(IN_IGNORED), NAME(IN_ONLYDIR),
	NAME(IN_DONT_FOLLOW), NAME(IN_EXCL_UNLINK), NAME(IN_MASK_CREATE), NAME(IN_MASK_ADD),
	NAME(IN_ISDIR), NAME(IN_ONESHOT),
};
const struct names names_inotify = NAMES(inotifys, "IN_???");
static const struct name_of inotify_inits[] = { NAME(IN_NONBLOCK), NAME(IN_CLOEXEC) };
const struct names names_inotify_init = NAMES(inotify_inits, "IN_???");

static const struct name_of fanotify_inits[] = {
	NAME(FAN_CLOEXEC), NAME(FAN_NONBLOCK), NAME(FAN_CLASS_CONTENT), NAME(FAN_CLASS_PRE_CONTENT),
	NAME(FAN_UNLIMITED_QUEUE), NAME(FAN_UNLIMITED_MARKS), NAME(FAN_ENABLE_AUDIT),
	NAME(FAN_REPORT_TID), NAME(FAN_REPORT_FID),
};
const struct names names_fanotify_init = NAMES(fanotify_inits, "FAN_???");

static const struct name_of memfds[] = {
	NAME(MFD_CLOEXEC), NAME(MFD_ALLOW_SEALING), NAME(MFD_HUGETLB),
};
const struct names names_memfd = NAMES(memfds, "MFD_???");

static const struct name_of eventfds[] = {
	{ 1, "EFD_SEMAPHORE" }, { O_CLOEXEC, "EFD_CLOEXEC" }, { O_NONBLOCK, "EFD_NONBLOCK" },
};
const struct names names_eventfd = NAMES(eventfds, "EFD_???");

static const struct name_of dup3s[] = { NAME(O_CLOEXEC) };
const struct names names_dup3 = NAMES(dup3s, "O_???");

static const struct name_of sync_ranges[] = {
	NAME(SYNC_FILE_RANGE_WAIT_BEFORE), NAME(SYNC_FILE_RANGE_WRITE),
	NAME(SYNC_FILE_RANGE_WAIT_AFTER),
};
const struct names names_sync_range = NAMES(sync_ranges, "SYNC_FILE_RANGE_???");

static const struct name_of statfs_types[] = {
	NAME(ADFS_SUPER_MAGIC), NAME(AFFS_SUPER_MAGIC), NAME(ANON_INODE_FS_MAGIC),
	NAME(AUTOFS_SUPER_MAGIC), NAME(BDEVFS_MAGIC), NAME(BPF_FS_MAGIC), NAME(BTRFS_SUPER_MAGIC),
	NAME(CGROUP2_SUPER_MAGIC), NAME(CGROUP_SUPER_MAGIC), NAME(CRAMFS_MAGIC),
	NAME(DEBUGFS_MAGIC),
	NAME(DEVPTS_SUPER_MAGIC), NAME(ECRYPTFS_SUPER_MAGIC), NAME(EFIVARFS_MAGIC),
	NAME(EXT2_SUPER_MAGIC), NAME(F2FS_SUPER_MAGIC), NAME(HOSTFS_SUPER_MAGIC),
	NAME(HUGETLBFS_MAGIC), NAME(ISOFS_SUPER_MAGIC), NAME(JFFS2_SUPER_MAGIC),
	NAME(MSDOS_SUPER_MAGIC), NAME(MTD_INODE_FS_MAGIC), NAME(NFS_SUPER_MAGIC),
	NAME(NILFS_SUPER_MAGIC), NAME(NSFS_MAGIC), NAME(OVERLAYFS_SUPER_MAGIC), NAME(PIPEFS_MAGIC),
	NAME(PROC_SUPER_MAGIC), NAME(PSTOREFS_MAGIC), NAME(RAMFS_MAGIC), NAME(REISERFS_SUPER_MAGIC),
	NAME(SECURITYFS_MAGIC), NAME(SELINUX_MAGIC), NAME(SMB_SUPER_MAGIC), NAME(SOCKFS_MAGIC),
	NAME(SQUASHFS_MAGIC), NAME(SYSFS_MAGIC), NAME(TMPFS_MAGIC), NAME(TRACEFS_MAGIC),
	NAME(V9FS_MAGIC), NAME(XENFS_SUPER_MAGIC), NAME(BINFMTFS_MAGIC),
	{ 0x58465342, "XFS_SUPER_MAGIC" }, { 0x65735546, "FUSE_SUPER_MAGIC" },
};
const struct names names_statfs_type = NAMES(statfs_types, NULL);

static const struct name_of statfs_flags[] = {
	{ 0x20, "ST_VALID" }, { 1, "ST_RDONLY" }, { 2, "ST_NOSUID" }, { 4, "ST_NODEV" },
	{ 8, "ST_NOEXEC" }, { 0x10, "ST_SYNCHRONOUS" }, { 0x40, "ST_MANDLOCK" },
	{ 0x400, "ST_NOATIME" }, { 0x800, "ST_NODIRATIME" }, { 0x1000, "ST_RELATIME" },
	{ 0x2000, "ST_NOSYMFOLLOW" },
};
const struct names names_statfs_flags = NAMES(statfs_flags, "ST_???");

static const struct name_of close_ranges[] = {
	NAME(CLOSE_RANGE_UNSHARE),
#ifdef CLOSE_RANGE_CLOEXEC
	NAME(CLOSE_RANGE_CLOEXEC),
#endif
};
const struct names names_close_range = NAMES(close_ranges, "CLOSE_RANGE_???");

static const struct name_of fsopens[] = { NAME(FSOPEN_CLOEXEC) };
const struct names names_fsopen = NAMES(fsopens, "FSOPEN_???");
static const struct name_of fsmounts[] = { NAME(FSMOUNT_CLOEXEC) };
const struct names names_fsmount = NAMES(fsmounts, "FSMOUNT_???");
static const struct name_of fspicks[] = {
	NAME(FSPICK_CLOEXEC), NAME(FSPICK_SYMLINK_NOFOLLOW), NAME(FSPICK_NO_AUTOMOUNT),
	NAME(FSPICK_EMPTY_PATH),
};
const struct names names_fspick = NAMES(fspicks, "FSPICK_???");
static const struct name_of fsconfigs[] = {
	NAME(FSCONFIG_SET_FLAG), NAME(FSCONFIG_SET_STRING), NAME(FSCONFIG_SET_BINARY),
	NAME(FSCONFIG_SET_PATH), NAME(FSCONFIG_SET_PATH_EMPTY), NAME(FSCONFIG_SET_FD),
	NAME(FSCONFIG_CMD_CREATE), NAME(FSCONFIG_CMD_RECONFIGURE),
};
const struct names names_fsconfig = NAMES(fsconfigs, "FSCONFIG_???");
static const struct name_of move_mounts[] = {
	NAME(MOVE_MOUNT_F_SYMLINKS), NAME(MOVE_MOUNT_F_AUTOMOUNTS), NAME(MOVE_MOUNT_F_EMPTY_PATH),
	NAME(MOVE_MOUNT_T_SYMLINKS), NAME(MOVE_MOUNT_T_AUTOMOUNTS), NAME(MOVE_MOUNT_T_EMPTY_PATH),
};
const struct names names_move_mount = NAMES(move_mounts, "MOVE_MOUNT_???");
static const struct name_of open_trees[] = {
	NAME(OPEN_TREE_CLONE), NAME(OPEN_TREE_CLOEXEC), NAME(AT_SYMLINK_NOFOLLOW),
	NAME(AT_NO_AUTOMOUNT), NAME(AT_EMPTY_PATH), NAME(AT_RECURSIVE),
};
const struct names names_open_tree = NAMES(open_trees, "OPEN_TREE_???");
/* clang-format on */
