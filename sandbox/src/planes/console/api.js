// The server, as the console asks it: two bearers, one stream of changes.

const KEPT = 'fundsim-console';

/** Who asks. The operator's token may be missing: then the machinery is open, or the partner's token has to do. */
export const bearer = { operator: null, partner: null, credentials: null };

/** What a person has signed in with, for as long as this tab lives. */
export function remembered() {
    try { return JSON.parse(sessionStorage.getItem(KEPT)) ?? {}; } catch { return {}; }
}

export function remember(given) {
    sessionStorage.setItem(KEPT, JSON.stringify(given));
}

export function forget() {
    sessionStorage.removeItem(KEPT);
}

/** An answer that is no 2xx. */
export class Refused extends Error {
    constructor(method, path, status, body) {
        const told = body && typeof body === 'object' ? [body.error, body.error_description].filter(Boolean).join(': ') : String(body ?? '');
        super(`${method} ${path} was answered with ${status}${told ? ` ${told}` : ''}`);
        this.status = status;
        this.body = body;
    }
}

function headers(as, body) {
    const shown = as === 'partner' ? bearer.partner : (bearer.operator ?? (bearer.isOpen ? null : bearer.partner));
    return { ...(shown ? { authorization: `Bearer ${shown}` } : {}), ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
}

async function send(method, path, { as = 'operator', body, form } = {}) {
    const answer = await fetch(path.replace(/^\//, ''), {
        method,
        headers: form ? { 'content-type': 'application/x-www-form-urlencoded' } : headers(as, body),
        body: form ? new URLSearchParams(form) : body === undefined ? undefined : JSON.stringify(body),
    });
    const type = answer.headers.get('content-type') ?? '';
    const told = type.includes('json') ? await answer.json() : type.startsWith('image/') ? await answer.blob() : await answer.text();
    if (!answer.ok) throw new Refused(method, path, answer.status, told);
    return told;
}

/** A request. A partner's token that is no longer good is renewed, once. */
export async function call(method, path, options = {}) {
    try {
        return await send(method, path, options);
    } catch (refused) {
        const renews = refused.status === 401 && bearer.credentials && !options.form;
        if (!renews) throw refused;
        await signIn(bearer.credentials);
        return send(method, path, options);
    }
}

export const get = (path, options) => call('GET', path, options);
export const post = (path, body = {}, options = {}) => call('POST', path, { ...options, body });

/** A partner's token for its credentials. */
export async function signIn(credentials) {
    bearer.credentials = credentials;
    const form = { grant_type: 'client_credentials', client_id: credentials.clientId, client_secret: credentials.clientSecret };
    bearer.partner = (await send('POST', '/v2/partner/auth/token', { form })).access_token;
}

/** Calls `told` with every change of a world until the answer's `stop` is called; begins anew when the connection ends. */
export function follow(world, told, lost) {
    const control = new AbortController();
    const read = async () => {
        const answer = await fetch(`_sandbox/worlds/${world}/stream`, { headers: headers('operator'), signal: control.signal });
        if (!answer.ok) throw new Refused('GET', `/_sandbox/worlds/${world}/stream`, answer.status, await answer.text());
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let rest = ''; ;) {
            const { value, done } = await reader.read();
            if (done) return;
            const lines = (rest + value).split('\n');
            rest = lines.pop();
            for (const line of lines) if (line.startsWith('data: ')) told(JSON.parse(line.slice(6)));
        }
    };
    (async () => {
        while (!control.signal.aborted) {
            try { await read(); } catch (error) { if (!control.signal.aborted) lost(error); }
            await new Promise(done => setTimeout(done, 1000));
        }
    })();
    return { stop: () => control.abort() };
}
