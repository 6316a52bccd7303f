/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Keys, mouse and buttons; the start of the page; and a look at the picture for scripts. */
function about() {
	const more = [];
	$("title").textContent = P.command || P.views[0].name;
	$("title").title = $("title").textContent;
	document.title = (P.command || P.views[0].name) + " \u2013 bpfperf";
	const text = element("span", P.summary, P.lost ? "warn" : "");
	text.id = "summary";
	if (P.begin_ns)
		more.push(new Date(P.begin_ns / 1e6).toLocaleString());
	if (P.host)
		more.push(P.host);
	if (P.kernel)
		more.push("Linux " + P.kernel);
	more.push(P.by);
	$("about").append(text, " \u00b7 " + more.join(" \u00b7 "));
	P.views.forEach((view, i) => {
		const o = element("option", view.name === view.unit ? view.name : view.name + ", " + view.unit);
		o.value = i;
		$("view").append(o);
	});
	$("axis").hidden = !SLICES;
	$("code-keys").hidden = !C;
}

function escape() {
	if (!$("keys").hidden) {
		$("keys").hidden = true;
	} else if ($("code").contains(document.activeElement)) {
		closeCode();
	} else if (document.activeElement === $("search") || S.query) {
		endSearch();
		canvas.focus();
	} else if (isZoomed() || S.selected) {
		reset();
	} else if (hasRange()) {
		setRange(0, 0);
	}
}
const KEYS = {
	"/": () => { $("search").focus(); $("search").select(); },
	Escape: escape,
	Enter: at => at && zoom(at),
	Backspace: zoomOut,
	ArrowLeft: at => at && select(sibling(at, -1)),
	ArrowRight: at => at && select(sibling(at, 1)),
	ArrowUp: at => at && select(vertical(at, true)),
	ArrowDown: at => at && select(vertical(at, false)),
	n: () => nextMatch(1),
	N: () => nextMatch(-1),
	v: () => setView((S.view + 1) % P.views.length),
	i: flip,
	d: () => compared && setBase(),
	a: at => toggleCode($("code").contains(document.activeElement) ? codeFunc : at ? codeFuncOf(at) : -1),
	h: showHottest,
	s: at => at && sandwich(at.node.func),
	c: copyName,
	C: copyStack,
	l: () => copy(location.href, "link"),
	0: reset,
	"?": () => { $("keys").hidden = !$("keys").hidden; },
};
MODES.forEach((mode, i) => { KEYS[i + 1] = () => setMode(mode); });

function onListKey(e, row) {
	const next = { ArrowDown: row.nextSibling, ArrowUp: row.previousSibling,
		Home: row.parentNode.firstChild, End: row.parentNode.lastChild };
	if (e.key === "Enter" || e.key === "s")
		sandwich(+row.dataset.func);
	else if (e.key === "a")
		toggleCode(codesOf(+row.dataset.func).length ? +row.dataset.func : -1);
	else if (e.key === "c")
		copy(nameOf(+row.dataset.func), "name");
	else if (e.key in next)
		focusRow(next[e.key]);
	else
		return false;
	return true;
}
function onKey(e) {
	const typing = e.target === $("search"), row = rowOfEvent(e);
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	if (typing && e.key === "Enter") {
		e.preventDefault();
		canvas.focus();
		nextMatch(1);
		return;
	}
	if (typing && e.key !== "Escape")
		return;
	/* The pane scrolls by itself. */
	if (e.target === $("code-pane") && /^(Arrow|Enter|Home|End|Page| )/.test(e.key))
		return;
	/* Buttons and lists have their own use of these. */
	if ((e.target.tagName === "SELECT" || e.target.tagName === "BUTTON") && /^(Arrow|Enter| )/.test(e.key))
		return;
	if (row && onListKey(e, row)) {
		e.preventDefault();
	} else if (Object.hasOwn(KEYS, e.key)) {
		e.preventDefault();
		KEYS[e.key](current());
	}
}

function showTip(e, f) {
	const tip = $("tip");
	tip.hidden = !f;
	if (!f)
		return;
	tip.textContent = describe(f);
	tip.style.left = Math.max(4, Math.min(e.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
	tip.style.top = (e.clientY + 20 + tip.offsetHeight > innerHeight ? e.clientY - tip.offsetHeight - 10
		: e.clientY + 20) + "px";
}
function under(e) {
	const box = canvas.getBoundingClientRect();
	return frameAt(e.clientX - box.left, e.clientY - box.top);
}
function listenGraph() {
	let first = null;
	canvas.addEventListener("click", e => {
		const f = under(e);
		/* The first click of two zooms: under the second there may be another frame. */
		if (e.detail < 2)
			first = f;
		if (!f || e.detail > 1)
			return;
		showTip(e, null);
		S.selected = { part: f.part, node: f.node };
		zoom(S.selected);
	});
	canvas.addEventListener("dblclick", () => {
		if (first && !first.rest)
			sandwich(first.node.func);
	});
	canvas.addEventListener("mousemove", e => {
		const f = under(e);
		showTip(e, f);
		if (f !== S.hover) {
			S.hover = f;
			tell();
			redraw();
		}
	});
	canvas.addEventListener("mouseleave", e => {
		S.hover = null;
		showTip(e, null);
		tell();
		redraw();
	});
	pane.addEventListener("scroll", redraw);
	const sizes = new ResizeObserver(() => { redraw(); drawTime(); });
	sizes.observe(pane);
	sizes.observe($("axis"));
}
function listenButtons() {
	const on = (id, fn) => $(id).addEventListener("click", fn);
	MODES.forEach(mode => on("mode-" + mode, () => setMode(mode)));
	on("reset", () => { endSearch(); S.from = S.to = 0; reset(); refresh(); });
	on("flip", flip);
	on("base", setBase);
	on("help", KEYS["?"]);
	on("copy-name", copyName);
	on("copy-stack", copyStack);
	on("copy-link", KEYS.l);
	on("code-hot", showHottest);
	on("code-copy", () => copy(codeText(), "instructions"));
	on("code-close", closeCode);
	on("more", () => { rowsMax = Infinity; drawTable(); });
	$("search").addEventListener("input", e => search(e.target.value));
	$("view").addEventListener("change", e => setView(+e.target.value));
	$("rows").addEventListener("click", e => {
		/* A text that was selected is to be copied. */
		if (rowOfEvent(e) && getSelection().isCollapsed)
			sandwich(+rowOfEvent(e).dataset.func);
	});
	document.addEventListener("keydown", onKey);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { redraw(); drawTime(); });
	addEventListener("hashchange", recall);
}

about();
listenGraph();
listenTime();
listenButtons();
recall();
if (!isZoomed())
	scrollToRoots();
draw();
canvas.focus({ preventScroll: true });

/* For scripts that look at the picture. */
window.flame = {
	state: () => ({ mode: S.mode, view: S.view, func: S.func, from: S.from, to: S.to, total: total[NOW][ALL],
		slices: SLICES, zoom: parts.map(p => nameOf(p.zoom.func)), small, bars,
		code: codeFunc < 0 ? "" : nameOf(codeFunc) }),
	frames: () => {
		draw();
		const box = canvas.getBoundingClientRect();
		return drawn.map(f => {
			const v = f.rest ? f : f.node;
			return { name: f.rest ? "" : nameOf(f.node.func), rest: f.rest, row: f.row,
				x: f.x + box.left, y: f.y + box.top, w: f.w, h: f.h, label: f.label,
				labelWidth: f.label ? ctx.measureText(f.label).width : 0, now: v.now, off: v.off,
				old: v.old, self: f.node.self, color: colorOf(f).map(Math.round) };
		});
	},
};
