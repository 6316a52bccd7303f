"use strict";
/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The result, and what of it is shown. */
const $ = id => document.getElementById(id);
const D = JSON.parse($("data").textContent);
const WALL = Math.max(D.wall, 1);
/* begin and end: nanoseconds since the beginning; row and at: what the pointer is over. */
const S = { begin: 0, end: WALL, onlyPath: false, drag: null, row: -1, at: -1 };

/* The colours of the groups of states. */
const GROUPS = {
	r: ["#3a9a45", "on a CPU"], q: ["#e0a030", "ready to run"], b: ["#c8504b", "blocked"],
	i: ["#b8bec8", "idle"], u: ["#888", "unknown"],
};
const colorOf = kind => (GROUPS[D.kinds[kind].group] || GROUPS.u)[0];
const nameOf = t => t.comm + " (" + t.tid + ")";

const onPath = new Set();
for (const step of D.path)
	onPath.add(step[2]);
function rows() {
	return D.threads.map((t, k) => k).filter(k => !S.onlyPath || onPath.has(k));
}

function seconds(ns) {
	const span = S.end - S.begin;
	return (ns / 1e9).toFixed(span > 1e9 ? 3 : span > 1e6 ? 6 : 9) + " s";
}

/* The first segment of a thread, of three numbers each, that ends after a time. */
function firstAfter(segments, ns) {
	let low = 0, high = segments.length / 3;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (segments[3 * middle] + segments[3 * middle + 1] > ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
/* The state of a thread at a time: its kind, begin and length; null: it was not there. */
function stateAt(t, ns) {
	const k = firstAfter(t.segments, ns);
	if (3 * k >= t.segments.length || t.segments[3 * k] > ns)
		return null;
	return { kind: t.segments[3 * k + 2], begin: t.segments[3 * k], ns: t.segments[3 * k + 1] };
}
