// The console: one world, what is in it, what happens in it, and every lever.

import { bearer, call, follow, forget, get, post, remember, remembered, signIn } from './api.js';
import { el, facts, fill, json, mark, moment, money, short, table } from './dom.js';
import { lifecycle, timeline } from './draw.js';
import { operationForm, operations } from './forms.js';

const $ = id => document.getElementById(id);
const state = { api: null, machines: [], worlds: [], world: null, partner: null, client: null, view: 'accounts', picked: null, last: null, stream: null };

const VIEWS = [
    ['accounts', 'Accounts'], ['orders', 'Orders'], ['journeys', 'Journeys'], ['events', 'Events'], ['requests', 'Requests'],
    ['deliveries', 'Deliveries'], ['faults', 'Faults'], ['levers', 'Levers'], ['worlds', 'Worlds'],
];

const worldPath = (rest = '') => `/_sandbox/worlds/${state.world.worldId}${rest}`;
const clientPath = (rest = '') => `/v2/partner/client/${state.client}${rest}`;
const partner = path => get(path, { as: 'partner' });

function say(text, isBad = false) {
    fill($('told'), el(isBad ? 'p.bad' : 'p.good', isBad ? { role: 'alert' } : {}, text));
}

/** Does something and tells when it was refused. */
async function attempt(work, done) {
    try {
        const result = await work();
        if (done) say(typeof done === 'function' ? done(result) : done);
        return result;
    } catch (error) {
        say(error.message, true);
        return undefined;
    }
}

/** Asks before what cannot be undone. */
function confirmed(question, word) {
    return new Promise(answer => {
        const close = value => () => { dialog.close(); dialog.remove(); answer(value); };
        const dialog = el('dialog', { 'aria-label': question, cancel: close(false) }, el('p', {}, question),
            el('div.actions', {}, el('button.main', { click: close(true) }, word), el('button', { click: close(false) }, 'Keep it')));
        document.body.append(dialog);
        dialog.showModal();
    });
}

// Signing in and worlds.

async function start() {
    state.machines = await (await fetch('console/machines.json')).json();
    state.api = await (await fetch('openapi.json')).json();
    const given = remembered();
    bearer.operator = given.operator ?? null;
    try {
        bearer.isOpen = !given.operator && !given.clientId;
        if (given.clientId) await signIn(given);
        await worlds();
    } catch (error) {
        bearer.isOpen = false;
        signInForm(given.operator || given.clientId ? error.message : null);
    }
}

function signInForm(problem) {
    const field = (id, label, about, type = 'text') => el('div.field', {}, el('label', { htmlFor: id }, label), el('input', { id, type, autocomplete: 'off', spellcheck: false }), el('p.note', {}, about));
    const submit = event => {
        event.preventDefault();
        const value = id => $(id).value.trim() || undefined;
        remember({ operator: value('operator'), clientId: value('client-id'), clientSecret: value('client-secret') });
        start();
    };
    fill($('list'), el('h2', {}, 'Sign in'), problem ? el('p.bad', { role: 'alert' }, problem) : null,
        el('form', { submit }, field('operator', "The operator's token", 'Opens every world; leave it empty to see one partner\u2019s own.', 'password'),
            field('client-id', 'Client id', 'A partner\u2019s, as the server told it at its start.'), field('client-secret', 'Client secret', 'Kept in this tab, and nowhere else.', 'password'),
            el('button.main', { type: 'submit' }, 'Sign in')));
    fill($('detail'));
}

async function worlds() {
    const known = await get(bearer.operator || bearer.isOpen ? '/_sandbox/worlds' : '/_sandbox/worlds/current');
    state.worlds = Array.isArray(known) ? known : [known];
    fill($('world'), state.worlds.map(world => el('option', { value: world.worldId }, `${world.name} (${world.worldId})`)));
    const still = state.worlds.find(world => world.worldId === state.world?.worldId);
    if (still) { state.world = { ...state.world, ...still, partners: state.world.partners }; $('world').value = still.worldId; return; }
    if (state.worlds.length) await enter(state.worlds[0].worldId);
    else { state.world = null; fill($('list'), el('p', {}, 'No world stands at the moment.'), makeForm()); }
}

async function enter(id) {
    state.world = await get(`/_sandbox/worlds/${bearer.operator || bearer.isOpen ? id : 'current'}`);
    $('world').value = state.world.worldId;
    const partners = state.world.partners ?? [];
    fill($('partner'), partners.flatMap((one, at) => one.clients.map(client => el('option', { value: `${at} ${client.id}` }, `${one.name}, ${client.name}`))));
    state.picked = null;
    await meet($('partner').value);
    state.stream?.stop();
    state.stream = follow(state.world.worldId, changed, () => fill($('live'), 'The stream has ended; trying again.'));
}

async function meet(choice) {
    const [at, client] = (choice || '0 ').split(' ');
    state.partner = state.world.partners?.[Number(at)];
    state.client = client;
    if (state.partner?.clientSecret && !state.partner.clientSecret.includes('...')) await attempt(() => signIn(state.partner));
    await show();
}

// What has changed.

async function changed(now) {
    const before = state.last ?? {};
    state.last = now;
    $('now').value = moment(now.now);
    fill($('live'), `${now.events} events, ${now.requests} requests, ${now.queued} to be delivered`);
    const moved = now.events !== before.events || now.now !== before.now || now.input !== before.input;
    const asked = (bearer.operator || bearer.isOpen) && now.requests !== before.requests && state.view === 'requests';
    const sent = now.queued !== before.queued && state.view === 'deliveries';
    if (moved) await clock();
    if ((moved || asked || sent) && !['levers', 'worlds'].includes(state.view)) await show(true);
}

async function clock() {
    const shown = await attempt(() => get(worldPath('/clock')));
    if (!shown) return;
    $('now').value = moment(shown.now);
    $('mode').value = ['frozen', 'real'].includes(shown.clock) ? shown.clock : 'other';
    $('next').textContent = shown.next ? `Next: ${shown.next.what}, ${moment(shown.next.at)}` : 'Nothing comes next.';
    $('to-next').disabled = !shown.next;
    state.next = shown.next;
}

const advance = body => attempt(() => post(worldPath('/clock/advance'), body), answer => `It is ${moment(answer.now)}; ${answer.happened.length} things came due.`);

// Lists.

const LISTS = {
    async accounts() {
        const rows = await partner(clientPath('/account'));
        return table('Accounts', [['Id', row => short(row.id)], ['Owner', row => row.owner?.fullName ?? row.owner?.name ?? ''], ['Type', row => row.accountType], ['Status', row => mark(row.status)], ['Balance', row => `${money(row.balance)} ${row.currency ?? ''}`]], rows, row => pick('account', row.id), isPicked);
    },
    async orders() {
        const rows = (await partner(clientPath('/order'))).reverse();
        return table('Orders', [['Id', row => short(row.id)], ['Type', row => row.orderType], ['Fund', row => row.instrument], ['Amount', row => money(row.amount)], ['Units', row => row.units ?? ''], ['Status', row => mark(row.status)]], rows, row => pick('order', row.id), isPicked);
    },
    async journeys() {
        const { events } = await get(worldPath('/events?limit=1000'));
        const latest = new Map(events.filter(line => line.event.eventType === 'journey.update').map(line => [line.event.payload.current.id, line.event.payload.current]));
        const { requests } = await get(worldPath('/requests?limit=1000'));
        for (const { answered, method, path } of requests) {
            const made = answered?.json;
            if (method === 'POST' && path.endsWith('/journey') && made?.id && !latest.has(made.id)) latest.set(made.id, made);
        }
        const rows = [...latest.values()].reverse();
        return table('Journeys', [['Id', row => short(row.id)], ['Type', row => row.type], ['Status', row => mark(row.status)], ['At', row => row.context ?? '']], rows, row => pick('journey', row.id), isPicked);
    },
    async events() {
        const { events } = await get(worldPath('/events?limit=200'));
        const about = line => line.event.payload?.current ?? line.event.payload?.previous ?? {};
        return table('Events', [['Number', line => String(line.number)], ['When', line => moment(line.at)], ['Event', line => line.event.eventType], ['About', line => short(about(line).id)], ['Status', line => mark(about(line).status ?? '')]], events.reverse(), line => pick('event', line.event.eventId, line), line => state.picked?.id === line.event.eventId);
    },
    async requests() {
        const { requests } = await get(worldPath('/requests?limit=200'));
        return table('Requests', [['Number', row => String(row.requestId)], ['Method', row => row.method], ['Path', row => row.path.replace(`/v2/partner/client/${state.client}`, '\u2026')], ['Status', row => mark(row.status ?? 'cut off')], ['Took', row => `${row.milliseconds} ms`]], requests, row => pick('request', String(row.requestId), row), row => state.picked?.id === String(row.requestId));
    },
    async deliveries() {
        const { deliveries } = await get(worldPath('/deliveries?limit=200'));
        return table('Deliveries', [['Id', row => short(row.id)], ['Event', row => row.eventType], ['To', row => row.url], ['Attempts', row => String(row.attemptsMade)], ['Status', row => mark(row.status)]], deliveries, row => pick('delivery', row.id, row), isPicked);
    },
    async faults() {
        const rules = await get(worldPath('/faults')), bundles = await get(worldPath('/faults/bundles'));
        const add = name => attempt(() => post(worldPath('/faults/bundles'), { name }), `${name}: rules added.`).then(() => show());
        const remove = id => attempt(() => call('DELETE', worldPath(id ? `/faults/${id}` : '/faults')), 'Removed.').then(() => show());
        return el('div', {},
            el('div.actions', {}, bundles.map(bundle => el('button', { click: () => add(bundle.name), title: bundle.about }, `Add \u201c${bundle.name}\u201d`)), el('button', { click: () => remove(), disabled: !rules.length }, 'Remove all')),
            table('Rules', [['Number', rule => String(rule.id)], ['Hits', rule => JSON.stringify(Object.fromEntries(Object.entries(rule.match).filter(([, value]) => value !== null)))], ['Does', rule => JSON.stringify(rule.verdict)], ['Seen, hit', rule => `${rule.seen}, ${rule.hits}`], ['Remove it', rule => el('button', { click: () => remove(rule.id) }, 'Remove')]], rules),
            form('addFault', 'A rule of your own'));
    },
    async levers() {
        const all = operations(state.api, (tag, method, path) => path.startsWith('/simulations') && method !== 'get');
        return el('div', {}, all.map(([tag, rows]) => [el('h3', {}, tag.replace(/^Levers: /, '')), rows.map(row => lazily(row.operation.summary, () => operationForm(state.api, row.method, row.path, row.operation, known, () => say('Done.'))))]));
    },
    async worlds() {
        await worlds();
        const act = (word, work, question) => el('button', { click: async () => { if (!question || await confirmed(question, word)) { await attempt(work, `${word}: done.`); await worlds(); await show(); } } }, word);
        const one = state.world, path = worldPath();
        const at = el('input', { id: 'rewind-to', placeholder: '2026-03-02T08:00:00+01:00', autocomplete: 'off' });
        return el('div', {},
            table('Worlds', [['Id', world => world.worldId], ['Name', world => world.name], ['Seed', world => String(world.seed ?? '')], ['Now', world => moment(world.now)], ['Events', world => String(world.events)]], state.worlds, world => enter(world.worldId), world => world.worldId === one.worldId),
            el('h3', {}, `World ${one.name}`),
            facts([['Id', one.worldId], ['Seed', one.seed], ['Began', moment(one.start)], ['Inputs', one.input]]),
            el('div.actions', {}, act('Fork', () => post(`${path}/fork`, {})), act('Keep a snapshot', () => post(`${path}/snapshots`, {})),
                act('Reset', () => post(`${path}/reset`, {}), 'All that has happened in this world will be gone.'),
                act('Drop', async () => { await call('DELETE', path); state.world = null; }, 'This world will be gone.'), recordButton()),
            el('div.field', {}, el('label', { htmlFor: 'rewind-to' }, 'An instant of its past'), at),
            el('div.actions', {}, act('Fork there', () => post(`${path}/fork`, { at: at.value })), act('Rewind to it', () => post(`${path}/rewind`, { to: at.value }), 'What has happened since will be gone.')),
            makeForm());
    },
};

function makeForm() {
    return form('makeWorld', 'Make a world');
}

/** A form that is made when it is opened. */
function lazily(summary, made) {
    const details = el('details', {}, el('summary', {}, summary));
    details.addEventListener('toggle', () => { if (details.open && details.childElementCount === 1) details.append(made()); });
    return details;
}

function form(operationId, summary) {
    const found = operations(state.api, () => true).flatMap(([, rows]) => rows).find(row => row.operation.operationId === operationId);
    if (!found) return null;
    return lazily(summary, () => operationForm(state.api, found.method, found.path, found.operation, known, async () => { await worlds(); await show(); }));
}

/** What a path asks for, as far as it is known from what is picked. */
function known(name) {
    if (name === 'worldId') return state.world?.worldId ?? 'current';
    if (name === 'clientId') return state.client;
    return state.picked && name.toLowerCase().startsWith(state.picked.kind) ? state.picked.id : undefined;
}

function recordButton() {
    if (!state.api.paths['/_sandbox/worlds/{worldId}/scenario']) return null;
    return el('button', { click: () => attempt(async () => {
        const text = await get(worldPath('/scenario'));
        const link = el('a', { href: URL.createObjectURL(new Blob([text], { type: 'application/yaml' })), download: `${state.world.name}.yaml` });
        link.click();
        URL.revokeObjectURL(link.href);
    }, 'Recorded as a story.') }, 'Record as a story');
}

const isPicked = row => state.picked?.id === row.id;

async function show(quietly = false) {
    if (!state.world) return;
    for (const button of $('views').children) button.toggleAttribute('aria-current', button.dataset.view === state.view);
    // Whoever has asked for something else meanwhile sees that.
    const turn = state.turn = (state.turn ?? 0) + 1;
    const made = await attempt(() => LISTS[state.view]());
    if (turn !== state.turn) return;
    if (made) fill($('list'), el('h2', {}, VIEWS.find(([name]) => name === state.view)[1]), el('div.scroll', {}, made));
    if (!quietly || ['account', 'order', 'journey'].includes(state.picked?.kind)) await detail();
}

// What is picked.

function pick(kind, id, row) {
    state.picked = { kind, id, row };
    show();
}

const MACHINES = { account: 'account', order: 'order', journey: 'journey', delivery: 'delivery' };
const READS = { account: id => clientPath(`/account/${id}`), order: id => clientPath(`/order/${id}`), journey: id => clientPath(`/journey/${id}`) };

async function detail() {
    const picked = state.picked;
    if (!picked) return fill($('detail'), el('h2', {}, 'Nothing is picked'), el('p.note', {}, 'Pick a row to see its life: its state table, every change with its cause, and its JSON.'));
    const record = READS[picked.kind] ? await attempt(() => partner(READS[picked.kind](picked.id))) : picked.row;
    if (state.picked !== picked || !record) return undefined;
    const why = picked.kind === 'request' ? null : await get(worldPath(`/why/${picked.id}`)).catch(() => null);
    const moves = why?.changes.flatMap(change => change.events).filter(event => event.resource === why.resource).flatMap(event => event.moves) ?? [];
    const kind = why && why.what !== 'event' && why.what !== 'delivery' ? why.what : picked.kind;
    const machine = state.machines.find(one => one.name === (MACHINES[kind] ?? kind));
    const parts = [el('h2', {}, `${picked.kind[0].toUpperCase()}${picked.kind.slice(1)} ${short(picked.id)}`), summary(picked.kind, record)];
    if (machine) parts.push(el('h3', {}, 'Where it stands'), lifecycle(machine, moves.filter(move => move.table === machine.topic), record.status));
    if (picked.kind === 'account') parts.push(await drawing(picked.id));
    if (why) parts.push(el('h3', {}, 'Why'), timeline(why, replay));
    parts.push(el('details', {}, el('summary', {}, 'JSON'), json(record)));
    if (state.picked === picked) fill($('detail'), parts);
    return undefined;
}

function summary(kind, record) {
    const shown = {
        account: () => facts([['Owner', record.owner?.fullName ?? record.owner?.name], ['Type', record.accountType], ['Reference', record.ref], ['Balance', `${money(record.balance)} ${record.currency}`]]),
        order: () => facts([['Type', record.orderType], ['Fund', record.instrument], ['Account', short(record.account)], ['Amount', money(record.amount)], ['Units', record.units], ['Status', mark(record.status)]]),
        journey: () => el('div', {}, facts([['Type', record.type], ['Status', mark(record.status)], ['Expires', moment(record.expiryDate)]]), record.url ? el('p', {}, el('a', { href: record.url, target: '_blank', rel: 'noopener noreferrer' }, 'Open as the customer')) : null),
        delivery: () => el('div', {}, facts([['To', record.url], ['Event', record.eventType], ['Status', mark(record.status)], ['Next attempt', moment(record.nextAttempt)]]),
            el('div.actions', {}, el('button', { click: () => replay(record.id) }, 'Send again')),
            table('Attempts', [['When', one => one.at], ['Answer', one => String(one.status ?? one.error ?? one.fault ?? '')], ['Took', one => `${one.tookMs} ms`]], record.attempts)),
        event: () => facts([['Event', record.event.eventType], ['When', moment(record.at)], ['Number', record.number]]),
        request: () => facts([['Method', record.method], ['Path', record.path], ['Status', record.status], ['Took', `${record.milliseconds} ms`]]),
    };
    return shown[kind]?.() ?? null;
}

async function drawing(id) {
    const image = await get(worldPath(`/accounts/${id}/picture.svg`)).catch(() => null);
    if (!(image instanceof Blob)) return null;
    const shown = el('img', { alt: 'The life of the account over time', src: URL.createObjectURL(image) });
    shown.addEventListener('load', () => URL.revokeObjectURL(shown.src));
    return el('div', {}, el('h3', {}, 'Over time'), el('div.picture', {}, shown));
}

const replay = id => attempt(() => call('POST', worldPath(`/deliveries/${id}/replay`)), 'Queued again.').then(() => show());

// The frame.

$('views').append(...VIEWS.map(([name, label], at) => el('button', { 'data-view': name, title: `Key ${at + 1}`, click: () => { state.view = name; show(); } }, label)));
$('world').addEventListener('change', event => attempt(() => enter(event.target.value)));
$('partner').addEventListener('change', event => { state.picked = null; meet(event.target.value); });
$('mode').addEventListener('change', event => attempt(() => call('PATCH', worldPath('/clock'), { body: { clock: event.target.value } }), 'The clock is changed.'));
$('to-next').addEventListener('click', () => state.next && advance({ to: state.next.at }));
$('sign-out').addEventListener('click', () => { forget(); location.reload(); });
for (const button of document.querySelectorAll('button[data-by]')) button.addEventListener('click', () => advance({ by: button.dataset.by }));
document.addEventListener('keydown', event => {
    if (event.target.matches('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const view = VIEWS[Number(event.key) - 1];
    if (view) { state.view = view[0]; show(); }
    if (['ArrowDown', 'ArrowUp'].includes(event.key) && event.target.matches('button.row')) {
        event.preventDefault();
        const rows = [...document.querySelectorAll('#list button.row')], at = rows.indexOf(event.target);
        rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    }
});
attempt(start);
