"use strict";
/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The result, and which row of it is shown. */
const $ = id => document.getElementById(id);
const D = JSON.parse($("data").textContent);
const S = { row: 0, at: null };

/* A duration in four digits, as in the table of text. */
function duration(ns) {
	const units = ["ns", "us", "ms", "s"];
	let u = 0;
	while (ns >= 999.95 && u < 3) {
		ns /= 1000;
		u++;
	}
	return ns.toFixed(!u || ns >= 1000 ? 0 : ns < 9.9995 ? 3 : ns < 99.995 ? 2 : 1) + " " + units[u];
}
const nameOf = row => [row.name, ...row.by].join(" ");
/* A time of day; in a recording, which has none, seconds since its begin. */
const clock = slice => D.begin ? new Date(D.begin + slice * D.slice / 1e6).toLocaleTimeString() :
	(slice * D.slice / 1e9).toFixed(3) + " s";

/* The counts of a row by slice and step, and the steps it has. */
function heatOf(row) {
	const heat = { cells: new Map(), low: Infinity, high: 0, most: 1 };
	for (let i = 0; i < row.heat.length; i += 3) {
		const [slice, step, count] = row.heat.slice(i, i + 3);
		heat.cells.set(slice * 4096 + step, count);
		heat.low = Math.min(heat.low, step);
		heat.high = Math.max(heat.high, step);
		heat.most = Math.max(heat.most, count);
	}
	if (heat.low > heat.high)
		heat.low = heat.high = 0;
	return heat;
}
