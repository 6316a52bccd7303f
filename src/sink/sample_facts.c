// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/sample_facts.h"

#include <errno.h>
#include <string.h>

#include "data/cgroup_names.h"
#include "data/perf_sample.h"
#include "data/recording.h"
#include "decode/sample.h"
#include "sink/func_regex.h"

int sample_facts__init(struct sample_facts *f, struct hist *hist,
		       const struct sample_facts_config *cfg)
{
	*f = (struct sample_facts){ .cfg = cfg, .hist = hist };
	if (!hist__has_key(&hist->cfg, HIST_PARENT))
		return 0;
	f->parent = func_regex__new(hist, cfg->parent);
	return f->parent ? 0 : -ENOMEM;
}

void sample_facts__free(struct sample_facts *f)
{
	func_regex__free(f->parent);
	*f = (struct sample_facts){ .cfg = NULL };
}

/* The first that matches, in the order in which chains are printed, as in perf. */
static int set_parent(struct sample_facts *f, const uint32_t *frames, size_t cnt, uint64_t *v)
{
	size_t i;
	int is;

	for (i = 0; i < cnt; i++) {
		uint32_t func = frames[f->hist->cfg.is_caller ? cnt - 1 - i : i];

		is = func_regex__is(f->parent, func);
		if (is < 0)
			return is;
		if (is) {
			*v = 1 + (uint64_t)f->hist->funcs[func].name;
			break;
		}
	}
	return 0;
}

static int set_cgroup(struct sample_facts *f, const struct perf_sample *s, uint64_t *v)
{
	const char *path;
	uint32_t text;

	if (!(s->have & PERF_SAMPLE_CGROUP) || !s->cgroup)
		return 0;
	path = cgroup_names__get(f->cfg->cgroups, s->cgroup);
	if (!path)
		path = "unknown";
	text = texts__add(&f->hist->texts, path, strlen(path));
	*v = 1 + (uint64_t)text;
	return text == TEXTS_NONE ? -ENOMEM : 0;
}

static int set_fact(struct sample_facts *f, const struct sample *s, enum hist_key key,
		    const uint32_t *frames, size_t frame_cnt)
{
	uint64_t *v = &f->facts.v[key - HIST_FACTS];

	switch (key) {
	case HIST_PARENT:
		return set_parent(f, frames, frame_cnt, v);
	case HIST_CGROUP:
		return set_cgroup(f, s->perf, v);
	case HIST_WEIGHT:
	case HIST_LOCAL_WEIGHT:
		*v = perf_sample__weight(s->perf);
		break;
	case HIST_INS_LAT:
	case HIST_LOCAL_INS_LAT:
		/* var2_w of union perf_sample_weight */
		*v = s->perf->have & PERF_SAMPLE_WEIGHT_STRUCT ? (uint16_t)(s->perf->weight >> 32)
							       : 0;
		break;
	case HIST_SOCKET:
		*v = s->perf->have & PERF_SAMPLE_CPU
			     ? (uint64_t)(1 + recording__socket(f->cfg->rec, s->cpu))
			     : 0;
		break;
	case HIST_SRCFILE:
		*v = f->srcfile == TEXTS_NONE ? 0 : 1 + (uint64_t)f->srcfile;
		break;
	case HIST_ADDR:
		*v = s->perf->ip ^ HIST_ADDR_KERNEL;
		break;
	case HIST_CODE_PAGE_SIZE:
		*v = s->perf->have & PERF_SAMPLE_CODE_PAGE_SIZE ? s->perf->code_page_sz : 0;
		break;
	case HIST_TRANSACTION:
		*v = s->perf->have & PERF_SAMPLE_TRANSACTION ? s->perf->transaction : 0;
		break;
	case HIST_TIME:
		*v = s->time_ns / f->cfg->quantum_ns * f->cfg->quantum_ns;
		break;
	default:
		break;
	}
	return 0;
}

int sample_facts__set(struct sample_facts *f, const struct sample *s, const uint32_t *frames,
		      size_t frame_cnt)
{
	const struct hist_config *cfg = &f->hist->cfg;
	uint32_t i;
	int err = 0;

	f->facts = (struct hist_facts){ 0 };
	for (i = 0; i < cfg->key_cnt && !err; i++)
		if (cfg->keys[i] >= HIST_FACTS)
			err = set_fact(f, s, cfg->keys[i], frames, frame_cnt);
	return err;
}
