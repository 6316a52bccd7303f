/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The table chooses the row of the picture; the pointer tells what is at a place of it. */
const HEADS = [["count", String], ["mean", duration], ["p50", duration], ["p90", duration], ["p99", duration],
	["max", duration], ["total", duration], ["share", v => (100 * v).toFixed(1) + " %"]];

function cell(tag, text, isText) {
	const el = document.createElement(tag);
	el.textContent = text;
	if (isText)
		el.className = "text";
	return el;
}

function choose(row) {
	if (!D.rows.length)
		return paint();
	S.row = Math.max(0, Math.min(row, D.rows.length - 1));
	[...$("rows").children].forEach((tr, k) => tr.classList.toggle("chosen", k === S.row));
	$("title").textContent = "durations of " + nameOf(D.rows[S.row]) + " over time";
	$("detail").textContent = "";
	paint();
}

for (const [name] of HEADS)
	$("heads").append(cell("th", name));
for (const name of ["pair", ...D.keys])
	$("heads").append(cell("th", name, true));
D.rows.forEach((row, k) => {
	const tr = document.createElement("tr");
	for (const [name, put] of HEADS)
		tr.append(cell("td", put(row[name])));
	for (const text of [row.name, ...row.by])
		tr.append(cell("td", text, true));
	tr.addEventListener("click", () => choose(k));
	$("rows").append(tr);
});
$("range").textContent = D.slices + " columns of " + duration(D.slice) +
	(D.rows_all > D.rows.length ? "; " + (D.rows_all - D.rows.length) + " smaller rows are not shown" : "");

canvas.addEventListener("mousemove", ev => {
	if (!heat)
		return;
	const slice = Math.floor((ev.offsetX - LEFT) / columnWidth());
	const step = heat.low + Math.floor((height - BELOW - ev.offsetY) / stepHeight());
	if (slice < 0 || slice >= D.slices || step < heat.low || step > heat.high)
		return;
	const count = heat.cells.get(slice * 4096 + step) || 0;
	$("detail").textContent = clock(slice) + ": " + count + " of " + duration(D.steps[step]) + " to " +
		duration(D.steps[step + 1] || D.steps[step] * 2);
});
canvas.addEventListener("keydown", ev => {
	const by = { ArrowDown: 1, ArrowUp: -1 }[ev.key];
	if (by) {
		choose(S.row + by);
		ev.preventDefault();
	}
});
addEventListener("resize", paint);
choose(0);
