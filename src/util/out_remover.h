/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Removes the new output file of a command that failed before it wrote anything. A process that has
 * given up its privileges (run/confine.h) cannot remove a file: a process that was forked before
 * that, and that can do nothing else, does it.
 */
#ifndef BPFPERF_UTIL_OUT_REMOVER_H
#define BPFPERF_UTIL_OUT_REMOVER_H

/* Notes a file that was just created, in place of an earlier one. The path is copied. */
void out_remover__note(const char *path);
/*
 * Forks the process, if a file is noted, which calls give_up() first. To be called before system
 * calls are limited, and while there is no thread. Where there is no process to be had, an empty
 * file may stay.
 */
void out_remover__start(void (*give_up)(void));
/* Removes a file: by that process, if it is the one that was noted, or else directly. */
void out_remover__remove(const char *path);

#endif
