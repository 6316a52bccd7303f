/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The profile as flame_data.h describes it: functions, the tree of calls, values and their times. */
const P = JSON.parse(document.getElementById("profile").textContent);
const KIND_KERNEL = 1, KIND_GROUP = 2, KIND_CNT = 3;

/* The numbers of a text (util/vlq.h). */
const DIGIT = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((c, i) => {
	DIGIT[c.charCodeAt(0)] = i;
});
function decode(text) {
	const numbers = new Float64Array(text.length);
	let cnt = 0, v = 0, scale = 1;
	for (let i = 0; i < text.length; i++) {
		const digit = DIGIT[text.charCodeAt(i)];
		v += (digit & 31) * scale;
		if (digit & 32) {
			scale *= 32;
		} else {
			numbers[cnt++] = v;
			v = 0;
			scale = 1;
		}
	}
	return numbers.subarray(0, cnt);
}

const FUNCS = P.functions.length;
const funcOf = decode(P.function_of);
function kindOf(func) { return func < 0 ? KIND_GROUP : funcOf[func] % KIND_CNT; }
/* Modules that are sources of an interpreted language, or code of a JIT compiler. */
const LANGUAGES = { python: "Python", ruby: "Ruby", jit: "JIT" };
const languageOfModule = new Map(Object.keys(LANGUAGES).flatMap(l => (P[l] || []).map(m => [m, l])));
/* "python", "ruby", "jit", or undefined. */
function languageOf(func) { return func < 0 ? undefined : languageOfModule.get(Math.floor(funcOf[func] / KIND_CNT) - 1); }
/* Functions that were inlined wherever the profile has them. */
const inlined = new Set(P.inlined);
function nameOf(func) { return func < 0 ? "all" : P.functions[func]; }
function moduleOf(func) {
	const module = func < 0 ? 0 : Math.floor(funcOf[func] / KIND_CNT);
	return module ? P.modules[module - 1] : "";
}

/*
 * The tree, a parent before its children, which stand together with all below them: the nodes from i
 * to endOf[i] - 1 are i and its descendants. The node COUNT is the whole.
 */
const nodeNumbers = decode(P.nodes);
const COUNT = nodeNumbers.length / 2, ALL = COUNT;
const func = new Int32Array(COUNT + 1).fill(-1), parent = new Int32Array(COUNT + 1).fill(-1);
const endOf = new Int32Array(COUNT + 1);
{
	const path = [ALL];
	for (let i = 0; i < COUNT; i++) {
		for (let up = nodeNumbers[2 * i]; up; up--)
			endOf[path.pop()] = i;
		func[i] = nodeNumbers[2 * i + 1];
		parent[i] = path[path.length - 1];
		path.push(i);
	}
	for (const i of path)
		endOf[i] = COUNT;
}
/* Index of the first child of a node; there is one if it is below endOf. */
function firstChild(i) { return i === ALL ? 0 : i + 1; }

/* By event: nodes with values of their own. */
const values = P.values.map((text, event) => {
	const n = decode(text), each = P.each[event], step = each ? 2 : 3, cnt = n.length / step;
	const v = { node: new Int32Array(cnt), samples: new Float64Array(cnt), weight: new Float64Array(cnt) };
	let node = -1;
	for (let i = 0; i < cnt; i++) {
		v.node[i] = node += n[i * step];
		v.samples[i] = n[i * step + 1];
		v.weight[i] = each ? v.samples[i] * each : n[i * step + 2];
	}
	return v;
});

/* By event: values of nodes in slices of time; empty without times. */
const SLICES = P.times ? P.times.slices : 0, SLICE_NS = P.times ? 2 ** P.times.shift : 0;
const timed = (P.times ? P.times.values : []).map((text, event) => {
	const n = decode(text), each = P.each[event];
	const v = { node: [], slice: [], samples: [], weight: [] };
	let node = -1;
	for (let at = 0; at < n.length;) {
		node += n[at++];
		let slice = -1;
		for (let cnt = n[at++]; cnt; cnt--) {
			slice += n[at++];
			const samples = n[at++];
			v.node.push(node);
			v.slice.push(slice);
			v.samples.push(samples);
			v.weight.push(each ? samples * each : n[at++]);
		}
	}
	return v;
});
