/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The table of functions: what each took alone (self) and with all that it calls (total). */
const ROWS_MAX = 500;
let rowsMax = ROWS_MAX, sortKey = "self", sortDown = true;
let functions = [];	/* { func, self, total, oldSelf, oldTotal } */

/* A thread's name is a row only for samples without functions, so that the rows add up to all. */
function listFunctions() {
	const list = new Array(FUNCS), until = new Int32Array(FUNCS);
	for (let f = 0; f < FUNCS; f++)
		list[f] = { func: f, self: 0, total: 0, oldSelf: 0, oldTotal: 0 };
	for (let i = 0; i < COUNT; i++) {
		const f = list[func[i]];
		f.self += self[NOW][i];
		f.oldSelf += self[OLD][i];
		/* Below itself a recursive function counts no more. */
		if (i >= until[func[i]]) {
			f.total += total[NOW][i];
			f.oldTotal += total[OLD][i];
			until[func[i]] = endOf[i];
		}
	}
	functions = list.filter(f => kindOf(f.func) === KIND_GROUP ? f.self || f.oldSelf : f.total || f.oldTotal);
}

const COLUMNS = {
	self: { text: () => "self, " + cellUnit(), value: f => f.self, cell: f => cellText(f.self) },
	selfShare: { text: () => "%", value: f => f.self, cell: f => percent(shareOf(f.self)) },
	selfChange: { text: () => "change", diff: true, value: f => changeOf(f.self, f.oldSelf),
		cell: f => signed(changeOf(f.self, f.oldSelf)) },
	total: { text: () => "total, " + cellUnit(), value: f => f.total, cell: f => cellText(f.total) },
	totalShare: { text: () => "%", value: f => f.total, cell: f => percent(shareOf(f.total)) },
	totalChange: { text: () => "change", diff: true, value: f => changeOf(f.total, f.oldTotal),
		cell: f => signed(changeOf(f.total, f.oldTotal)) },
	name: { text: () => "function", isText: true, value: f => nameOf(f.func), cell: f => nameOf(f.func) },
	module: { text: () => "file", isText: true, value: f => moduleOf(f.func), cell: f => moduleOf(f.func) },
};
function shownColumns() { return Object.keys(COLUMNS).filter(k => compared || !COLUMNS[k].diff); }

function sortFunctions() {
	const of = COLUMNS[sortKey], sign = sortDown ? -1 : 1;
	const order = of.isText ? (a, b) => of.value(a) < of.value(b) ? -1 : of.value(a) > of.value(b) ? 1 : 0
		: (a, b) => of.value(a) - of.value(b);
	functions.sort((a, b) => sign * order(a, b) || b.total - a.total || a.func - b.func);
}

function element(tag, text, className) {
	const e = document.createElement(tag);
	if (text !== undefined)
		e.textContent = text;
	if (className)
		e.className = className;
	return e;
}
function headRow() {
	const tr = element("tr");
	for (const key of shownColumns()) {
		const th = element("th", undefined, COLUMNS[key].isText ? "text" : "");
		const button = element("button", COLUMNS[key].text());
		th.setAttribute("aria-sort", key !== sortKey ? "none" : sortDown ? "descending" : "ascending");
		button.addEventListener("click", () => {
			sortDown = key === sortKey ? !sortDown : !COLUMNS[key].isText;
			sortKey = key;
			drawTable();
			remember();
		});
		th.append(button);
		tr.append(th);
	}
	return tr;
}
function bodyRow(f) {
	const tr = element("tr");
	tr.tabIndex = -1;
	tr.dataset.func = f.func;
	for (const key of shownColumns()) {
		const td = element("td", COLUMNS[key].cell(f), COLUMNS[key].isText ? "text" : "");
		if (key === "name") {
			const box = element("span", undefined, "key");
			box.style.background = `rgb(${colorOfFunc(f.func).map(Math.round).join(",")})`;
			td.prepend(box);
		}
		tr.append(td);
	}
	return tr;
}
function drawTable() {
	if (S.mode !== "list")
		return;
	sortFunctions();
	const list = S.query ? functions.filter(f => matches[f.func]) : functions;
	const shown = list.slice(0, rowsMax), rest = list.slice(rowsMax);
	const sum = of => of.reduce((s, f) => s + f.self, 0);
	$("head").replaceChildren(headRow());
	$("rows").replaceChildren(...shown.map(bodyRow));
	if ($("rows").firstChild)
		$("rows").firstChild.tabIndex = 0;
	$("sum").textContent = countText(list.length, "functions") + (S.query ? " that match" : "") +
		", self " + valueText(sum(list)) + ", " + percent(shareOf(sum(list)));
	$("more").hidden = !rest.length;
	$("more").textContent = countText(rest.length, "functions") + " more, self " + valueText(sum(rest)) +
		", " + percent(shareOf(sum(rest))) + ": show them";
}
function rowOfEvent(e) { return e.target.closest ? e.target.closest("#rows tr") : null; }
function focusRow(row) {
	if (!row)
		return;
	$("rows").querySelectorAll("tr[tabindex='0']").forEach(r => { r.tabIndex = -1; });
	row.tabIndex = 0;
	row.focus();
}
