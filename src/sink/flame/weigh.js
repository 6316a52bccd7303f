/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The selected event and range, the values of the tree for them, and the text of values. */
const $ = id => document.getElementById(id);

const S = {
	mode: "top",	/* "top": top-down; "bottom": bottom-up; "list": functions; "sandwich" */
	view: 0,
	func: -1,	/* the function of the sandwich */
	from: 0, to: 0,	/* slices of time, to is behind the last; equal: all */
	query: "", flipped: false, byOld: false,
	hover: null, selected: null,	/* frames: { part, node } */
};

/* Values of a node alone (self) and with all below it (total): now, off the CPU, before. */
const self = [0, 1, 2].map(() => new Float64Array(COUNT + 1));
const total = [0, 1, 2].map(() => new Float64Array(COUNT + 1));
const NOW = 0, OFF = 1, OLD = 2;
let compared = false, hasOff = false;

function hasRange() { return S.to > S.from; }
/* Index into the values that make the widths. */
function widthKind() { return compared && S.byOld ? OLD : NOW; }
/* An event whose times are known is restricted to the range; an older profile has no times. */
function addEvent(to, event, what) {
	if (hasRange() && timed[event] && timed[event].node.length) {
		const v = timed[event], value = v[what];
		for (let i = 0; i < v.node.length; i++)
			if (v.slice[i] >= S.from && v.slice[i] < S.to)
				to[v.node[i]] += value[i];
	} else {
		const v = values[event], value = v[what];
		for (let i = 0; i < v.node.length; i++)
			to[v.node[i]] += value[i];
	}
}

/* Makes self and total for the chosen view and range. */
function weigh() {
	const view = P.views[S.view], what = view.weight ? "weight" : "samples";
	compared = view.old.length > 0;
	hasOff = false;
	self.forEach(v => v.fill(0));
	for (const e of view.events) {
		addEvent(self[NOW], e, what);
		if (P.events[e].kind === "off-cpu") {
			hasOff = true;
			addEvent(self[OFF], e, what);
		}
	}
	for (const e of view.old)
		addEvent(self[OLD], e, what);
	for (let k = 0; k < 3; k++) {
		const t = total[k];
		t.set(self[k]);
		for (let i = COUNT - 1; i >= 0; i--)
			t[parent[i]] += t[i];
	}
}

function shareOf(value, kind = NOW) { return total[kind][ALL] ? value / total[kind][ALL] : 0; }
function percent(share) { return (share * 100).toFixed(2) + "%"; }
function signed(share) { return (share >= 0 ? "+" : "\u2212") + percent(Math.abs(share)); }
function timeText(ns) {
	if (ns < 1e6)
		return (ns / 1e3).toFixed(1) + " \u00b5s";
	return ns < 1e9 ? (ns / 1e6).toFixed(1) + " ms" : (ns / 1e9).toFixed(3) + " s";
}
function countText(v, noun) {
	return v.toLocaleString("en") + " " + (v === 1 ? noun.replace(/s$/, "") : noun);
}
function valueText(v) {
	const view = P.views[S.view];
	return view.ns ? timeText(v) : countText(v, view.unit);
}
/* The value as a number for a column: its unit is in the head of the column. */
function cellText(v) {
	return P.views[S.view].ns ? (v / 1e6).toFixed(3) : v.toLocaleString("en");
}
function cellUnit() { return P.views[S.view].ns ? "ms" : P.views[S.view].unit; }
/* The change of a share against the older profile. */
function changeOf(now, old) { return shareOf(now) - shareOf(old, OLD); }

/*
 * Calls fn for the nodes that hit() accepts and that have no such node above them: a sample below
 * several of them counts once.
 */
function forOutermost(hit, fn) {
	for (let i = 0; i < COUNT;) {
		if (hit(i)) {
			fn(i);
			i = endOf[i];
		} else {
			i++;
		}
	}
}
