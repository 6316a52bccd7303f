/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The canvas: a row for each thread, and the critical path drawn through them. */
const canvas = $("lines"), pane = $("pane"), sizer = $("sizer"), ctx = canvas.getContext("2d");
const ROW = 20, AXIS = 22, NAMES = 170;
let width = 0, height = 0, shown = [];

const xOf = ns => NAMES + (ns - S.begin) / (S.end - S.begin) * (width - NAMES);
const nsOf = x => S.begin + (x - NAMES) / (width - NAMES) * (S.end - S.begin);
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function fit(text, w) {
	if (ctx.measureText(text).width <= w)
		return text;
	while (text.length > 1 && ctx.measureText(text + "…").width > w)
		text = text.slice(0, -1);
	return text + "…";
}

/* Round times, about 120 pixels apart. */
function paintAxis() {
	const span = S.end - S.begin, about = span / Math.max(1, (width - NAMES) / 120);
	let step = 10 ** Math.floor(Math.log10(about));
	step *= about / step > 5 ? 10 : about / step > 2 ? 5 : about / step > 1 ? 2 : 1;
	ctx.fillStyle = css("--dim");
	for (let ns = Math.ceil(S.begin / step) * step; ns <= S.end; ns += step) {
		const x = xOf(ns);
		ctx.fillText(seconds(ns), x + 3, 15);
		ctx.fillRect(x, 0, 1, AXIS);
	}
}

/* Each column of pixels has the state that the thread was in for most of its time. */
function paintRow(t, y) {
	const g = t.segments, sum = new Map();
	let column = NAMES;
	function put(kind, from, to) {
		if (to <= from)
			return;
		ctx.fillStyle = colorOf(kind);
		ctx.fillRect(from, y + 4, to - from, ROW - 8);
	}
	function flush() {
		let most = null;
		for (const [kind, part] of sum)
			if (most === null || part > sum.get(most))
				most = kind;
		if (most !== null)
			put(most, column, column + 1);
		sum.clear();
	}
	for (let k = firstAfter(g, S.begin); 3 * k < g.length && g[3 * k] < S.end; k++) {
		const kind = g[3 * k + 2], from = Math.max(xOf(g[3 * k]), NAMES);
		const to = Math.min(xOf(g[3 * k] + g[3 * k + 1]), width), last = Math.floor(to);
		if (Math.floor(from) !== column) {
			flush();
			column = Math.floor(from);
		}
		sum.set(kind, (sum.get(kind) || 0) + Math.min(to, column + 1) - from);
		if (last === column)
			continue;
		flush();
		put(kind, column + 1, last);
		column = last;
		sum.set(kind, to - last);
	}
	flush();
	ctx.fillStyle = css("--text");
	ctx.fillText(fit(nameOf(t), NAMES - 14), 8, y + 14);
}

/* A line under the thread that the path is in, and across where it goes to another one. */
function paintPath(top) {
	const rowOf = new Map(shown.map((k, row) => [k, row]));
	const lowest = new Map();
	let last = null;
	ctx.fillStyle = css("--text");
	for (const [begin, ns, thread] of D.path) {
		const row = rowOf.get(thread);
		if (begin + ns < S.begin || begin > S.end || row === undefined) {
			last = row === undefined ? null : row;
			continue;
		}
		const y = AXIS + row * ROW - top + ROW - 4;
		const from = Math.max(xOf(begin), NAMES), to = Math.min(xOf(begin + ns), width);
		ctx.fillRect(from, y, Math.max(to - from, 1), 3);
		if (last !== null && last !== row && from > NAMES) {
			const other = AXIS + last * ROW - top + ROW - 4, x = Math.round(from);
			/* Many crossings at one place are one line. */
			const key = x + "/" + Math.min(last, row) + "/" + Math.max(last, row);
			if (!lowest.has(key))
				ctx.fillRect(x, Math.min(y, other), 1, Math.abs(y - other) + 3);
			lowest.set(key, true);
		}
		last = row;
	}
}

function paint() {
	const ratio = devicePixelRatio || 1, top = pane.scrollTop;
	shown = rows();
	width = pane.clientWidth;
	height = pane.clientHeight;
	sizer.style.height = Math.max(AXIS + shown.length * ROW, height) + "px";
	canvas.style.width = width + "px";
	canvas.style.height = height + "px";
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
	ctx.font = "12px system-ui, sans-serif";
	for (let row = Math.max(0, Math.floor((top - ROW) / ROW)); row < shown.length; row++) {
		const y = AXIS + row * ROW - top;
		if (y > height)
			break;
		if (y + ROW > AXIS)
			paintRow(D.threads[shown[row]], y);
	}
	paintPath(top);
	ctx.fillStyle = css("--back");
	ctx.fillRect(0, 0, width, AXIS - 1);
	paintAxis();
	if (S.drag) {
		ctx.fillStyle = "#4080ff40";
		ctx.fillRect(S.drag.from, 0, S.drag.to - S.drag.from, height);
	}
	$("range").textContent = seconds(S.begin) + " to " + seconds(S.end);
}
