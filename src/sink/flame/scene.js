/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The frames of the graphs: a part is a graph that grows up or down from the row of its root. The
 * sandwich has two parts, which share that row.
 */
const ROW = 18, MIN_W = 0.5;
let parts = [];	/* { graph, up, zoom } */
/*
 * { part, node, row, x, w } from the row of the roots (0; above it negative); rest: number of
 * children of the node that are too narrow, which are one frame.
 */
let frames = [];
let rows = { above: 0, below: 0 };
let small = { cnt: 0, value: 0 };	/* what is too narrow to be drawn alone */
let laidOut = -1;	/* the width for which frames were made; -1: none */

function makeParts() {
	const paths = parts.map(p => pathOf(p.zoom));
	if (S.mode === "top") {
		parts = [{ graph: topDown(), up: !S.flipped }];
	} else if (S.mode === "bottom") {
		parts = [{ graph: bottomUp(), up: S.flipped }];
	} else if (S.mode === "sandwich" && S.func >= 0) {
		const nodes = callsOf(S.func);
		parts = [{ graph: callerGraph(S.func, nodes, false), up: !S.flipped },
			{ graph: calleeGraph(S.func, nodes), up: S.flipped }];
	} else {
		parts = [];
	}
	parts.forEach((p, i) => { p.zoom = nodeOf(p.graph, paths[i] || []); });
	S.selected = S.hover = null;
	laidOut = -1;
}
function resetZoom() {
	parts.forEach(p => { p.zoom = p.graph.root; });
	laidOut = -1;
}
function isZoomed() { return parts.some(p => p.zoom !== p.graph.root); }

/* Puts one frame for all children that are too narrow. */
function putRest(part, node, kids, x, scale) {
	const rest = { part, node, rest: kids.length, now: 0, off: 0, old: 0, x };
	for (const k of kids) {
		rest.now += k.now;
		rest.off += k.off;
		rest.old += k.old;
	}
	rest.w = widthOf(rest) * scale;
	rest.row = rowOf(part, node.depth + 1);
	small.cnt += kids.length;
	small.value += widthOf(rest);
	if (rest.w >= MIN_W)
		frames.push(rest);
}
function rowOf(part, depth) { return part.up ? -depth : depth; }
function layoutPart(part, width) {
	const zoom = part.zoom, scale = width / (widthOf(zoom) || 1);
	const put = (node, x, w) => frames.push({ part, node, row: rowOf(part, node.depth), x, w, rest: 0 });
	for (let n = zoom.parent; n; n = n.parent)
		put(n, 0, width);
	const todo = [[zoom, 0]];
	while (todo.length) {
		const [node, x] = todo.pop();
		put(node, x, node === zoom ? width : widthOf(node) * scale);
		const kids = part.graph.kidsOf(node);
		let at = x, i = 0;
		for (; i < kids.length && widthOf(kids[i]) * scale >= MIN_W; i++) {
			todo.push([kids[i], at]);
			at += widthOf(kids[i]) * scale;
		}
		const rest = kids.slice(i).filter(k => widthOf(k));
		if (rest.length)
			putRest(part, node, rest, at, scale);
	}
}
function layout(width) {
	if (laidOut === width)
		return;
	frames = [];
	small = { cnt: 0, value: 0 };
	rows = { above: 0, below: 0 };
	parts.forEach(p => layoutPart(p, width));
	for (const f of frames) {
		rows.above = Math.max(rows.above, -f.row);
		rows.below = Math.max(rows.below, f.row);
	}
	laidOut = width;
}

/* The frames next to one of the same parent, the widest child, and the way back. */
function sibling(at, step) {
	const up = at.node.parent;
	if (!up)
		return null;
	const kids = at.part.graph.kidsOf(up).filter(widthOf);
	const node = kids[kids.indexOf(at.node) + step];
	return node ? { part: at.part, node } : null;
}
/* One row up or down on the screen. */
function vertical(at, up) {
	const isRoot = !at.node.parent;
	const part = isRoot ? parts.find(p => p.up === up) : at.part;
	if (part && part.up === up) {
		const kid = part.graph.kidsOf(isRoot ? part.graph.root : at.node).find(widthOf);
		return kid ? { part, node: kid } : null;
	}
	return isRoot ? null : { part: at.part, node: at.node.parent };
}
