// What the console knows of the world that it shows: who asks, the world, its client, its events so far, and lists of resources.
//
// Invariant: what changes is learnt from events, read from where the last read ended; a list is read whole once and after that only what
// events name. When a world goes back, is replaced or made anew, all of it is forgotten. Absent on purpose: elements.

import { bearer, get, meet, partner } from './api.js';

export const state = {
    api: null, machines: [], worlds: [], world: null, client: null, owner: null,
    /** The last message of the stream. */
    pulse: null,
    clock: null,
    isLive: false,
    instruments: null,
};

export const path = (rest = '') => `/_sandbox/worlds/${state.world.worldId}${rest}`;
export const ofClient = (rest = '') => `/v2/partner/client/${state.client}${rest}`;

/** Whether the person who has signed in sees all worlds. */
export const operates = () => Boolean(bearer.operator || bearer.isOpen);

/** The partners that may be looked at: a partner that has signed in sees its own clients only. */
export const partners = world => (world?.partners ?? []).filter(one => !bearer.own || one.clientId === bearer.own.clientId);

const identity = world => [world.worldId, world.seed, world.start, ...partners(world).map(one => one.clientId)].join(' ');

/** Reads which worlds there are; says whether the one that is shown is still the same. */
export async function readWorlds() {
    const known = await get(operates() ? '/_sandbox/worlds' : '/_sandbox/worlds/current');
    state.worlds = Array.isArray(known) ? known : [known];
    const still = state.worlds.find(world => world.worldId === state.world?.worldId);
    if (!still || identity(still) !== identity(state.world)) return false;
    Object.assign(state.world, still, { partners: state.world.partners });
    return true;
}

/** From now on this world is shown. */
export async function enterWorld(id) {
    state.world = await get(`/_sandbox/worlds/${operates() ? id : 'current'}`);
    Object.assign(state, { client: null, pulse: null, clock: null });
    forgetAll();
}

/** From now on this client's resources are shown; the first one's when it is unknown. */
export function chooseClient(id) {
    const all = partners(state.world).flatMap(owner => owner.clients.map(client => ({ owner, client })));
    const found = all.find(({ client }) => client.id === id) ?? all[0];
    if (!found || found.client.id === state.client) return;
    [state.client, state.owner] = [found.client.id, found.owner];
    meet(bearer.own ?? found.owner);
    forgetAll();
}

// Events.

const MOST_BEHIND = 3000, PAGE = 1000;
export const feed = { events: [], first: 0, end: null, total: 0, forgotten: 0 };
let touched = new Set();
let all = true;

export function forgetAll() {
    Object.assign(feed, { events: [], first: 0, end: null, total: 0, forgotten: 0 });
    for (const list of Object.values(lists)) list.forget();
    state.instruments = null;
    [touched, all] = [new Set(), true];
}

const about = line => line.event.payload?.current ?? line.event.payload?.previous ?? {};

/** Reads the events since the last time; answers which ids they touch, and whether so much happened that everything has to be read. */
export async function readEvents() {
    const behind = (state.pulse?.events ?? 0) - (feed.end ?? 0);
    if (feed.end === null || behind > MOST_BEHIND) {
        for (const list of Object.values(lists)) list.forget();
        const answer = await get(path('/events?limit=200'));
        Object.assign(feed, { events: answer.events, first: answer.events[0]?.number ?? answer.total, end: answer.total, total: answer.total, forgotten: answer.first });
        all = true;
    } else {
        for (let more = behind > 0; more;) {
            const answer = await get(path(`/events?start=${feed.end}&limit=${PAGE}`));
            feed.events.push(...answer.events);
            answer.events.forEach(touch);
            [feed.total, feed.forgotten] = [answer.total, answer.first];
            const before = feed.end;
            feed.end = Math.min(answer.total, Math.max(answer.first, before) + PAGE);
            more = feed.end < answer.total && feed.end > before;
        }
    }
    const news = { all, touched };
    [touched, all] = [new Set(), false];
    return news;
}

function touch(line) {
    const current = about(line), kind = line.event.eventType.split('.')[0];
    for (const id of [current.id, current.account, current.debitAccount, current.creditAccount]) if (id) touched.add(id);
    for (const list of Object.values(lists)) list.hear(kind, line.client, current, line.event.payload);
}

/** Older events than those that are known. */
export async function readOlderEvents() {
    const start = Math.max(feed.forgotten, feed.first - PAGE);
    if (start >= feed.first) return;
    const answer = await get(path(`/events?start=${start}&limit=${feed.first - start}`));
    feed.events = [...answer.events.filter(line => line.number < feed.first), ...feed.events];
    feed.first = start;
}

// Lists of resources of the client.

const CHUNK = 500, MOST = 10000, ONE_BY_ONE = 25;

/** A list that the partner API pages through, oldest first, kept true by events. */
class Kept {
    constructor(kind, where) {
        Object.assign(this, { kind, where });
        this.forget();
    }

    forget() { Object.assign(this, { rows: new Map(), isRead: false, hasMore: false, last: null, stale: new Set() }); }

    hear(kind, client, current) {
        if (!this.isRead || client !== state.client) return;
        if (kind === this.kind) this.stale.add(current.id);
        for (const id of [current.account, current.debitAccount, current.creditAccount]) if (this.rows.has(id)) this.stale.add(id);
    }

    async read() {
        if (this.stale.size > ONE_BY_ONE) this.forget();
        if (!this.isRead) await this.more(MOST);
        const stale = [...this.stale];
        this.stale = new Set();
        await Promise.all(stale.map(async id => {
            const row = await partner(ofClient(`${this.where}/${id}`)).catch(refused => { if (refused.status < 500) return null; throw refused; });
            if (row) this.rows.set(id, row); else this.rows.delete(id);
        }));
        return [...this.rows.values()].reverse();
    }

    /** Reads on from where the last page ended. */
    async more(most) {
        const client = state.client;
        for (let read = 0; read < most;) {
            const page = await partner(ofClient(`${this.where}?limit=${CHUNK}${this.last ? `&start=${this.last}` : ''}`));
            if (client !== state.client) return;
            for (const row of page) this.rows.set(row.id, row);
            read += page.length;
            this.last = page.at(-1)?.sortedId ?? this.last;
            this.hasMore = page.length === CHUNK;
            if (!this.hasMore) break;
        }
        this.isRead = true;
    }
}

export const lists = { accounts: new Kept('account', '/account'), orders: new Kept('order', '/order') };

/** The funds of the client, for names and choices. */
export async function instruments() {
    state.instruments ??= partner(ofClient('/instrument')).catch(() => []);
    return state.instruments;
}
