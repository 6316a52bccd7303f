/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Binds the keys, the mouse and the buttons, and updates the texts of the page. */

/* The frame that is meant: selected, else zoomed. */
function current() {
	if (S.selected)
		return S.selected;
	const part = parts.find(p => p.zoom !== p.graph.root) || parts[0];
	return part ? { part, node: part.zoom } : null;
}

function describe(at) {
	const { node, rest } = at, v = rest ? at : node, root = at.part.graph.root;
	const label = rest ? countText(rest, "functions") + " next to " + nameOf(node.func) +
		", each too narrow to draw" : nameOf(node.func);
	const said = [label], module = rest ? "" : moduleOf(node.func);
	if (module)
		said[0] += " (" + module + (kindOf(node.func) === KIND_KERNEL ? ", kernel)" :
			languageOf(node.func) ? ", " + LANGUAGES[languageOf(node.func)] + ")" :
			inlined.has(node.func) ? ", inlined)" : ")");
	said.push(percent(shareOf(v.now)) + ", " + valueText(v.now));
	if (!rest && node.func >= 0 && at.part.graph.isCallees)
		said.push("self " + percent(shareOf(node.self)));
	if (root.func >= 0 && node !== root && root.now)
		said.push(percent(v.now / root.now) + " of " + nameOf(root.func));
	if (at.part.zoom !== root && at.part.zoom.now)
		said.push(percent(v.now / at.part.zoom.now) + " of the zoomed");
	if (hasOff)
		said.push(percent(v.now ? v.off / v.now : 0) + " of it off CPU");
	if (compared)
		said.push("before " + percent(shareOf(v.old, OLD)) + ", change " + signed(changeOf(v.now, v.old)));
	return said.join(" \u00b7 ");
}
function tellText(text) { $("detail").textContent = text; }
function tell() {
	const at = S.hover || current();
	tellText(at ? describe(at) : "a click or Enter shows the callers and callees of a function");
	$("copied").textContent = "";
}
function tellSmall() {
	$("small").textContent = small.cnt ? countText(small.cnt, "frames") + " too narrow to draw, grey: " +
		valueText(small.value) + ", " + percent(shareOf(small.value, widthKind())) : "";
}
function tellTotal() {
	const view = P.views[S.view];
	$("total").textContent = valueText(total[NOW][ALL]) + (view.name === view.unit ? "" : " of " + view.name) +
		(hasRange() ? " in " + timeText((S.to - S.from) * SLICE_NS) : "");
}
const LEGEND = [["inlined", "235,215,165", "inlined"], ["python", "115,185,235", "Python"],
	["ruby", "237,125,142", "Ruby"], ["jit", "135,212,125", "JIT"]];
function legend() {
	const key = (rgb, text) => {
		const box = element("span", undefined, "key");
		box.style.background = `rgb(${rgb})`;
		return [box, text + " "];
	};
	$("legend").replaceChildren(...(compared
		? [...key("255,50,50", "more than before"), ...key("60,90,255", "less than before")]
		: [...key("245,210,85", "user"), ...key("242,137,60", "kernel"),
			...LEGEND.filter(([kind]) => P[kind]).flatMap(([kind, rgb, text]) => key(rgb, text)),
			...(hasOff ? key("105,165,242", "off CPU") : [])]));
}

/* Scrolls to where one begins to read. */
function scrollToRoots() {
	place();
	pane.scrollTop = rows.above && rows.below ? top0 - pane.clientHeight / 2 : top0;
}
/* Makes all anew, after the mode, the view, the range or the function changed. */
function show() {
	weigh();
	listFunctions();
	const isList = S.mode === "list";
	$("pane").hidden = isList;
	$("list").hidden = !isList;
	$("small").hidden = $("copies").hidden = isList;
	makeParts();
	for (const mode of MODES) {
		$("mode-" + mode).setAttribute("aria-pressed", String(mode === S.mode));
	}
	$("view").value = S.view;
	$("base").hidden = !compared;
	$("base").textContent = S.byOld ? "widths: before" : "widths: now";
	tellMatched();
	tellTotal();
	legend();
	drawTable();
	drawCode();
}
function refresh() {
	show();
	updateTime();
	tell();
	redraw();
	remember();
}
function setMode(mode) {
	if (mode === "sandwich" && S.func < 0) {
		const at = current();
		listFunctions();
		sortFunctions();
		S.func = at && at.node.func >= 0 ? at.node.func : functions.length ? functions[0].func : -1;
		if (S.func < 0)
			return;
	}
	S.mode = mode;
	parts = [];
	refresh();
	if (mode === "list")
		focusRow($("rows").firstChild);
	else
		scrollToRoots();
	if (mode !== "list")
		canvas.focus({ preventScroll: true });
}
function sandwich(of) {
	if (of < 0)
		return;
	S.func = of;
	openCode(of);
	setMode("sandwich");
}
function zoom(at) {
	laidOut = -1;
	at.part.zoom = at.node;
	if (S.selected && S.selected.part === at.part && !isInside(S.selected.node, at.node) &&
	    !isInside(at.node, S.selected.node))
		S.selected = null;
	S.hover = null;
	openCode(codeFuncOf(at));
	scrollTo(at);
	updateTime();
	tell();
	redraw();
	remember();
}
function zoomOut() {
	const at = current();
	if (at && at.part.zoom.parent)
		zoom({ part: at.part, node: at.part.zoom.parent });
}
function reset() {
	resetZoom();
	S.selected = S.hover = null;
	updateTime();
	tell();
	redraw();
	remember();
}
function select(at) {
	if (!at)
		return;
	S.selected = { part: at.part, node: at.node };
	/* Outside of the zoom it would not be seen. */
	if (!isInside(at.node, at.part.zoom) && !isInside(at.part.zoom, at.node)) {
		at.part.zoom = at.part.graph.root;
		laidOut = -1;
	}
	S.hover = null;
	scrollTo(at);
	updateTime();
	tell();
	redraw();
}
function flip() {
	S.flipped = !S.flipped;
	refresh();
	scrollToRoots();
}
function setView(v) {
	S.view = v;
	refresh();
}
function setBase() {
	S.byOld = !S.byOld;
	refresh();
}
function endSearch() {
	$("search").value = "";
	search("");
}
