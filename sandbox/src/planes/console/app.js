// The console: brings the address, the world's news and the views together.
//
// Invariant: one refresh is under way at a time, and what comes meanwhile makes one more; what was asked for a place that has been
// left is not drawn. A place that cannot be read says so instead of showing another's rows. Absent on purpose: what views show.

import { Unreachable, bearer, follow, forget, get, meet, remembered, token, watchChanges } from './api.js';
import { el, fill } from './dom.js';
import { faults, levers, webhooks } from './faults.js';
import { drawFrame, help, signInPage } from './frame.js';
import { LISTS } from './lists.js';
import { MESSAGES } from './messages.js';
import { failure, say } from './notices.js';
import { picture, pictures } from './pictures.js';
import { RECORDS } from './records.js';
import { VIEWS, addressOf, go, here } from './route.js';
import { openSearch } from './search.js';
import { chooseClient, enterWorld, feed, forgetAll, path, readEvents, readWorlds, state } from './store.js';
import { limitOf, resetLimits, stepRows } from './table.js';
import { noWorld, worlds } from './worlds.js';

const $ = id => document.getElementById(id);
const SHOWN = { ...LISTS, faults, levers, webhooks, worlds, pictures, why: null };
const PICKED = { ...RECORDS, ...MESSAGES, pictures: picture };
const PAUSE = 150, LOOK = 4000;

let stream = null;
const drawn = { world: null, list: null, listNews: null, detail: null, detailNews: null, clock: null };

// One refresh at a time.

let isUnderWay = false, again = false, timer = null;

function refresh(now = false) {
    if (isUnderWay) { again = true; return; }
    if (timer && !now) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
        timer = null;
        isUnderWay = true;
        await step().catch(trouble);
        isUnderWay = false;
        if (again) { again = false; refresh(); }
    }, now ? 0 : PAUSE);
}

function trouble(error) {
    if (error.status === 401) return start(error);
    if (error instanceof Unreachable) { state.isLive = false; drawFrame(); return undefined; }
    if (error.status === 404) return gone(error);
    fill($('list'), problem(error));
    return undefined;
}

/** Something is not there: perhaps the whole world is not. */
async function gone(error) {
    const isSame = await readWorlds().catch(() => true);
    if (isSame) { fill($('list'), problem(error)); return; }
    drawn.world = null;
    refresh();
}

const problem = error => el('div.problem', { role: 'alert', 'data-key': 'problem' }, failure(error), el('div.actions', {}, el('button', { type: 'button', click: () => { drawn.list = drawn.detail = null; refresh(true); } }, 'Try again')));

/** Brings the page to where the address is and to the present of the world. */
async function step() {
    const route = here();
    await stand(route);
    if (!state.world) { drawFrame(); fill($('list'), noWorld()); fill($('detail')); return; }
    const pulse = state.pulse;
    if (pulse) await readEvents();
    const clock = `${state.world.worldId} ${pulse?.now} ${pulse?.input} ${pulse?.clock}`;
    if (drawn.clock !== clock) { state.clock = await get(path('/clock')); drawn.clock = clock; }
    drawFrame();
    await Promise.all([list(route), detail(route)]);
}

/** Enters the world and the client of an address; the first ones where it names none, or none that is there. */
async function stand(route) {
    if (!state.worlds.length) await readWorlds();
    const wanted = state.worlds.find(one => one.worldId === route.world) ?? state.worlds.find(one => one.worldId === state.world?.worldId) ?? state.worlds[0];
    if (!wanted) { state.world = null; stream?.stop(); drawn.world = null; return; }
    if (drawn.world !== wanted.worldId || !state.world) {
        if (route.world && route.world !== wanted.worldId) say(`There is no world ${route.world} any more; this is ${wanted.name}.`, { kind: 'bad' });
        await enterWorld(wanted.worldId);
        Object.assign(drawn, { world: wanted.worldId, list: null, detail: null, clock: null });
        resetLimits();
        stream?.stop();
        stream = follow(wanted.worldId, takePulse, () => { state.isLive = false; drawFrame(); look(true); });
    }
    if (route.world !== wanted.worldId) history.replaceState(null, '', addressOf({ ...route, world: wanted.worldId }));
    chooseClient(here().client);
}

const queued = () => state.pulse?.queued ?? 0;
let looks = 0;

/** What a view has to be drawn anew for. */
function newsOf(view, id) {
    const { events, input, clock, requests, now } = state.pulse ?? {};
    // The pulse may be newer than the events that have been read: a list of events is drawn again once they are.
    const all = [events, input, clock, acted, view === 'events' ? feed.end : ''];
    if (['requests', 'faults'].includes(view)) all.push(requests);
    if (['deliveries', 'webhooks'].includes(view) || id) all.push(queued(), queued() ? looks : 0);
    if (view === 'pictures') all.push(here().q, requests, now);
    if (view === 'worlds') all.push(now, JSON.stringify(state.worlds.map(world => [world.worldId, world.events, world.now])));
    return all.join(' ');
}

const isStill = route => { const now = here(); return now.world === route.world && now.view === route.view && now.id === route.id && (now.client ?? null) === (route.client ?? null); };

async function list(first) {
    const route = here(), view = SHOWN[route.view] ? route.view : null;
    const place = [state.world.worldId, state.client, view, route.q, route.status, route.id, limitOf(view)].join(' '), news = newsOf(view);
    if (drawn.list === place && drawn.listNews === news) return;
    $('list').hidden = !view;
    try {
        const made = view ? await SHOWN[view]() : [];
        if (!isStill({ ...route, world: here().world ?? first.world })) return;
        fill($('list'), made);
        [drawn.list, drawn.listNews] = [place, news];
    } catch (error) {
        drawn.list = null;
        if ([401, 404].includes(error.status) || error instanceof Unreachable) throw error;
        fill($('list'), problem(error));
    }
}

async function detail() {
    const route = here(), shows = PICKED[route.view] && route.id ? PICKED[route.view] : null;
    document.body.classList.toggle('has-picked', Boolean(shows));
    if (!shows) { fill($('detail')); $('detail').hidden = true; drawn.detail = null; return; }
    const place = [state.world.worldId, state.client, route.view, route.id].join(' '), news = newsOf(route.view, route.id);
    if (drawn.detail === place && drawn.detailNews === news) return;
    const isNew = drawn.detail !== place;
    $('detail').hidden = false;
    const bar = el('div.bar', { 'data-key': 'bar' }, el('button.plain.back', { type: 'button', 'data-key': 'back', click: close }, '\u2190 Back'), el('button.plain.shut', { type: 'button', 'data-key': 'shut', 'aria-label': 'Close what is picked', click: close }, '\u00d7'));
    if (isNew) { fill($('detail'), bar, el('p.note', {}, 'Reading\u2026')); $('detail').scrollTop = 0; if (isNarrow()) { scrollTo(0, 0); $('detail').querySelector('.back').focus(); } }
    try {
        const made = await shows(route.id);
        if (!isStill(route)) return;
        fill($('detail'), bar, el('div.body', { 'data-key': place }, made));
        if (isNew) showPresent();
        [drawn.detail, drawn.detailNews] = [place, news];
    } catch (error) {
        if (error.status === 401 || error instanceof Unreachable) throw error;
        if (isStill(route)) fill($('detail'), bar, el('div.problem', { 'data-key': `problem ${place}` }, failure(error)));
        [drawn.detail, drawn.detailNews] = [place, news];
    }
}

const isNarrow = () => matchMedia('(max-width: 60rem)').matches;

/** Where a picture is wider than its place, the present state is in sight. */
function showPresent() {
    const present = $('detail').querySelector('.picture .now'), frame = present?.closest('.picture');
    if (frame) frame.scrollLeft = present.getBBox().x + present.getBBox().width + 12 - frame.clientWidth;
}

function close() {
    const { id } = here();
    go({ id: null, view: here().view === 'why' ? 'events' : here().view });
    requestAnimationFrame(() => $('list').querySelector(`tr[data-key="${CSS.escape(id ?? '')}"] a.row`)?.focus());
}

// News.

let acted = 0;
watchChanges(() => { acted += 1; refresh(); });

function takePulse(pulse) {
    const before = state.pulse;
    state.pulse = pulse;
    if (!state.isLive) { state.isLive = true; look(true); }
    if (before && (pulse.input < before.input || pulse.events < before.events || pulse.requests < before.requests)) forgetAll();
    refresh();
}

/** Looks which worlds there are, and whether this one is still what it was. */
let lastLook = 0;
async function look(isUrgent = false) {
    if (document.hidden || document.body.classList.contains('signing-in')) return;
    if (!isUrgent && Date.now() - lastLook < 0.9 * LOOK * Math.max(1, state.worlds.length / 100)) return;
    lastLook = Date.now();
    try {
        const isSame = await readWorlds();
        looks += 1;
        if (!isSame && state.world) drawn.world = null;
        refresh();
    } catch (error) {
        if (error.status === 401) start(error);
        else { state.isLive = false; drawFrame(); }
    }
}

// Keys.

document.addEventListener('keydown', event => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !event.altKey && !document.body.classList.contains('signing-in')) { event.preventDefault(); openSearch(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog')) return;
    if (event.target.matches('input, textarea, select')) { if (event.key === 'Escape') event.target.blur(); return; }
    const at = event.key === '0' ? 9 : Number(event.key) - 1;
    if (/^\d$/.test(event.key) && VIEWS[at] && state.world) go({ view: VIEWS[at][0], id: null });
    else if (event.key === '?') help();
    else if (event.key === 'Escape' && here().id) close();
    else if (event.key === '/') { event.preventDefault(); document.querySelector('.search')?.focus(); }
    else if (['j', 'k', 'ArrowDown', 'ArrowUp'].includes(event.key) && !event.target.closest('#detail, summary')) {
        event.preventDefault();
        stepRows(['j', 'ArrowDown'].includes(event.key) ? 1 : -1);
    }
});
addEventListener('hashchange', () => refresh(true));
document.addEventListener('visibilitychange', () => look(true));
setInterval(() => look(), LOOK);

// The beginning.

async function start(refusal = null) {
    stream?.stop();
    Object.assign(state, { world: null, worlds: [] });
    drawn.world = null;
    const given = remembered();
    Object.assign(bearer, { operator: given.operator ?? null, own: given.clientId ? given : null, isOpen: !given.operator && !given.clientId, partner: null });
    if (refusal) { forget(); Object.assign(bearer, { operator: null, own: null }); signInPage(refusal, () => start()); return; }
    try {
        if (bearer.own) { meet(bearer.own); await token(bearer.partner, true); }
        state.machines = await (await fetch('console/machines.json')).json();
        state.api ??= await (await fetch('openapi.json')).json();
        await readWorlds();
        document.body.classList.remove('signing-in');
        fill($('list'), el('p.note', {}, 'Reading\u2026'));
        refresh(true);
    } catch (error) {
        const isAsked = given.operator || given.clientId;
        if (error.status === 401 || (error.status === 400 && isAsked) || error.status === 403) { forget(); signInPage(isAsked ? error : null, () => start()); return; }
        fill($('list'), problem(error));
        setTimeout(() => start(), 3000);
    }
}

start();
