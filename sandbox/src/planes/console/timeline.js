// Every change of something: when, what caused it, its events, and to whom they were sent.
//
// Invariant: oldest first, as it happened; what would be long is folded with its counts in sight. Absent on purpose: how the causes are
// found, which is the server's.

import { el } from './dom.js';
import { amount, at, idLink, mark } from './parts.js';
import { count, words } from './text.js';

/** What caused a change, in words. */
function cause(change) {
    if (change.timer) return change.timer;
    if (change.command) return words(change.command);
    return change.act ?? 'a cause that is no longer kept';
}

function request(change) {
    if (!change.request) return null;
    const { requestId, route, logged } = change.request;
    const brief = text => text.replace(/^\/v2\/partner\/client\/[^/]+/, '\u2026').replace(/^\/_sandbox\/worlds\/[^/]+/, '\u2026');
    const requestText = logged ? `${logged.method} ${brief(logged.path)}` : brief(String(route ?? '')).split('/').at(-1);
    return el('span.by', {}, ' by ', logged ? idLink('request', String(requestId), `request ${requestId}`) : `request ${requestId}`, el('code', {}, ` ${requestText} `), logged ? mark(logged.status ?? 'cut off') : null);
}

const kindOf = event => event.eventType.split('.')[0];

function eventItem(event, own) {
    const status = event.status && event.status !== event.previousStatus ? mark(event.status) : null;
    return el('li', { 'data-key': event.eventId },
        el('div.wrapped', {}, idLink('event', event.eventId, event.eventType), ' ',
            event.resource === own ? null : idLink(kindOf(event), event.resource), ' ', status, event.amount === undefined ? null : [' ', amount(event.amount)]),
        event.moves.map((move, index) => el('div.move', { 'data-key': index }, `${move.from} \u2192 ${move.to}`, el('span.note', {}, ` on ${move.on}${move.effect && move.effect !== 'Nothing' ? `, ${words(move.effect)}` : ''}`))));
}

/** Deliveries with their counts in sight. */
export function foldedDeliveries(deliveries, key) {
    if (!deliveries.length) return null;
    const counts = new Map();
    for (const { status } of deliveries) counts.set(status, (counts.get(status) ?? 0) + 1);
    const summary = deliveries.length === 1 ? ['1 delivery: ', words(deliveries[0].status)] : [`${count(deliveries.length, 'delivery', 'deliveries')}: ${[...counts].map(([status, many]) => `${many} ${words(status)}`).join(', ')}`];
    return el('details.deliveries', { 'data-key': `deliveries ${key}` }, el('summary', {}, summary),
        el('ul', {}, deliveries.map(one => el('li', { 'data-key': one.id }, idLink('delivery', one.id), ' ', mark(one.status), el('span.note', {}, ` ${one.eventType ?? ''} to ${one.url}, ${count(one.attemptsMade, 'attempt')}`)))));
}

/** What is beside a change: ways back to it. */
function ways(change, travel) {
    const where = change.timer ? { at: change.at } : { input: change.input };
    const when = change.timer ? `at ${change.at}` : `after input ${change.input}`;
    return el('span.ways', {}, el('span.note', {}, `input ${change.input}`),
        el('button.small', { type: 'button', 'data-key': 'fork', 'aria-label': `Fork ${when}, ${cause(change)}`, title: `A fork of the world ${when}`, click: () => travel('fork', where) }, 'Fork'),
        el('button.small', { type: 'button', 'data-key': 'rewind', 'aria-label': `Rewind to ${when}, ${cause(change)}`, title: `Rewinds this world to its state ${when}`, click: () => travel('rewind', where) }, 'Rewind'));
}

/** The changes; `travel` is asked to fork or to rewind. */
export function timeline(why, travel) {
    const left = why.total - why.changes.length;
    return el('div', {},
        left > 0 ? el('p.note', {}, `The last ${why.changes.length} of ${why.total} changes.`) : null,
        why.forgotten > 0 ? el('p.note', {}, `${why.forgotten} earlier events are no longer kept; changes among them are not known any more.`) : null,
        el('ol.timeline', { 'aria-label': 'What happened, and why' }, why.changes.map((change, index) => {
            const key = `${change.input} ${change.at} ${index}`;
            return el('li', { 'data-key': key },
                el('div.when', {}, at(change.at), el('strong', {}, cause(change)), request(change), ways(change, travel)),
                el('ul', {}, change.events.map(event => eventItem(event, why.resource))),
                foldedDeliveries(change.events.flatMap(event => event.deliveries.map(one => ({ ...one, eventType: event.eventType }))), key));
        })));
}
