/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The address keeps what is looked at, so that it survives a reload and can be passed on. */
const MODES = ["top", "bottom", "list", "sandwich"];

function remember() {
	const h = new URLSearchParams();
	if (S.mode !== "top")
		h.set("m", S.mode);
	if (S.func >= 0 && S.mode === "sandwich")
		h.set("f", S.func);
	if (S.view)
		h.set("v", S.view);
	parts.forEach((p, i) => {
		if (p.zoom !== p.graph.root)
			h.set(i ? "y" : "z", pathOf(p.zoom).join("."));
	});
	if (hasRange())
		h.set("t", S.from + "-" + S.to);
	if (S.query)
		h.set("q", S.query);
	if (S.flipped)
		h.set("i", 1);
	if (S.byOld)
		h.set("d", 1);
	if (codeFunc >= 0)
		h.set("a", codeFunc);
	if (S.mode === "list" && (sortKey !== "self" || !sortDown))
		h.set("s", (sortDown ? "" : "-") + sortKey);
	try {
		history.replaceState(null, "", "#" + h);
	} catch (e) {
		/* A page that may not do so (in a sandboxed frame) forgets the view. */
	}
}

/* A link may come from anywhere: a wrong part of it is ignored. */
function recall() {
	const h = new URLSearchParams(location.hash.slice(1));
	const of = /^\d+$/.test(h.get("f")) ? +h.get("f") : -1, range = /^(\d+)-(\d+)$/.exec(h.get("t"));
	const sort = (h.get("s") || "self").replace(/^-/, "");
	S.mode = MODES.includes(h.get("m")) ? h.get("m") : "top";
	S.func = of < FUNCS ? of : -1;
	if (S.mode === "sandwich" && S.func < 0)
		S.mode = "top";
	S.view = Object.hasOwn(P.views, h.get("v") || 0) ? +(h.get("v") || 0) : 0;
	S.from = S.to = 0;
	if (range && +range[1] < +range[2] && +range[2] <= SLICES)
		[S.from, S.to] = [+range[1], +range[2]];
	S.flipped = h.has("i");
	S.byOld = h.has("d");
	codeFunc = /^\d+$/.test(h.get("a")) && codesOf(+h.get("a")).length ? +h.get("a") : -1;
	$("search").value = S.query = h.get("q") || "";
	sortKey = Object.hasOwn(COLUMNS, sort) ? sort : "self";
	sortDown = !(h.get("s") || "").startsWith("-");
	show();
	["z", "y"].forEach((key, i) => {
		const path = h.get(key);
		if (parts[i] && /^\d+(\.\d+)*$/.test(path))
			parts[i].zoom = nodeOf(parts[i].graph, path.split(".").map(Number));
	});
	laidOut = -1;
	search(S.query);
	parts.forEach(p => scrollTo({ part: p, node: p.zoom }));
	showHottest();
	updateTime();
	tell();
}

/* Copies a text; the page says so. */
function copy(text, what) {
	const done = () => { $("copied").textContent = what + " copied"; };
	const byHand = () => {
		const box = element("textarea", text);
		document.body.append(box);
		box.select();
		const copied = document.execCommand("copy");
		box.remove();
		if (copied)
			done();
	};
	if (navigator.clipboard && window.isSecureContext)
		navigator.clipboard.writeText(text).then(done, byHand);
	else
		byHand();
}
function copyName() {
	const at = current();
	if (at)
		copy(nameOf(at.node.func), "name");
}
/* The stack of a frame as lines, the outermost function first. */
function copyStack() {
	const at = current();
	if (!at)
		return;
	const path = pathOf(at.node);
	if (at.node.depth && at.part.graph.root.func >= 0)
		path.unshift(at.part.graph.root.func);
	if (S.mode === "bottom" || (S.mode === "sandwich" && at.part === parts[0]))
		path.reverse();
	copy((path.length ? path : [at.node.func]).map(nameOf).join("\n"), "stack");
}
