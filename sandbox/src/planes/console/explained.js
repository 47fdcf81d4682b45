// Why something is in its state: what it waits for or what stopped it, until when, and what helps.
//
// Invariant: all of it is the server's answer; what helps is done by the operation that the server names. Absent on purpose: the
// words of reasons.

import { call } from './api.js';
import { jump } from './clock.js';
import { el, lazily } from './dom.js';
import { operationForm, operationOf, sayDone } from './forms.js';
import { act } from './notices.js';
import { at, idLink, part } from './parts.js';
import { state } from './store.js';
import { capital } from './text.js';

const IDS = /\{(\w+)\}/g;

/** A button or a form for what helps; words alone where a person does it elsewhere. */
function cure({ says, operation }, about, known) {
    const row = operation ? operationOf(operation) : null;
    // What cannot be taken back is asked about where the page has its button.
    if (row?.method === 'DELETE') return null;
    if (!row) return el('li', { 'data-key': says }, capital(says), '.');
    const own = [...row.path.matchAll(IDS)].map(found => found[1]).filter(name => name !== 'worldId' && name !== 'clientId');
    const given = Object.fromEntries(own.map(name => [name, name === 'instrumentId' ? known.instrumentId : about]).filter(([, value]) => value));
    if (row.operation.requestBody || own.some(name => !(name in given))) {
        return el('li', { 'data-key': says }, lazily(`${operation} ${about}`, capital(says), () => operationForm(operation, { preset: { ...known, ...given }, hides: Object.keys(given), done: sayDone })));
    }
    const where = row.path.replace(IDS, (_, name) => encodeURIComponent(name === 'worldId' ? state.world.worldId : name === 'clientId' ? state.client : about));
    return el('li', { 'data-key': says }, act(capital(says), () => call(row.method, where, { as: row.path.startsWith('/_sandbox') ? 'operator' : 'partner' }), answer => doneOf(row, answer), { key: operation }));
}

const doneOf = (row, answer) => [el('strong', {}, `${row.operation.summary}: done. `), answer?.status ? `It is ${answer.status}.` : null];

function reason(one, own, known) {
    const isOther = one.about !== own;
    return el('li', { 'data-key': `${one.reason} ${one.about}` },
        el('p.says', {}, el('strong', {}, `${capital(one.says)}.`), isOther ? [' ', idLink('why', one.about)] : null),
        one.until ? el('p.until', {}, one.then ? [capital(one.then), ' at '] : 'Until ', at(one.until), '. ', jump('Advance until then', { to: one.until }, one.then)) : null,
        one.cures.length ? el('ul.cures', { 'aria-label': 'What helps' }, one.cures.map(each => cure(each, one.about, known))) : null);
}

/** The part that says why; nothing where there is nothing to say. `known` fills in fields of what helps. */
export function explained(found, known = {}) {
    if (!found?.explanations?.length) return null;
    return part('Why', el('ul.reasons', {}, found.explanations.map(one => reason(one, found.resource, known))));
}
