// Pieces that every view is made of: marks of a status, ids that lead somewhere, blocks of JSON.
//
// Invariant: a status is shown by its word and by a shape, never by colour alone; an id is a link to what it names, or to its causes.
// Absent on purpose: requests.

import { el } from './dom.js';
import { copyButton } from './notices.js';
import { placeOf } from './route.js';
import { moment, number, short, words, writeJson } from './text.js';

const GOOD = ['active', 'settled', 'complete', 'delivered', 'accepted', 'confirmed', 'enabled', 'checked', 'paid'];
const BAD = ['canceled', 'error', 'expired', 'rejected', 'refused', 'deadLetter', 'failed', 'cut off', 'closed', 'disabled', 'declined'];
const HELD = ['hold', 'confirm', 'closing'];

/** What a status means to a person who looks for trouble. */
export function toneOf(status) {
    const text = String(status);
    if (/^\d{3}$/.test(text)) return Number(text) < 300 ? 'good' : Number(text) < 400 ? 'wait' : 'bad';
    return GOOD.includes(text) ? 'good' : BAD.includes(text) ? 'bad' : HELD.includes(text) ? 'held' : 'wait';
}

const SIGNS = { good: '\u2713', bad: '\u2715', held: '\u2016', wait: '\u25cb' };

/** A status: its word, a shape, and a colour. */
export function mark(status) {
    if (status === undefined || status === null || status === '') return null;
    const tone = toneOf(status);
    return el(`span.status.${tone}`, { 'data-status': String(status) }, el('span.sign', { 'aria-hidden': 'true' }, SIGNS[tone]), words(status));
}

/** An id that leads to what it names. */
export function idLink(kind, id, text) {
    if (!id) return null;
    return el('a.id', { href: placeOf(kind, id), title: `${words(kind)} ${id}`, 'data-key': `${kind} ${id}` }, text ?? short(id));
}

/** An id in full, to be read and copied. */
export const wholeId = id => el('span.whole', {}, el('code', {}, id), copyButton(id, 'Copy', 'the id'));

/** A moment on one line. */
export const at = text => (text ? el('time', { dateTime: text }, moment(text)) : null);

/** An amount, aligned and exact. */
export const amount = (value, currency) => (value === undefined || value === null ? null : el('span.amount', {}, number(value, 2), currency ? el('span.unit', {}, ` ${currency}`) : null));

/** A block of JSON with a button that copies it. */
export function block(title, value, { open = true, note } = {}) {
    const text = typeof value === 'string' ? value : writeJson(value, 2);
    const details = el('details.fold', { 'data-key': `block ${title}` },
        el('summary', {}, title, note ? el('span.note', {}, ` ${note}`) : null),
        el('div.code', {}, copyButton(() => text, 'Copy', title), el('pre', { tabIndex: 0, 'aria-label': title, role: 'region' }, text)));
    if (open) details.open = true;
    return details;
}

/** A part of a page with a heading. */
export const part = (title, ...children) => el('section.part', { 'data-key': title, 'aria-label': title }, el('h3', {}, title), ...children);

/** What is shown where there is nothing. */
export const nothing = text => el('p.nothing', {}, text);

/** A small table inside a part: columns are [heading, cell, class]. */
export function grid(caption, columns, rows, keyOf) {
    if (!rows.length) return nothing(`No ${caption.toLowerCase()}.`);
    return el('div.scroll', { tabIndex: 0, role: 'group', 'aria-label': caption }, el('table.grid', { role: 'table', 'data-key': caption },
        el('caption.quiet', {}, caption),
        el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, columns.map(([heading, , kind]) => el('th', { scope: 'col', role: 'columnheader', className: kind }, heading)))),
        el('tbody', { role: 'rowgroup' }, rows.map((row, index) => el('tr', { role: 'row', 'data-key': keyOf ? keyOf(row) : index },
            columns.map(([heading, cell, kind]) => el('td', { role: 'cell', className: kind, 'data-label': heading }, cell(row))))))));
}
