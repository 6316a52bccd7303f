// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of calls on sockets: addresses and options. */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/if_packet.h>

#include "strace/calls.h"

static void put_unix(struct call_view *v, const struct sockaddr_un *un, size_t sz)
{
	size_t max = sz - offsetof(struct sockaddr_un, sun_path);
	struct text_opts opts = *v->opts;

	if (sz <= offsetof(struct sockaddr_un, sun_path))
		return;
	opts.str_sz = sizeof(un->sun_path);
	strbuf__puts(v->out, ", sun_path=");
	if (!un->sun_path[0]) {
		strbuf__putc(v->out, '@');
		put_quoted(v->out, &opts, un->sun_path + 1, max - 1, false);
	} else {
		put_quoted(v->out, &opts, un->sun_path, strnlen(un->sun_path, max), false);
	}
}

static void put_scope(struct strbuf *out, unsigned int scope)
{
	char name[IF_NAMESIZE];

	if (scope && if_indextoname(scope, name))
		strbuf__printf(out, "if_nametoindex(\"%s\")", name);
	else
		strbuf__put_u64(out, scope);
}

void put_sockaddr(struct call_view *v, const void *addr, size_t sz)
{
	const struct sockaddr *sa = addr;
	struct strbuf *out = v->out;
	char text[INET6_ADDRSTRLEN];

	strbuf__puts(out, "{sa_family=");
	put_enum(out, &names_family, sa->sa_family);
	if (sa->sa_family == AF_UNIX) {
		put_unix(v, addr, sz);
	} else if (sa->sa_family == AF_INET && sz >= sizeof(struct sockaddr_in)) {
		const struct sockaddr_in *in = addr;

		inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text));
		strbuf__printf(out, ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")",
			       ntohs(in->sin_port), text);
	} else if (sa->sa_family == AF_INET6 && sz >= sizeof(struct sockaddr_in6)) {
		const struct sockaddr_in6 *in6 = addr;

		inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof(text));
		strbuf__printf(out,
			       ", sin6_port=htons(%u), sin6_flowinfo=htonl(%u), "
			       "inet_pton(AF_INET6, \"%s\", &sin6_addr), sin6_scope_id=",
			       ntohs(in6->sin6_port), ntohl(in6->sin6_flowinfo), text);
		put_scope(out, in6->sin6_scope_id);
	} else if (sa->sa_family == AF_NETLINK && sz >= sizeof(struct sockaddr_nl)) {
		const struct sockaddr_nl *nl = addr;

		if (nl->nl_pad)
			strbuf__printf(out, ", nl_pad=%#x", nl->nl_pad);
		strbuf__printf(out, ", nl_pid=%u, nl_groups=%#08x", nl->nl_pid, nl->nl_groups);
	} else if (sz > sizeof(sa->sa_family)) {
		strbuf__puts(out, ", sa_data=");
		put_quoted(out, v->opts, sa->sa_data, sz - sizeof(sa->sa_family), false);
	}
	strbuf__putc(out, '}');
}

PRINT(sockaddr)
{
	size_t sz, want = (unsigned int)v->args[arg + 1];
	const void *addr = view__part(v, arg, 0, &sz);

	if (want > sizeof(struct sockaddr_storage))
		want = sizeof(struct sockaddr_storage);
	if (addr && sz >= 2 && sz >= want)
		put_sockaddr(v, addr, sz);
	else
		put_addr(v->out, v->args[arg]);
}

/* An address that the kernel has written: its size is where the next argument points to. */
PRINT(sockaddr_out)
{
	const int *before = view__entry(v, arg + 1, sizeof(*before));
	size_t sz;
	const void *addr = view__part(v, arg, 0, &sz);

	if (before && sz > (size_t)*before)
		sz = (size_t)*before;
	if (view__is_written(v) && addr && sz >= 2)
		put_sockaddr(v, addr, sz);
	else
		put_addr(v->out, v->args[arg]);
}

PRINT(socket_type)
{
	put_flags(v->out, &names_socket_type, (unsigned int)v->args[arg]);
}

PRINT(socket_protocol)
{
	switch (v->args[0]) {
	case AF_INET:
	case AF_INET6:
		put_enum(v->out, &names_inet_proto, v->args[arg]);
		return;
	case AF_NETLINK:
		put_enum(v->out, &names_netlink_proto, v->args[arg]);
		return;
	case AF_PACKET:
		strbuf__puts(v->out, "htons(");
		put_enum(v->out, &names_ethertype, ntohs((uint16_t)v->args[arg]));
		strbuf__putc(v->out, ')');
		return;
	}
	strbuf__put_u64(v->out, (unsigned int)v->args[arg]);
}

static const struct names *options_of(uint64_t level)
{
	switch (level) {
	case SOL_SOCKET:
		return &names_so;
	case IPPROTO_TCP:
		return &names_tcp;
	case IPPROTO_IP:
		return &names_ip;
	case IPPROTO_IPV6:
		return &names_ipv6;
	}
	return NULL;
}

/* The name of an option; argument 1 is its level. */
static void put_option(struct call_view *v, unsigned int arg)
{
	const struct names *names = options_of(v->args[1]);

	if (names)
		put_enum(v->out, names, v->args[arg]);
	else
		strbuf__put_u64(v->out, (unsigned int)v->args[arg]);
}

static bool put_known_option(struct call_view *v, const void *val, size_t sz)
{
	struct strbuf *out = v->out;

	if (v->args[1] != SOL_SOCKET)
		return false;
	if (v->args[2] == SO_ATTACH_FILTER && sz >= sizeof(struct sock_fprog)) {
		put_fprog(v, 3, false);
		return true;
	}
	if (v->args[2] == SO_ERROR && sz == sizeof(int) && *(const int *)val) {
		strbuf__putc(out, '[');
		put_errno(out, *(const int *)val);
		strbuf__putc(out, ']');
		return true;
	}
	if (v->args[2] == SO_LINGER && sz >= sizeof(struct linger)) {
		const struct linger *l = val;

		strbuf__printf(out, "{l_onoff=%d, l_linger=%d}", l->l_onoff, l->l_linger);
		return true;
	}
	if ((v->args[2] == 20 || v->args[2] == 21) && sz >= sizeof(struct timeval)) {
		const int64_t *t = val;

		strbuf__printf(out, "{tv_sec=%lld, tv_usec=%lld}", (long long)t[0],
			       (long long)t[1]);
		return true;
	}
	if (v->args[2] == SO_PEERCRED && sz >= sizeof(struct ucred)) {
		const struct ucred *c = val;

		strbuf__printf(out, "{pid=%d, uid=%u, gid=%u}", c->pid, c->uid, c->gid);
		return true;
	}
	return false;
}

/* Argument 2 is the name, 3 the value; 4 its size, or where that is. */
/* Has the copy of an option the size that the program gave? */
static bool is_whole(const struct call_view *v, unsigned int arg, size_t sz)
{
	return v->call->desc->args[arg]->is_out || sz >= v->opts->str_sz ||
	       sz >= (unsigned int)v->args[arg + 1];
}

PRINT(sockopt)
{
	size_t sz;
	const void *val;

	if (arg == 2) {
		put_option(v, arg);
		return;
	}
	val = view__part(v, arg, 0, &sz);
	if (!val || !is_whole(v, arg, sz) ||
	    (v->call->desc->args[arg]->is_out && !view__is_written(v))) {
		put_addr(v->out, v->args[arg]);
		return;
	}
	if (put_known_option(v, val, sz))
		return;
	if (sz == sizeof(int))
		strbuf__printf(v->out, "[%d]", *(const int *)val);
	else
		put_quoted(v->out, v->opts, val, sz < v->opts->str_sz ? sz : v->opts->str_sz,
			   sz > v->opts->str_sz);
}

/* The length of a socket's address or option. */
PRINT(msg_len)
{
	print_int_inout(v, arg);
}
