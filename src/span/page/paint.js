/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The picture: time from left to right, durations from below upwards, numbers as colours. */
const canvas = $("heat"), pane = $("pane"), ctx = canvas.getContext("2d");
const LEFT = 76, BELOW = 22, TOP = 8, RIGHT = 10;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name);
let width = 0, height = 0, heat = null;

/* From pale to dark by the logarithm: few long durations are seen beside many short ones. */
function color(count, most) {
	const part = most > 1 ? Math.log(count) / Math.log(most) : 1;
	return "hsl(" + (48 - 44 * part) + " 95% " + (70 - 32 * part) + "%)";
}
const columnWidth = () => (width - LEFT - RIGHT) / Math.max(D.slices, 1);
const stepHeight = () => (height - TOP - BELOW) / (heat.high - heat.low + 1);

function paintAxes() {
	ctx.fillStyle = css("--dim");
	ctx.textAlign = "right";
	const every = Math.max(1, Math.ceil(16 / stepHeight()));
	for (let step = heat.low; step <= heat.high; step += every)
		ctx.fillText(duration(D.steps[step]), LEFT - 6, height - BELOW - (step - heat.low) * stepHeight());
	ctx.textAlign = "left";
	const slices = Math.max(1, Math.ceil(90 / columnWidth()));
	for (let slice = 0; slice < D.slices; slice += slices) {
		const x = LEFT + slice * columnWidth();
		ctx.fillText(clock(slice), x + 2, height - 7);
		ctx.fillRect(x, height - BELOW, 1, 6);
	}
	ctx.fillStyle = css("--line");
	ctx.fillRect(LEFT, height - BELOW, width - LEFT - RIGHT, 1);
	ctx.fillRect(LEFT - 1, TOP, 1, height - TOP - BELOW);
}

function paint() {
	const ratio = devicePixelRatio || 1;
	width = pane.clientWidth;
	height = pane.clientHeight;
	canvas.style.width = width + "px";
	canvas.style.height = height + "px";
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
	ctx.font = "12px system-ui, sans-serif";
	if (!D.rows.length) {
		ctx.fillStyle = css("--text");
		ctx.fillText("no duration was measured", LEFT, 40);
		return;
	}
	heat = heatOf(D.rows[S.row]);
	const w = columnWidth(), h = stepHeight();
	for (const [key, count] of heat.cells) {
		const slice = Math.floor(key / 4096), step = key % 4096;
		ctx.fillStyle = color(count, heat.most);
		ctx.fillRect(LEFT + slice * w, height - BELOW - (step - heat.low + 1) * h, Math.max(w - 0.3, 1), Math.max(h - 0.3, 2));
	}
	paintAxes();
}
