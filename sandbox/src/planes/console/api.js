// The server, as the console asks it: two bearers, reads that leave no trace, one stream of changes.
//
// Invariant: every read says that it only looks on (rule: wire/observers), so the console is no part of what it shows. What was signed
// in with is kept in this tab and nowhere else. Absent on purpose: what is asked, and when.

import { readJson, writeJson } from './text.js';

const KEPT = 'fundsim-console', TOKENS = 'fundsim-console-tokens';

/** Who asks. `isOpen`: the machinery answers everybody without a token. `own`: the credentials of the partner that has signed in. */
export const bearer = { operator: null, isOpen: false, own: null, partner: null };

const read = key => { try { return JSON.parse(sessionStorage.getItem(key)) ?? {}; } catch { return {}; } };

/** What a person has signed in with, for as long as this tab lives. */
export const remembered = () => read(KEPT);
export const remember = given => sessionStorage.setItem(KEPT, JSON.stringify(given));

export function forget() {
    sessionStorage.removeItem(KEPT);
    sessionStorage.removeItem(TOKENS);
}

/** An answer that is no 2xx: what it means first, where it came from after that. */
export class Refused extends Error {
    constructor(method, path, status, body) {
        const why = body && typeof body === 'object' ? body.error_description || body.error : String(body ?? '').slice(0, 200);
        super(why || MEANINGS[status] || 'The server refused.');
        this.where = `${status}${body?.error ? ` ${body.error}` : ''}, ${method} ${path.split('?')[0]}`;
        this.status = status;
    }
}

const MEANINGS = { 401: 'Not signed in, or not any more.', 403: 'Your credentials do not allow this.', 404: 'It does not exist.', 503: 'The server is busy, or the world has failed.' };

/** No answer at all. */
export class Unreachable extends Error {
    constructor() {
        super('The server does not answer.');
        this.where = 'It may have been stopped. The console continues when it responds again.';
    }
}

async function ask(path, options) {
    try {
        return await fetch(path.replace(/^\//, ''), options);
    } catch (error) {
        throw error.name === 'AbortError' ? error : new Unreachable();
    }
}

function headersOf(method, as, body) {
    const shown = as === 'partner' ? bearer.partner?.token : bearer.operator ?? (bearer.isOpen ? null : bearer.partner?.token);
    return {
        ...(shown ? { authorization: `Bearer ${shown}` } : {}),
        ...(method === 'GET' ? { 'fundsim-observer': 'true' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
}

async function send(method, path, { as = 'operator', body, raw, exact } = {}) {
    const sent = body === undefined ? undefined : raw ? body : writeJson(body);
    const answer = await ask(path, { method, headers: headersOf(method, as, body), body: sent });
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('image/') && answer.ok) return answer.blob();
    const text = await answer.text();
    const answered = type.startsWith('application/json') && !raw ? readJson(text, exact) : text;
    if (!answer.ok) throw new Refused(method, path, answer.status, type.includes('json') && raw ? readJson(text) : answered);
    if (method !== 'GET') changed();
    return answered;
}

let changed = () => null;

/** Calls `listener` after each request that may have changed something. */
export const watchChanges = listener => { changed = listener; };

/** A request. A partner's token that is no longer good is renewed, once. */
export async function call(method, path, options = {}) {
    const shows = options.as === 'partner' || (!bearer.operator && !bearer.isOpen);
    if (shows && bearer.partner && !bearer.partner.token) await token(bearer.partner);
    try {
        return await send(method, path, options);
    } catch (refused) {
        if (refused.status !== 401 || !shows || !bearer.partner?.clientSecret) throw refused;
        await token(bearer.partner, true);
        return send(method, path, options);
    }
}

export const get = (path, options) => call('GET', path, options);
export const post = (path, body, options = {}) => call('POST', path, { ...options, body });
export const partner = (path, options) => get(path, { as: 'partner', ...options });

/** From now on partner's requests are this one's: { clientId, clientSecret }. */
export function meet(credentials) {
    const kept = read(TOKENS)[credentials.clientId];
    bearer.partner = { ...credentials, token: kept?.secret === credentials.clientSecret ? kept.token : null };
}

/** A token for credentials; those who want one at the same time share it. */
export function token(of, anew = false) {
    if (anew) of.token = null;
    of.asked ??= (async () => {
        const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: of.clientId, client_secret: of.clientSecret });
        const answer = await ask('/v2/partner/auth/token', { method: 'POST', body: form });
        const issued = await answer.json().catch(() => ({}));
        if (!answer.ok) throw new Refused('POST', '/v2/partner/auth/token', answer.status, issued);
        of.token = issued.access_token;
        sessionStorage.setItem(TOKENS, JSON.stringify({ ...read(TOKENS), [of.clientId]: { secret: of.clientSecret, token: of.token } }));
    })().finally(() => { of.asked = null; });
    return of.asked;
}

/** Calls `onChange` with every change of a world until the answer's `stop` is called, and `lost` when the stream ends; begins anew then. */
export function follow(world, onChange, lost) {
    const control = new AbortController();
    const once = async () => {
        const path = `_sandbox/worlds/${world}/stream`;
        const answer = await fetch(path, { headers: headersOf('GET', 'operator'), signal: control.signal });
        if (!answer.ok) throw new Refused('GET', `/${path}`, answer.status, '');
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let rest = ''; ;) {
            const { value, done } = await reader.read();
            if (done) return;
            const lines = (rest + value).split('\n');
            rest = lines.pop();
            for (const line of lines) if (line.startsWith('data: ')) onChange(JSON.parse(line.slice(6)));
        }
    };
    (async () => {
        while (!control.signal.aborted) {
            await once().catch(() => null);
            if (control.signal.aborted) return;
            lost();
            await new Promise(done => { setTimeout(done, 1000); });
        }
    })();
    return { stop: () => control.abort() };
}
