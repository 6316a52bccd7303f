/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The search: which functions match, how much of the whole that is, and the way from match to match. */
let matches = new Uint8Array(FUNCS);

/* "": a group, or a mark. */
function kindName(f) {
	if (kindOf(f) === KIND_GROUP)
		return "";
	return kindOf(f) === KIND_KERNEL ? "kernel" : languageOf(f) || (inlined.has(f) ? "inlined" : "native");
}
function search(query) {
	S.query = query;
	matches.fill(0);
	const kind = /^kind:(native|inlined|kernel|python|ruby|jit)$/.exec(query);
	if (kind) {
		P.functions.forEach((name, f) => { matches[f] = kindName(f) === kind[1] ? 1 : 0; });
	} else if (query) {
		let expr;
		try {
			expr = new RegExp(query, "i");
		} catch (e) {
			expr = new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
		}
		P.functions.forEach((name, f) => { matches[f] = expr.test(name) ? 1 : 0; });
	}
	tellMatched();
	drawTable();
	redraw();
	remember();
}
/* A match within a match counts once. */
function tellMatched() {
	let sum = 0;
	if (S.query)
		forOutermost(i => matches[func[i]], i => { sum += total[NOW][i]; });
	$("matched").textContent = S.query ? "matched " + percent(shareOf(sum)) : "";
}
/* Goes to the next frame that matches, in the order of reading from the roots on. */
function nextMatch(step) {
	place();
	const found = frames.filter(f => !f.rest && f.node.func >= 0 && matches[f.node.func])
		.sort((a, b) => Math.abs(a.row) - Math.abs(b.row) || a.row - b.row || a.x - b.x);
	if (!found.length)
		return;
	const at = found.findIndex(f => isAt(S.selected, f));
	select(found[at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length]);
}
