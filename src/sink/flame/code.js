/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The pane of a function's instructions and source lines, with its samples at each (annotate/page.h). */
const C = JSON.parse($("code-data").textContent);

/* Functions with instructions by name, file and side: static functions of one file may share a name. */
const codes = new Map();
function codeKey(name, module, isKernel) { return JSON.stringify([name, module, isKernel]); }
for (const f of C ? C.functions : []) {
	const key = codeKey(f.name, f.module, f.kernel);
	codes.set(key, [...codes.get(key) || [], f]);
}
function codesOf(of) {
	return of >= 0 && codes.get(codeKey(nameOf(of), moduleOf(of), kindOf(of) === KIND_KERNEL)) || [];
}
/* The function that has the code of a frame: of an inlined one, a function that calls it. -1: none. */
function codeFuncOf(at) {
	let node = at.node;
	while (at.part.graph.isCallees && node.parent && inlined.has(node.func) && !codesOf(node.func).length)
		node = node.parent;
	return codesOf(node.func).length ? node.func : -1;
}

/* Values of a function at its addresses, for the view: distance from its start → value; and their sum. */
function countsOf(f) {
	const view = P.views[S.view], names = new Set(view.events.map(e => P.events[e].name));
	const at = new Map();
	let sum = 0;
	for (const [name, ...n] of f.counts) {
		if (!names.has(name))
			continue;
		for (let i = 0; i < n.length; i += 3) {
			const v = n[i + (view.weight ? 2 : 1)];
			at.set(n[i], (at.get(n[i]) || 0) + v);
			sum += v;
		}
	}
	return { at, sum };
}
/*
 * The rows as they are shown: { kind, off, value, share, text, line }; kind: "func", "line", "insn",
 * or "addr", an address with samples at which no instruction begins.
 */
function codeRows(f) {
	const { at, sum } = countsOf(f), left = [...at.keys()].sort((a, b) => a - b);
	const rowAt = (kind, off, text) => ({ kind, off, text, value: at.get(off) || 0, share: sum ? (at.get(off) || 0) / sum : 0 });
	const list = [];
	let between = [], next = 0;
	const putBefore = off => {
		while (next < left.length && left[next] < off)
			list.push(rowAt("addr", left[next++], ""));
	};
	for (const row of f.rows) {
		if (row.length === 1) {
			between.push({ kind: "func", text: row[0] + (row[0].includes("(") ? ":" : "():") });
		} else if (row.length === 3) {
			const file = C.files[row[2]] || "?";
			between.push({ kind: "line", line: row[1], title: file + ":" + row[1],
				text: row[0] === null ? file + ":" + row[1] : row[0] });
		} else {
			putBefore(row[0]);
			list.push(...between, rowAt("insn", row[0], row[1]));
			between = [];
			next += left[next] === row[0] ? 1 : 0;
		}
	}
	putBefore(Infinity);
	return { list: list.concat(between), sum };
}
function addressOf(f, off) { return (BigInt("0x" + f.start) + BigInt(off)).toString(16); }

function codeRow(f, row) {
	const tr = element("tr", undefined, row.kind);
	const cell = (text, className) => tr.append(element("td", text, className));
	if (row.kind === "insn" || row.kind === "addr") {
		cell(row.value ? percent(row.share) : "", "share");
		cell(row.value ? cellText(row.value) : "");
		cell(addressOf(f, row.off), "at");
		if (row.value)
			tr.firstChild.style.setProperty("--share", percent(row.share));
	} else {
		cell("");
		cell("");
		cell(row.line || "", "at");
		tr.title = row.title || "";
	}
	cell(row.text, "text");
	return tr;
}
/* Returns the rows of one function; the hottest instruction is marked. */
function codeBody(f) {
	const { list, sum } = codeRows(f), body = element("tbody");
	const hottest = list.reduce((best, r) => r.value > (best ? best.value : 0) ? r : best, null);
	for (const row of list) {
		const tr = codeRow(f, row);
		if (row === hottest) {
			tr.classList.add("hot");
			tr.setAttribute("aria-label", "hottest: " + percent(row.share) + " " + addressOf(f, row.off) + " " + row.text);
		}
		body.append(tr);
	}
	return { body, sum, isBare: !f.rows.length };
}

let codeFunc = -1;	/* the function in the pane; -1: it is closed */
function drawCode() {
	const isShown = codeFunc >= 0, parts = isShown ? codesOf(codeFunc).map(codeBody) : [];
	$("code").hidden = !isShown;
	if (!isShown)
		return;
	$("code-name").textContent = nameOf(codeFunc);
	$("code-about").textContent = moduleOf(codeFunc) + " \u00b7 " +
		valueText(parts.reduce((s, p) => s + p.sum, 0)) + " at its instructions" + (hasRange() ? ", of all times" : "") +
		(parts.some(p => p.isBare) ? " \u00b7 its instructions could not be read: only addresses with samples" : "");
	$("code-rows").replaceChildren(...parts.map(p => p.body));
}
function showHottest() {
	const row = $("code-rows").querySelector("tr.hot");
	if (row)
		row.scrollIntoView({ block: "center" });
}
/* Opens the pane, or changes its function, or closes it (-1). */
function setCode(of) {
	if (of === codeFunc)
		return;
	codeFunc = of;
	drawCode();
	showHottest();
	redraw();
	remember();
}
/* A function without code leaves the pane as it is. */
function openCode(of) {
	if (of >= 0 && codesOf(of).length)
		setCode(of);
}
function closeCode() {
	const hadFocus = $("code").contains(document.activeElement);
	setCode(-1);
	if (hadFocus)
		(S.mode === "list" ? $("rows").querySelector("tr[tabindex='0']") || canvas : canvas).focus({ preventScroll: true });
}
/* Goes to the pane of a function; from within it, closes it. */
function toggleCode(of) {
	if (codeFunc >= 0 && (of === codeFunc || of < 0)) {
		closeCode();
	} else if (of >= 0) {
		setCode(of);
		$("code-pane").focus({ preventScroll: true });
	} else if (C) {
		$("copied").textContent = "no instructions of it are in this page" +
			(C.left_out ? ": those of the " + countText(C.left_out, "functions") + " with the fewest samples were left out" : "");
	}
}
/* The pane as text, as report --annotate prints it. */
function codeText() {
	return [...$("code-rows").querySelectorAll("tr")].map(tr => {
		const [share, , at, text] = [...tr.children].map(td => td.textContent);
		return share.padStart(8) + " : " + (tr.className.startsWith("line") ? at.padEnd(6) : at ? "  " + at + ":   " : "") + text;
	}).join("\n");
}
