// The lists: accounts, orders, journeys, events, requests, deliveries.
//
// Invariant: each reads no more than it shows or has to look through, and nothing that it knows already. Absent on purpose: what is
// picked (`records.js`, `messages.js`).

import { call, get } from './api.js';
import { el } from './dom.js';
import { act } from './notices.js';
import { amount, at, idLink, mark } from './parts.js';
import { here } from './route.js';
import { feed, instruments, lists, path, readOlderEvents, state } from './store.js';
import { limitOf, tableOf, wordsOf } from './table.js';
import { number, short, words as inWords } from './text.js';

/** Events that one search brings, and the longest text that is searched for. */
const FOUND = 200, LONGEST = 200;
const MOST = 1000;
const ownerOf = row => row.owner?.fullName ?? row.owner?.name ?? row.name ?? '';
const textOf = row => JSON.stringify(row);
const onTop = view => Math.min(MOST, limitOf(view));
/** With a search, all that the server lists is looked through. */
const asked = view => (here().q || here().status ? MOST : onTop(view));

async function accounts() {
    const rows = await lists.accounts.read();
    return tableOf({
        view: 'accounts', title: 'Accounts', one: 'Account', rows, keyOf: row => row.id, textOf, statusOf: row => row.status, hasMore: lists.accounts.hasMore, more: () => lists.accounts.more(MOST),
        empty: 'This client has no accounts. A lever opens one: Levers, \u201cOpen an account\u201d.',
        columns: [['Account', row => short(row.id), 'mono'], ['Owner', ownerOf], ['Type', row => row.accountType, 'p2'], ['Reference', row => row.ref, 'p3 mono'], ['Created', row => at(row.createdDate), 'p3'], ['Balance', row => amount(row.balance, row.currency), 'num'], ['Status', row => mark(row.status), 'state']],
    });
}

async function orders() {
    const [rows, funds] = [await lists.orders.read(), await instruments()];
    const nameOf = id => funds.find(fund => fund.id === id)?.name ?? '';
    return tableOf({
        view: 'orders', title: 'Orders', one: 'Order', rows, keyOf: row => row.id, textOf: row => `${textOf(row)} ${nameOf(row.instrument)}`, statusOf: row => row.status, hasMore: lists.orders.hasMore, more: () => lists.orders.more(MOST),
        statuses: ['received', 'pending', 'sent', 'settled', 'hold', 'canceled'],
        empty: 'This client has no orders. They are placed over the partner API.',
        columns: [['Order', row => short(row.id), 'mono'], ['Placed', row => at(row.createdDate), 'p2'], ['Type', row => row.orderType], ['Fund', row => el('span', { title: row.instrument }, nameOf(row.instrument) || row.instrument), 'p1 cut'],
            ['Account', row => idLink('account', row.account), 'p3'], ['Amount', row => amount(row.amount), 'num'], ['Units', row => number(row.units), 'num p2'], ['Status', row => mark(row.status), 'state']],
    });
}

async function journeys() {
    const answer = await get(path(`/journeys?client=${state.client}&limit=${asked('journeys')}`));
    return tableOf({
        view: 'journeys', title: 'Journeys', one: 'Journey', rows: answer.journeys, total: answer.total, keyOf: row => row.id, textOf, statusOf: row => row.status,
        statuses: ['new', 'pending', 'complete', 'canceled', 'error', 'expired'], hasMore: answer.total > answer.journeys.length && answer.journeys.length < MOST,
        empty: 'This client has no journeys. They are started over the partner API.',
        columns: [['Journey', row => short(row.id), 'mono'], ['Started', row => at(row.createdDate), 'p2'], ['Type', row => inWords(row.type)], ['Left at', row => inWords(row.context), 'p2'], ['Expires', row => at(row.expiryDate), 'p3'], ['Status', row => mark(row.status), 'state']],
    });
}

const currentOf = line => line.event.payload?.current ?? line.event.payload?.previous ?? {};
const kindOf = line => line.event.eventType.split('.')[0];

let sought = { key: null, rows: [], from: 0 };

/** Events that hold the words, as the server finds them; `more` looks further back than it has so far. */
async function found(words, more = false) {
    const key = `${state.world.worldId} ${state.world.start} ${words}`, isOn = sought.key === key && (more || sought.end === feed.end);
    if (isOn && !more) return sought.rows;
    const before = isOn ? `&before=${sought.from}` : '';
    const answer = await get(path(`/events?search=${encodeURIComponent(words)}&limit=${FOUND}${before}`));
    const rows = answer.events.toReversed();
    sought = { key, end: feed.end, rows: isOn ? [...sought.rows, ...rows] : rows, from: answer.lookedFrom, hasMore: answer.lookedFrom > answer.first };
    return sought.rows;
}

async function events() {
    const words = wordsOf(here().q).join(' ').slice(0, LONGEST);
    const rows = words ? await found(words) : feed.events.toReversed();
    return tableOf({
        view: 'events', title: 'Events', one: 'Event', rows, total: words ? rows.length : feed.total, keyOf: line => line.event.eventId, textOf: words ? null : textOf, statusOf: kindOf, statusText: name => inWords(name), statusWord: 'Kind', statusAll: 'kinds',
        hasMore: words ? sought.hasMore : feed.first > feed.forgotten, more: words ? () => found(words, true) : readOlderEvents,
        before: feed.forgotten ? el('p.note', { 'data-key': 'forgotten' }, `The first ${number(feed.forgotten)} are no longer kept.`) : null,
        empty: words ? 'No event is found by that.' : feed.end === null ? 'Reading\u2026' : 'Nothing has happened yet.',
        columns: [['Event', line => `#${line.number}`, 'mono'], ['When', line => at(line.at), 'p2'], ['What', line => line.event.eventType], ['About', line => idLink(kindOf(line), currentOf(line).id), 'p1'], ['Amount', line => amount(currentOf(line).amount), 'num p3'], ['Status', line => mark(currentOf(line).status), 'state']],
    });
}

let log = { key: null, rows: [], total: 0 };

async function requests() {
    const most = asked('requests'), key = `${state.world.worldId} ${state.world.start} ${state.client} ${most}`;
    const newest = log.key === key ? log.rows[0]?.requestId : undefined;
    if (newest === undefined) {
        const answer = await get(path(`/requests?limit=${most}`));
        log = { key, rows: answer.requests, total: answer.total };
    } else {
        const answer = await get(path(`/requests?after=${newest}&limit=${most}`));
        if (answer.total < log.total) { log.key = null; return requests(); }
        log = { key, rows: [...answer.requests, ...log.rows].slice(0, MOST), total: answer.total };
    }
    const group = row => (row.status === null ? 'cut off' : `${Math.floor(row.status / 100)}xx`);
    return tableOf({
        view: 'requests', title: 'Requests', one: 'Request', rows: log.rows, total: log.total, keyOf: row => row.requestId, textOf, statusOf: group, hasMore: log.rows.length < Math.min(log.total, MOST) && log.rows.length >= most,
        empty: 'Nobody has asked this world anything. What the console reads is not counted.',
        columns: [['Request', row => `#${row.requestId}`, 'mono'], ['Method', row => el(`span.method.${row.method.toLowerCase()}`, {}, row.method)], ['Path', row => el('span', { title: row.path }, shortPath(row.path)), 'mono cut wide'], ['At', row => at(row.at), 'p3'], ['Took', row => `${row.milliseconds} ms`, 'num p2'], ['Status', row => mark(row.status ?? 'cut off'), 'state']],
    });
}

/** A path without what every path of the client and its world begins with, ids shortened. */
export const shortPath = text => text.replace(`/v2/partner/client/${state.client}`, '\u2026').replace(/^\/v2\/partner/, '\u2026').replace(/^\/_sandbox\/worlds\/[^/]+/, '_sandbox').replace(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1');

/** A delivery as it was when it was read last. */
export const deliveriesSeen = new Map();

async function deliveries() {
    const { status, q } = here();
    const answer = await get(path(`/deliveries?limit=${q ? MOST : onTop('deliveries')}${status ? `&status=${encodeURIComponent(status)}` : ''}`));
    deliveriesSeen.clear();
    for (const row of answer.deliveries) deliveriesSeen.set(row.id, row);
    const dead = answer.deliveries.filter(row => row.status === 'deadLetter');
    const again = async () => { for (const row of dead) await call('POST', path(`/deliveries/${row.id}/replay`)); return dead.length; };
    return tableOf({
        view: 'deliveries', title: 'Deliveries', one: 'Delivery', rows: answer.deliveries, total: answer.total, keyOf: row => row.id, textOf, statusOf: row => row.status, statusText: inWords, statuses: ['queued', 'delivered', 'refused', 'deadLetter'],
        hasMore: answer.deliveries.length >= onTop('deliveries') && answer.deliveries.length < Math.min(answer.total, MOST),
        tools: dead.length ? act(`Send ${dead.length} dead ${dead.length === 1 ? 'letter' : 'letters'} again`, again, many => `${many} queued again.`, { key: 'dead' }) : null,
        empty: 'Nothing has been sent. Webhooks are registered under Webhooks; journeys call back where their callbackUrl says.',
        columns: [['Delivery', row => short(row.id), 'mono'], ['Queued', row => at(row.queued), 'p3'], ['Event', row => row.eventType], ['About', row => (row.resource ? idLink(row.eventType.split('.')[0], row.resource) : null), 'p2'], ['To', row => el('span', { title: row.url }, row.url), 'p2 cut'], ['Attempts', row => number(row.attemptsMade), 'num p1'], ['Status', row => mark(row.status), 'state']],
    });
}

export const LISTS = { accounts, orders, journeys, events, requests, deliveries };
