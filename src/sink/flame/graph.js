/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Graphs of merged stacks, of which only nodes that are looked at are made: callees of a function
 * (top-down is the callees of the whole), or its callers (bottom-up is the callers of all functions
 * that had samples of their own). A node has
 *
 *     func, parent, depth, now, off, old    values: the sum of its stacks
 *     self       the part of `now` that goes to none of its children
 *     origins    nodes of the tree; in a graph of callers, those that the values are of
 *     at         in a graph of callers: where the way up from each origin has come to
 *     kids       children, the widest first; null: not made yet
 */
function newNode(of, up, depth) {
	return { func: of, parent: up, depth, now: 0, off: 0, old: 0, self: 0, origins: [], at: [], kids: null };
}
function addTo(node, v, i) {
	node.now += v[NOW][i];
	node.off += v[OFF][i];
	node.old += v[OLD][i];
}
function widthOf(node) { return widthKind() === OLD ? node.old : node.now; }
function sortKids(node, kids) {
	node.kids = [...kids.values()].filter(k => k.now || k.old)
		.sort((a, b) => widthOf(b) - widthOf(a) || b.now - a.now || b.old - a.old || a.func - b.func);
	return node.kids;
}
function kidFor(kids, of, node) {
	let kid = kids.get(of);
	if (!kid)
		kids.set(of, kid = newNode(of, node, node.depth + 1));
	return kid;
}

/* Returns the graph of all functions that the nodes (none below another) call. */
function calleeGraph(of, nodes) {
	const root = newNode(of, null, 0);
	const take = (node, i) => {
		node.origins.push(i);
		addTo(node, total, i);
		node.self += self[NOW][i];
	};
	nodes.forEach(i => take(root, i));
	return {
		root,
		isCallees: true,
		kidsOf(node) {
			if (node.kids)
				return node.kids;
			const kids = new Map();
			for (const i of node.origins)
				for (let c = firstChild(i); c < endOf[i]; c = endOf[c])
					if (total[NOW][c] || total[OLD][c])
						take(kidFor(kids, func[c], node), c);
			return sortKids(node, kids);
		},
		/* The tree's nodes from which the node's values come, as [from, to) */
		rangesOf: node => node.origins.map(i => [i === ALL ? 0 : i, endOf[i]]),
	};
}

/*
 * Of the nodes and all that call them. alone: the values are the nodes' own and their functions the
 * first level, else values are totals and the nodes are the root.
 */
function callerGraph(of, nodes, alone) {
	const root = newNode(of, null, 0), v = alone ? self : total;
	nodes.forEach(i => {
		root.origins.push(i);
		root.at.push(alone ? -1 : i);
		addTo(root, v, i);
	});
	return {
		root,
		kidsOf(node) {
			if (node.kids)
				return node.kids;
			const kids = new Map();
			for (let k = 0; k < node.origins.length; k++) {
				const origin = node.origins[k], i = node.at[k] < 0 ? origin : parent[node.at[k]];
				if (i === ALL) {
					node.self += v[NOW][origin];
					continue;
				}
				const kid = kidFor(kids, func[i], node);
				kid.origins.push(origin);
				kid.at.push(i);
				addTo(kid, v, origin);
			}
			return sortKids(node, kids);
		},
		rangesOf: node => node.origins.map(i => [i, alone ? i + 1 : endOf[i]]),
	};
}

function topDown() { return calleeGraph(-1, [ALL]); }
function bottomUp() {
	const nodes = [];
	for (let i = 0; i < COUNT; i++)
		if (self[NOW][i] || self[OLD][i])
			nodes.push(i);
	return callerGraph(-1, nodes, true);
}
/* The calls of a function; a recursive one counts once in a stack. */
function callsOf(of) {
	const nodes = [];
	forOutermost(i => func[i] === of, i => nodes.push(i));
	return nodes;
}

/* Functions from the first below the root to the node. */
function pathOf(node) {
	const path = [];
	for (; node.parent; node = node.parent)
		path.unshift(node.func);
	return path;
}
/* The node with a path, or the last one on it that has a width. */
function nodeOf(graph, path) {
	let node = graph.root;
	for (const of of path) {
		const next = graph.kidsOf(node).find(k => k.func === of && widthOf(k));
		if (!next)
			break;
		node = next;
	}
	return node;
}
function isInside(node, top) {
	while (node && node !== top)
		node = node.parent;
	return node === top;
}
