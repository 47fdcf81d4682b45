// One search over all views: accounts, orders, journeys, events, requests, deliveries, webhooks, levers, worlds and views.
//
// Invariant: it shows a few of each kind and leads to all of them; what an older search still brings is not shown. Absent on purpose:
// what is found, which the views show.

import { get } from './api.js';
import { el, fill } from './dom.js';
import { operations } from './forms.js';
import { dialog, failure } from './notices.js';
import { mark } from './parts.js';
import { VIEWS, addressOf, here, toward } from './route.js';
import { instruments, lists, path, state } from './store.js';
import { wordsOf } from './table.js';
import { moment, number, short, words as inWords } from './text.js';

const EACH = 5, MOST = 1000, PAUSE = 200;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ownerOf = row => row.owner?.fullName ?? row.owner?.name ?? row.name ?? '';
const holds = (text, words) => words.every(word => text.toLowerCase().includes(word));
const rowOf = (view, id, title, note, status) => ({ href: toward({ view, id, q: '', status: '' }), title, note, status });

/** Where it looks: a view, and what is found there by words. */
const SOURCES = [
    ['accounts', async words => (await lists.accounts.read()).filter(row => holds(JSON.stringify(row), words)).map(row => rowOf('accounts', row.id, ownerOf(row), `${row.accountType} ${short(row.id)}, ${row.ref}`, row.status))],
    ['orders', async words => {
        const [rows, funds] = [await lists.orders.read(), await instruments()];
        const nameOf = id => funds.find(fund => fund.id === id)?.name ?? id;
        return rows.filter(row => holds(`${JSON.stringify(row)} ${nameOf(row.instrument)}`, words)).map(row => rowOf('orders', row.id, `${row.orderType} ${nameOf(row.instrument)}`, `${short(row.id)}${row.amount === undefined ? '' : `, ${number(row.amount, 2)}`}`, row.status));
    }],
    ['journeys', async words => (await get(path(`/journeys?client=${state.client}&limit=${MOST}`))).journeys.filter(row => holds(JSON.stringify(row), words)).map(row => rowOf('journeys', row.id, inWords(row.type), `${short(row.id)}, started ${moment(row.createdDate)}`, row.status))],
    ['events', async words => (await get(path(`/events?search=${encodeURIComponent(words.join(' ').slice(0, 200))}&limit=${EACH + 1}`))).events.toReversed().map(line => rowOf('events', line.event.eventId, line.event.eventType, `#${line.number}, ${moment(line.at)}`))],
    ['requests', async words => (await get(path(`/requests?limit=${MOST}`))).requests.filter(row => holds(`${row.method} ${row.path} ${row.status}`, words)).map(row => rowOf('requests', String(row.requestId), `${row.method} ${row.path}`, `#${row.requestId}`, row.status ?? 'cut off'))],
    ['deliveries', async words => (await get(path(`/deliveries?limit=${MOST}`))).deliveries.filter(row => holds(`${row.id} ${row.resource} ${row.eventType} ${row.url} ${row.status}`, words)).map(row => rowOf('deliveries', row.id, row.eventType, row.url, row.status))],
    ['webhooks', async words => (await get(path('/webhooks'))).filter(row => holds(`${row.id} ${row.url}`, words)).map(row => rowOf('webhooks', row.id, row.url, short(row.id), row.enabled ? 'enabled' : 'disabled'))],
    ['levers', async words => operations().filter(row => row.path.startsWith('/simulations') && row.method !== 'GET').filter(row => holds(`${row.operation.summary} ${row.operation.operationId}`, words)).map(row => ({ href: toward({ view: 'levers', id: null, q: row.operation.summary, status: '' }), title: row.operation.summary, note: row.operation.operationId }))],
    ['worlds', async words => state.worlds.filter(world => holds(`${world.worldId} ${world.name}`, words)).map(world => ({ href: addressOf({ world: world.worldId, view: 'accounts' }), title: world.name, note: world.worldId }))],
];

const labelOf = view => VIEWS.find(([name]) => name === view)[1];

function group(view, rows, q, close) {
    const more = rows.length > EACH ? el('li', {}, el('a', { href: toward({ view, id: null, q: view === 'worlds' ? '' : q, status: '' }), click: close }, `All in ${labelOf(view).toLowerCase()}`)) : null;
    return el('section.part', { 'aria-label': labelOf(view), 'data-view': view }, el('h3', {}, labelOf(view)), el('ul.found', {}, rows.slice(0, EACH).map(row => el('li', {}, el('a', { href: row.href, click: close }, el('span.cut', {}, row.title)), ' ', row.status ? mark(row.status) : null, el('span.note', {}, ` ${row.note ?? ''}`))), more));
}

const views = (words, close) => {
    const rows = VIEWS.filter(([, label]) => holds(label, words));
    return rows.length ? el('section.part', { 'aria-label': 'Views' }, el('h3', {}, 'Views'), el('ul.found', {}, rows.map(([view, label]) => el('li', {}, el('a', { href: toward({ view, id: null, q: '', status: '' }), click: close }, label))))) : null;
};

/** Looks everywhere, and shows each kind as soon as it is there. `isOn` says whether anybody still waits for it. */
async function look(q, place, close, isOn) {
    const words = wordsOf(q);
    if (!words.length) { fill(place); return; }
    const parts = new Map();
    let failed = null, left = SOURCES.length;
    const show = () => {
        if (!isOn()) return;
        const known = ID.test(q) ? el('p', {}, el('a', { href: toward({ view: 'why', id: q.toLowerCase() }), click: close }, `What happened to ${q}, and why`)) : null;
        const made = [known, views(words, close), ...SOURCES.map(([view]) => parts.get(view))].filter(Boolean);
        const notice = left ? 'Looking\u2026' : made.length ? null : `Nothing is found by \u201c${q}\u201d.`;
        place.replaceChildren(...made, ...[failed ? el('p.bad', { role: 'alert' }, failure(failed)) : null, notice ? el('p.note', { role: 'status' }, notice) : null].filter(Boolean));
    };
    show();
    await Promise.all(SOURCES.map(async ([view, find]) => {
        try {
            const rows = await find(words);
            if (rows.length) parts.set(view, group(view, rows, q, close));
        } catch (error) {
            if (![403, 404].includes(error.status)) failed = error;
        }
        left -= 1;
        show();
    }));
}

/** Opens the search. */
export function openSearch() {
    if (document.querySelector('dialog') || !state.world) return;
    let latest = 0, timer = null;
    const place = el('div.everything');
    const box = dialog('Search everything', close => {
        const begin = event => {
            const mine = latest += 1, q = event.target.value.trim();
            clearTimeout(timer);
            timer = setTimeout(() => look(q, place, close, () => mine === latest && box.isConnected), PAUSE);
        };
        const input = el('input', { id: 'everything', type: 'search', autocomplete: 'off', spellcheck: 'false', placeholder: 'A name, an id, an amount, a path\u2026', input: begin });
        return [el('label.field', { htmlFor: 'everything' }, el('span', {}, `Search ${here().world ? state.world.name : 'everything'}`), input), place];
    });
    box.classList.add('wide', 'finder');
    box.addEventListener('keydown', event => step(event, box));
    box.querySelector('input').focus();
}

/** Down and up go through what is found; Enter in the field goes to the first. */
function step(event, box) {
    const links = [...box.querySelectorAll('.everything a')], at = links.indexOf(document.activeElement);
    if (event.key === 'Enter' && at < 0) { event.preventDefault(); links[0]?.click(); }
    if (!['ArrowDown', 'ArrowUp'].includes(event.key) || !links.length) return;
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (next < 0 ? box.querySelector('input') : links[Math.min(next, links.length - 1)]).focus();
}
