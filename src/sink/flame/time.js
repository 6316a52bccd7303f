/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The axis of time: how much of the whole each slice had, and in it what is zoomed or selected. A
 * part of it that is chosen is all that the graphs and the table show.
 */
const axis = $("time"), AXIS_H = 56, BARS_H = 40, BAR_W = 3;
let cursor = 0, anchor = -1;	/* slices: the keyboard's place; where a choice begins, -1: none */
let bars = { all: [], part: [] };

/* Values by slice of the whole, and of the tree's nodes in some ranges. */
function sliceSums(ranges) {
	const view = P.views[S.view], what = view.weight ? "weight" : "samples";
	const all = new Float64Array(SLICES), part = new Float64Array(SLICES);
	const inside = new Uint8Array(COUNT + 1);
	ranges.forEach(([from, to]) => inside.fill(1, from, to));
	for (const e of view.events) {
		const v = timed[e], value = v[what];
		for (let i = 0; i < v.node.length; i++) {
			all[v.slice[i]] += value[i];
			if (inside[v.node[i]])
				part[v.slice[i]] += value[i];
		}
	}
	return { all, part };
}
/* The frame whose times are shown within the whole's. */
function timedFrame() {
	const zoomed = parts.find(p => p.zoom !== p.graph.root) || parts[0];
	return S.selected || (zoomed ? { part: zoomed, node: zoomed.zoom } : null);
}
function updateTime() {
	if (!SLICES)
		return;
	const at = timedFrame();
	bars = sliceSums(at ? at.part.graph.rangesOf(at.node) : []);
	drawTime();
}

function sliceTime(slice) { return timeText(slice * SLICE_NS); }
function rangeText() { return sliceTime(S.from) + " to " + sliceTime(S.to); }
/* A round number of nanoseconds, so that about `cnt` of them are the whole. */
function tickNs(cnt) {
	const least = SLICES * SLICE_NS / cnt, power = 10 ** Math.floor(Math.log10(least));
	return power * [1, 2, 5, 10].find(k => k * power >= least);
}
function drawTicks(c, w) {
	const step = tickNs(Math.max(2, w / 110)), whole = SLICES * SLICE_NS;
	c.font = "11px system-ui, sans-serif";
	c.textBaseline = "top";
	for (let ns = 0; ns <= whole; ns += step) {
		const x = ns / whole * w, digits = Math.max(0, Math.ceil(9 - Math.log10(step) - 1e-9));
		const text = (ns / 1e9).toFixed(digits) + " s";
		c.fillRect(Math.min(x, w - 1), BARS_H, 1, 3);
		c.textAlign = ns ? x > w - 40 ? "right" : "center" : "left";
		c.fillText(text, ns ? x : 3, BARS_H + 3);
	}
}
function drawTime() {
	const w = axis.parentNode.clientWidth, style = getComputedStyle(document.body);
	if (!SLICES || !w)
		return;
	const c = fitCanvas(axis, w, AXIS_H), cnt = Math.min(SLICES, Math.floor(w / BAR_W)), most = { v: 0 };
	const bins = [new Float64Array(cnt), new Float64Array(cnt)];
	for (let s = 0; s < SLICES; s++) {
		const b = Math.floor(s * cnt / SLICES);
		bins[0][b] += bars.all[s];
		bins[1][b] += bars.part[s];
		most.v = Math.max(most.v, bins[0][b]);
	}
	const isWhole = !S.selected && !isZoomed() && S.mode !== "sandwich";
	[["--bar", bins[0]], ["--bar-part", isWhole ? [] : bins[1]]].forEach(([name, bin]) => {
		c.fillStyle = style.getPropertyValue(name);
		for (let b = 0; b < bin.length; b++) {
			const h = most.v ? bin[b] / most.v * (BARS_H - 4) : 0;
			c.fillRect(b * w / cnt, BARS_H - h, Math.max(w / cnt - (w / cnt > 3), 0.7), h);
		}
	});
	if (hasRange()) {
		c.fillStyle = style.getPropertyValue("--veil");
		c.fillRect(0, 0, S.from / SLICES * w, BARS_H);
		c.fillRect(S.to / SLICES * w, 0, w, BARS_H);
	}
	c.fillStyle = style.getPropertyValue("--dim");
	c.fillRect(0, BARS_H, w, 1);
	drawTicks(c, w);
	if (document.activeElement === axis) {
		c.fillStyle = style.getPropertyValue("--text");
		c.fillRect((cursor + 0.5) / SLICES * w, 0, 1, BARS_H);
	}
	/* The note stands where the range is not. */
	$("chosen").classList.toggle("left", S.from + S.to > SLICES);
	$("range").textContent = hasRange() ? "only " + rangeText() : "";
	$("whole").hidden = !hasRange();
}

function setRange(from, to) {
	S.from = Math.max(0, Math.min(from, to));
	S.to = Math.min(SLICES, Math.max(from, to));
	refresh();
}
function sliceAt(e) {
	const box = axis.getBoundingClientRect();
	return Math.max(0, Math.min(SLICES - 1, Math.floor((e.clientX - box.left) / box.width * SLICES)));
}
function tellSlice() {
	const value = bars.all[cursor] || 0;
	tellText(sliceTime(cursor) + " to " + sliceTime(cursor + 1) + ": " + valueText(value) +
		(S.selected || isZoomed() ? ", of which " + valueText(bars.part[cursor]) + " in " +
			nameOf(timedFrame().node.func) : ""));
}
/* Arrows move the cursor; with Shift they choose; Home and End go to the ends. */
function onTimeKey(e) {
	const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -SLICES, End: SLICES };
	if (!(e.key in steps) || e.ctrlKey || e.metaKey || e.altKey)
		return;
	e.preventDefault();
	e.stopPropagation();
	if (e.shiftKey && anchor < 0)
		anchor = cursor;
	cursor = Math.max(0, Math.min(SLICES - 1, cursor + steps[e.key]));
	if (e.shiftKey) {
		setRange(Math.min(anchor, cursor), Math.max(anchor, cursor) + 1);
	} else {
		anchor = -1;
		drawTime();
	}
	tellSlice();
}
function listenTime() {
	let dragged = false;
	axis.addEventListener("pointerdown", e => {
		axis.setPointerCapture(e.pointerId);
		anchor = cursor = sliceAt(e);
		dragged = false;
	});
	axis.addEventListener("pointermove", e => {
		cursor = sliceAt(e);
		if (anchor >= 0 && e.buttons && (dragged || cursor !== anchor)) {
			dragged = true;
			S.from = Math.min(anchor, cursor);
			S.to = Math.max(anchor, cursor) + 1;
			drawTime();
		}
		tellSlice();
	});
	axis.addEventListener("pointerup", () => {
		if (dragged)
			setRange(S.from, S.to);
		anchor = -1;
	});
	axis.addEventListener("pointerleave", tell);
	axis.addEventListener("dblclick", () => setRange(0, 0));
	axis.addEventListener("keydown", onTimeKey);
	axis.addEventListener("focus", drawTime);
	axis.addEventListener("blur", drawTime);
	$("whole").addEventListener("click", () => setRange(0, 0));
}
