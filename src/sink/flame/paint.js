/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Colours, labels, and the canvas of the frames. */
const canvas = $("flame"), pane = $("pane"), sizer = $("sizer"), ctx = canvas.getContext("2d");
const FONT = "12px ui-monospace, \"DejaVu Sans Mono\", Menlo, Consolas, monospace", PAD = 3;
const REST_COLOR = [205, 205, 205], MATCH_COLOR = [230, 0, 230], MIDDLE_COLOR = [70, 70, 78];

/* 0 ≤ x < 1, always the same of a name. */
function hash(name) {
	let h = 0x811c9dc5;
	for (let i = 0; i < name.length; i++)
		h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
	return ((h ^ h >>> 15) >>> 0) / 4294967296;
}
function mix(a, b, t) { return a.map((v, k) => Math.round(v + (b[k] - v) * t)); }

function colorOfChange(change) {
	const t = Math.min(1, Math.sqrt(Math.abs(change) / 0.25));
	if (Math.abs(change) < 0.0005)
		return [235, 235, 235];
	return mix([240, 240, 240], change > 0 ? [255, 50, 50] : [60, 90, 255], t);
}
/* Red, green and blue of a function. */
function colorOfFunc(of) {
	const name = nameOf(of), v = hash(name);
	if (kindOf(of) === KIND_GROUP)
		return [200 + 20 * v, 200 + 20 * v, 200 + 20 * v];
	if (kindOf(of) === KIND_KERNEL)
		return [235 + 15 * v, 120 + 35 * v, 50 + 20 * v];
	if (languageOf(of) === "python")
		return [100 + 30 * v, 170 + 30 * v, 225 + 20 * v];
	if (languageOf(of) === "ruby")
		return [225 + 25 * v, 110 + 30 * v, 130 + 25 * v];
	if (languageOf(of) === "jit")
		return [120 + 30 * v, 200 + 25 * v, 110 + 30 * v];
	if (inlined.has(of))
		return [225 + 20 * v, 200 + 30 * v, 150 + 30 * v];
	if (name[0] === "[")
		return [215 + 15 * v, 205 + 10 * v, 180 + 10 * v];
	return [235 + 20 * v, 190 + 40 * v, 60 + 50 * v];
}
function colorOf(f) {
	if (f.rest)
		return REST_COLOR;
	if (S.query && f.node.func >= 0 && matches[f.node.func])
		return MATCH_COLOR;
	if (S.mode === "sandwich" && !f.node.parent)
		return MIDDLE_COLOR;
	if (compared)
		return colorOfChange(changeOf(f.node.now, f.node.old));
	const v = hash(nameOf(f.node.func));
	return mix(colorOfFunc(f.node.func), [90 + 30 * v, 150 + 30 * v, 235 + 15 * v],
		f.node.now ? f.node.off / f.node.now : 0);
}

/* A name, or as much of it as fits into w pixels with an ellipsis; "" where that is next to nothing. */
let charWidth = 7;
function fit(name, w) {
	const room = w - 2 * PAD;
	if (room < 3 * charWidth)
		return "";
	let count = Math.floor(room / charWidth);
	if (/^[\x20-\x7e]*$/.test(name))
		return name.length <= count ? name : name.slice(0, count - 2) + "..";
	const chars = Array.from(name);
	if (ctx.measureText(name).width <= room)
		return name;
	for (count = Math.min(count, chars.length); count > 0; count--) {
		const text = chars.slice(0, count).join("") + "..";
		if (ctx.measureText(text).width <= room)
			return text;
	}
	return "";
}
/* The label of many is shortened to its number; the middle of the sandwich says which side is which. */
function labelOf(f) {
	if (!f.rest && !f.node.parent && S.mode === "sandwich")
		return fit(nameOf(f.node.func) + (S.flipped ? "   \u25b2 callees   \u25bc callers"
			: "   \u25b2 callers   \u25bc callees"), f.w);
	if (!f.rest)
		return fit(nameOf(f.node.func), f.w);
	const long = "(" + f.rest + " more)", text = fit(long, f.w);
	return text === long ? text : "";
}

/* Makes a canvas as sharp as the screen; returns its context in CSS pixels. */
function fitCanvas(of, w, h) {
	const ratio = window.devicePixelRatio || 1, context = of.getContext("2d");
	if (of.width !== Math.round(w * ratio) || of.height !== Math.round(h * ratio)) {
		of.width = Math.round(w * ratio);
		of.height = Math.round(h * ratio);
		of.style.width = w + "px";
		of.style.height = h + "px";
	}
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, w, h);
	return context;
}

/* The frames on the screen, with y, h and label, in CSS pixels of the canvas. */
let drawn = [];
let top0 = 0;	/* where the row of the roots begins in the sizer */
let paneH = 0;
function place() {
	const before = top0 - pane.scrollTop, wasLaidOut = laidOut, h = pane.clientHeight;
	layout(pane.clientWidth);
	const need = (rows.above + rows.below + 1) * ROW;
	const lift = rows.below || !rows.above ? 0 : Math.max(0, h - need);
	sizer.style.height = Math.max(need, h) + "px";
	top0 = rows.above * ROW + lift;
	/*
	 * What is there stays where it is when rows come or go above it; a graph that grows upwards
	 * keeps its distance from the lower edge.
	 */
	if (wasLaidOut < 0)
		pane.scrollTop = top0 - before;
	else if (h !== paneH && !rows.below)
		pane.scrollTop += paneH - h;
	paneH = h;
}
let asked = false;
function redraw() {
	if (asked)
		return;
	asked = true;
	requestAnimationFrame(draw);
}
function paintFrame(f) {
	const rgb = colorOf(f), gap = f.w > 3 ? 1 : 0;
	ctx.globalAlpha = f.node.depth < f.part.zoom.depth && !f.rest ? 0.5 : 1;
	ctx.fillStyle = `rgb(${rgb.map(Math.round).join(",")})`;
	ctx.fillRect(f.x, f.y, f.w - gap, f.h);
	if (f.label) {
		ctx.fillStyle = rgb[0] * 0.3 + rgb[1] * 0.6 + rgb[2] * 0.1 < 110 ? "#fff" : "#000";
		ctx.fillText(f.label, f.x + PAD, f.y + f.h / 2 + 1);
	}
	ctx.globalAlpha = 1;
	const isSelected = isAt(S.selected, f);
	if (isSelected || isAt(S.hover, f)) {
		ctx.strokeStyle = isSelected ? "#000" : "#555";
		ctx.lineWidth = isSelected ? 2 : 1;
		ctx.strokeRect(f.x + 1, f.y + 1, Math.max(f.w - gap - 2, 1), f.h - 2);
	}
}
function isAt(at, f) { return at && at.node === f.node && !at.rest === !f.rest; }
function draw() {
	asked = false;
	if (pane.hidden)
		return;
	place();
	const w = pane.clientWidth, h = pane.clientHeight;
	fitCanvas(canvas, w, h);
	ctx.font = FONT;
	ctx.textBaseline = "middle";
	charWidth = ctx.measureText("mmmmmmmmmm").width / 10;
	drawn = [];
	for (const f of frames) {
		f.y = top0 + f.row * ROW - pane.scrollTop;
		f.h = ROW - 1;
		if (f.y + ROW <= 0 || f.y >= h || (!f.node.parent && f.part !== parts[0] && !f.rest))
			continue;
		f.label = labelOf(f);
		drawn.push(f);
		paintFrame(f);
	}
	tellSmall();
}
function frameAt(x, y) {
	for (const f of drawn)
		if (x >= f.x && x < f.x + f.w && y >= f.y && y < f.y + ROW)
			return f;
	return null;
}
function scrollTo(at) {
	place();
	const y = top0 + rowOf(at.part, at.node.depth) * ROW;
	if (y < pane.scrollTop)
		pane.scrollTop = y;
	else if (y + ROW > pane.scrollTop + pane.clientHeight)
		pane.scrollTop = y + ROW - pane.clientHeight;
}
