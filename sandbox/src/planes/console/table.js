// A list as people use it: searched, filtered, counted, shown piece by piece, walked through by keys.
//
// Invariant: a row is one link, wherever it is pressed; what does not fit is left out by importance, a status never, and on a narrow
// screen rows are cards. Rows are known by their keys, so that news moves nobody's focus. Absent on purpose: where rows come from.

import { el } from './dom.js';
import { nothing } from './parts.js';
import { here, refine, toward } from './route.js';
import { number } from './text.js';

const STEP = 100;
const limits = new Map();

/** How many rows of a view are shown. */
export const limitOf = view => limits.get(view) ?? STEP;
export const resetLimits = () => limits.clear();

/** What is searched for, word by word. Identity numbers are kept as digits alone, so `19900101-2385` is looked for without its sign. */
export const wordsOf = q => q.toLowerCase().split(/\s+/).filter(Boolean).map(word => word.replace(/^(\d{6}|\d{8})[-+](\d{4})$/, '$1$2'));

/** The rows that are searched for, by their own words; where there is no `textOf`, the server has searched. */
function wanted({ rows, textOf, statusOf }, { q, status }) {
    const parts = textOf ? wordsOf(q) : [];
    return rows.filter(row => (!status || statusOf?.(row) === status) && (!parts.length || parts.every(part => textOf(row).toLowerCase().includes(part))));
}

function tools(def, found) {
    const now = here();
    const statuses = def.statuses ?? [...new Set(def.rows.map(row => def.statusOf?.(row)).filter(Boolean))].sort();
    if (now.status && !statuses.includes(now.status)) statuses.push(now.status);
    const isNarrowed = found.length !== def.rows.length;
    const total = Math.max(def.total ?? 0, def.rows.length);
    const counted = isNarrowed ? `${number(found.length)} of ${number(total)}` : number(total);
    return el('div.tools', { 'data-key': 'tools' },
        el('h2', {}, def.title, el('span.count', { role: 'status' }, ` ${counted}`)),
        el('label', {}, el('span.quiet', {}, `Search ${def.title.toLowerCase()}`),
            el('input.search', { type: 'search', value: now.q, placeholder: 'Search ( / )', 'data-key': `search ${def.view}`, input: event => refine({ q: event.target.value.trim() }) })),
        def.statusOf ? el('label', { 'data-key': `status ${def.view}` }, el('span.quiet', {}, `${def.statusWord ?? 'Status'} of ${def.title.toLowerCase()}`),
            el('select', { value: now.status, change: event => refine({ status: event.target.value }) },
                el('option', { value: '', 'data-key': '' }, `All ${def.statusAll ?? 'statuses'}`), statuses.map(one => el('option', { value: one, 'data-key': one, selected: one === now.status }, def.statusText?.(one) ?? one)))) : null,
        def.tools);
}

function head(def) {
    return el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, def.columns.map(([heading, , kind]) => el('th', { scope: 'col', role: 'columnheader', className: kind }, heading))));
}

function line(def, row, picked) {
    const key = String(def.keyOf(row)), isPicked = key === picked;
    const href = toward({ view: def.view, id: key });
    const open = event => { if (!event.target.closest('a, button') && !getSelection().toString()) location.hash = href; };
    return el('tr', { role: 'row', className: isPicked ? 'picked' : '', 'data-key': key, click: open }, def.columns.map(([heading, cell, kind], at) => {
        const content = cell(row);
        const shown = at > 0 ? content : el('a.row', { href, 'aria-current': isPicked ? 'true' : undefined }, el('span.quiet', {}, `${def.one} `), content);
        return el('td', { role: 'cell', className: kind, 'data-label': heading }, shown);
    }));
}

/**
 * A list: { view, title, one, rows, total, columns: [heading, cell, class], keyOf, textOf, statusOf, empty, more }.
 * `more` is called when the server has more than is known.
 */
export function tableOf(def) {
    const now = here(), found = wanted(def, now), shown = found.slice(0, limitOf(def.view));
    const grow = async () => {
        limits.set(def.view, limitOf(def.view) + 2 * STEP);
        if (found.length < limitOf(def.view)) await def.more?.();
        refine({});
    };
    const hasMore = shown.length < found.length || def.hasMore;
    const empty = def.rows.length ? `Nothing here is found by that. ${number(def.rows.length)} were looked through.` : def.empty;
    return [
        tools(def, found),
        def.before,
        shown.length ? el('div.scroll', { 'data-key': `scroll ${def.view}` }, el('table.list', { role: 'table', 'data-key': def.view, 'aria-label': def.title }, head(def), el('tbody', { role: 'rowgroup' }, shown.map(row => line(def, row, now.id))))) : nothing(empty),
        hasMore ? el('div.actions', { 'data-key': 'more' }, el('button', { type: 'button', click: grow }, `Show more ${def.title.toLowerCase()}`), el('span.note', {}, `${number(shown.length)} are shown.`)) : null,
        def.after,
    ];
}

/** Leads to the next or the previous row from where the focus is. */
export function stepRows(by) {
    const rows = [...document.querySelectorAll('#list a.row')];
    if (!rows.length) return;
    const at = rows.indexOf(document.activeElement.closest?.('tr')?.querySelector('a.row') ?? document.activeElement);
    const picked = rows.findIndex(row => row.hasAttribute('aria-current'));
    const next = at >= 0 ? at + by : picked >= 0 ? picked + by : 0;
    const row = rows[Math.min(rows.length - 1, Math.max(0, next))];
    row.focus();
    row.scrollIntoView({ block: 'nearest' });
}
