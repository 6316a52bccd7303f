// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "etmdec/tree.h"

#include <stdlib.h>

/* Fields of registers (Arm ETM architecture specification, IHI 0064). */
#define IDR1_ARCH_MINOR(idr1) ((idr1) >> 4 & 0xf)

struct tree {
	dcd_tree_handle_t handle;
	const struct tree_calls *calls;
	const struct itrace_etm *units[TREE_IDS];
	/* The packets of each unit are told with these. */
	struct monitor {
		const struct tree_calls *calls;
		uint8_t id;
	} monitors[TREE_IDS];
	uint8_t first_id; /* of any unit; 0: there is none */
};

static void on_packet(const void *ctx, const ocsd_datapath_op_t op, const ocsd_trc_index_t at,
		      const void *packet, const uint32_t sz, const uint8_t *p)
{
	const struct monitor *m = ctx;
	const ocsd_etmv4_i_pkt *pkt = packet;

	(void)sz;
	(void)p;
	if (op == OCSD_OP_DATA && pkt && pkt->type == ETM4_PKT_I_ASYNC)
		m->calls->synced(m->calls->ctx, m->id, at);
}

/* Makes the decoder of one unit. false: libopencsd does not take its registers, or no memory. */
static bool add_unit(struct tree *t, const struct itrace_etm *etm, uint8_t id)
{
	const ocsd_arch_version_t arch =
		etm->is_ete || IDR1_ARCH_MINOR(etm->idr1) >= 4 ? ARCH_AA64 : ARCH_V8;
	const ocsd_etmv4_cfg v4 = { .reg_idr0 = etm->idr0,
				    .reg_idr1 = etm->idr1,
				    .reg_idr2 = etm->idr2,
				    .reg_idr8 = etm->idr8,
				    .reg_configr = etm->configr,
				    .reg_traceidr = id,
				    .arch_ver = arch,
				    .core_prof = profile_CortexA };
	const ocsd_ete_cfg ete = { .reg_idr0 = etm->idr0,
				   .reg_idr1 = etm->idr1,
				   .reg_idr2 = etm->idr2,
				   .reg_idr8 = etm->idr8,
				   .reg_devarch = etm->devarch,
				   .reg_configr = etm->configr,
				   .reg_traceidr = id,
				   .arch_ver = arch,
				   .core_prof = profile_CortexA };
	unsigned char made;

	if (ocsd_dt_create_decoder(
		    t->handle, etm->is_ete ? OCSD_BUILTIN_DCD_ETE : OCSD_BUILTIN_DCD_ETMV4I,
		    OCSD_CREATE_FLG_FULL_DECODER, etm->is_ete ? (const void *)&ete : &v4, &made))
		return false;
	t->units[id] = etm;
	t->monitors[id] = (struct monitor){ t->calls, id };
	t->first_id = id;
	return !ocsd_dt_attach_packet_callback(t->handle, id, OCSD_C_API_CB_PKT_MON,
					       (void *)on_packet, &t->monitors[id]);
}

static void add_units(struct tree *t, const struct job *job, const struct itrace_chunk *chunk)
{
	uint32_t i;

	for (i = 0; i < job->head.etm_cnt; i++) {
		const struct itrace_etm *etm = &job->etms[i];

		if (!chunk->is_raw) {
			/* Ids outside are reserved; the first of two with the same id counts. */
			if (etm->trace_id && etm->trace_id < 0x70 && !t->units[etm->trace_id])
				add_unit(t, etm, (uint8_t)etm->trace_id);
		} else if (chunk->cpu < 0 || etm->cpu == chunk->cpu) {
			add_unit(t, etm, TREE_RAW_ID);
			return;
		}
	}
}

struct tree *tree__new(const struct job *job, const struct itrace_chunk *chunk,
		       const struct tree_calls *calls)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->calls = calls;
	/* Drivers write barriers of four FSYNCs where bytes are missing. */
	t->handle = ocsd_create_dcd_tree(
		chunk->is_raw ? OCSD_TRC_SRC_SINGLE : OCSD_TRC_SRC_FRAME_FORMATTED,
		OCSD_DFRMTR_FRAME_MEM_ALIGN | OCSD_DFRMTR_RESET_ON_4X_FSYNC);
	if (t->handle == C_API_INVALID_TREE_HANDLE) {
		free(t);
		return NULL;
	}
	ocsd_def_errlog_init(OCSD_ERR_SEV_NONE, 0);
	add_units(t, job, chunk);
	if (ocsd_dt_set_gen_elem_outfn(t->handle, calls->element, calls->ctx) ||
	    ocsd_dt_add_callback_trcid_mem_acc(t->handle, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY,
					       calls->read_code, calls->ctx)) {
		tree__free(t);
		return NULL;
	}
	return t;
}

void tree__free(struct tree *t)
{
	ocsd_destroy_dcd_tree(t->handle);
	free(t);
}

const struct itrace_etm *tree__unit(const struct tree *t, uint8_t id)
{
	return id < TREE_IDS ? t->units[id] : NULL;
}

uint32_t tree__decode(struct tree *t, uint64_t at, const uint8_t *p, uint32_t sz, bool *is_fatal)
{
	uint32_t taken = 0;
	ocsd_datapath_resp_t resp =
		ocsd_dt_process_data(t->handle, OCSD_OP_DATA, at, sz, p, &taken);

	*is_fatal = !OCSD_DATA_RESP_IS_CONT(resp);
	return taken < sz ? taken : sz;
}

void tree__end(struct tree *t)
{
	ocsd_dt_process_data(t->handle, OCSD_OP_EOT, 0, 0, NULL, NULL);
}

void tree__reset(struct tree *t)
{
	ocsd_dt_process_data(t->handle, OCSD_OP_RESET, 0, 0, NULL, NULL);
}

uint64_t tree__foreign_sz(const struct tree *t)
{
	ocsd_decode_stats_t *stats;

	if (!t->first_id || ocsd_dt_get_decode_stats(t->handle, t->first_id, &stats))
		return 0;
	return stats->demux.no_id_bytes;
}
