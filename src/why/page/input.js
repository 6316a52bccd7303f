/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The pointer and the keys, and the parts of the page that do not change. */
function show(begin, end) {
	const span = Math.min(Math.max(end - begin, 100), WALL);
	S.begin = Math.min(Math.max(0, begin), WALL - span);
	S.end = S.begin + span;
	paint();
}
function zoom(factor, ns) {
	show(ns - (ns - S.begin) * factor, ns + (S.end - ns) * factor);
}
const middle = () => (S.begin + S.end) / 2;
const clampX = x => Math.min(Math.max(x, NAMES), width);

function describe(x, y) {
	const row = Math.floor((y - AXIS + pane.scrollTop) / ROW), ns = nsOf(x);
	const t = D.threads[shown[row]];
	if (!t || x < NAMES || y < AXIS) {
		$("detail").textContent = t ? nameOf(t) + ", process " + t.pid : "";
		return;
	}
	const state = stateAt(t, ns);
	$("detail").textContent = seconds(ns) + ": " + nameOf(t) +
		(state ? ": " + D.kinds[state.kind].name + " for " + (state.ns / 1e6).toFixed(3) + " ms"
			: " was not there");
}

canvas.addEventListener("pointermove", e => {
	if (S.drag) {
		S.drag.to = clampX(e.offsetX);
		paint();
	}
	describe(e.offsetX, e.offsetY);
});
canvas.addEventListener("pointerdown", e => {
	if (e.button || e.offsetX < NAMES)
		return;
	canvas.setPointerCapture(e.pointerId);
	S.drag = { from: clampX(e.offsetX), to: clampX(e.offsetX) };
});
canvas.addEventListener("pointerup", () => {
	const drag = S.drag;
	S.drag = null;
	if (drag && Math.abs(drag.to - drag.from) > 4)
		show(nsOf(Math.min(drag.from, drag.to)), nsOf(Math.max(drag.from, drag.to)));
	else
		paint();
});
canvas.addEventListener("wheel", e => {
	if (!e.ctrlKey && !e.shiftKey && !e.altKey)
		return;
	e.preventDefault();
	zoom(e.deltaY > 0 ? 1.3 : 1 / 1.3, nsOf(clampX(e.offsetX)));
}, { passive: false });

const KEYS = {
	"+": () => zoom(1 / 2, middle()),
	"-": () => zoom(2, middle()),
	ArrowLeft: () => show(S.begin - (S.end - S.begin) / 4, S.end - (S.end - S.begin) / 4),
	ArrowRight: () => show(S.begin + (S.end - S.begin) / 4, S.end + (S.end - S.begin) / 4),
	Escape: () => show(0, WALL),
};
addEventListener("keydown", e => {
	const f = KEYS[e.key === "=" ? "+" : e.key];
	if (!f || e.ctrlKey || e.metaKey || e.altKey)
		return;
	e.preventDefault();
	f();
});
$("out").onclick = KEYS["-"];
$("whole").onclick = KEYS.Escape;
$("only-path").onchange = e => { S.onlyPath = e.target.checked; paint(); };
pane.addEventListener("scroll", paint);
addEventListener("resize", paint);

$("title").textContent = D.title;
document.title = D.title;
for (const sentence of D.verdict) {
	const item = document.createElement("li");
	item.textContent = sentence + ".";
	$("verdict").append(item);
}
for (const group of Object.values(GROUPS).slice(0, 4)) {
	const key = document.createElement("span");
	key.className = "key";
	key.style.background = group[0];
	$("legend").append(key, group[1]);
}
for (const cause of D.causes) {
	const row = document.createElement("tr");
	for (const [k, text] of cause.entries()) {
		const cell = document.createElement("td");
		cell.textContent = text;
		cell.className = k === 3 ? "text" : "";
		row.append(cell);
	}
	$("rows").append(row);
}
paint();
