// Forms for operations, from the server's own description of them.
//
// Invariant: a form that somebody works with is never replaced from outside; what is wrong is shown beside its field, what the server
// refuses under the form, and the outcome in a message. Absent on purpose: what single operations mean.

import { call, get, partner } from './api.js';
import { el, fill } from './dom.js';
import { Mistake, field, resolved } from './fields.js';
import { failure, say } from './notices.js';
import { block, idLink, mark } from './parts.js';
import { instruments, lists, ofClient, path, state } from './store.js';
import { capital, short, words } from './text.js';

/** Every operation: { method, path, tag, operation }. */
export function operations() {
    return Object.entries(state.api.paths).flatMap(([where, item]) => Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path: where, tag: operation.tags?.[0] ?? '', operation })));
}

export const operationOf = id => operations().find(row => row.operation.operationId === id);

const SOURCES = {
    account: async () => (await lists.accounts.read()).slice(0, 500).map(row => [row.id, `${row.owner?.fullName ?? row.owner?.name ?? row.name ?? ''}, ${row.accountType}, ${row.status}`]),
    order: async () => (await lists.orders.read()).slice(0, 500).map(row => [row.id, `${row.orderType} ${row.instrument}, ${row.status}`]),
    journey: async () => (await get(path(`/journeys?client=${state.client}&limit=200`))).journeys.map(row => [row.id, `${words(row.type)}, ${row.status}`]),
    instrument: async () => (await instruments()).map(row => [row.id, row.name]),
    client: async () => (state.world.partners ?? []).flatMap(one => one.clients.map(client => [client.id, client.name])),
    transaction: async () => (await partner(ofClient('/transaction/cash?limit=200'))).map(row => [row.id, `${words(row.transactionType)} ${row.amount}`]),
    bankAccount: async () => (await lists.accounts.read()).flatMap(row => (row.bankAccounts ?? []).map(one => [one.id, one.iban ?? one.accountNumber ?? short(one.id)])),
    world: async () => state.worlds.map(world => [world.worldId, world.name]),
};

/** Where what a field asks for can be picked from. */
function sourceOf(name) {
    const plain = words(name).replace(/ id$/, '');
    const kind = { 'bank account': 'bankAccount', other: 'world', fund: 'instrument', into: 'instrument' }[plain] ?? plain.split(' ').at(-1);
    return SOURCES[kind] ?? null;
}

const context = preset => ({
    api: state.api,
    preset: name => preset[name] ?? (name === 'clientId' || name === 'client' ? state.client : undefined),
    choices: name => sourceOf(name),
});

/** A form that sends an operation. `preset` fills fields in (those of the path that are known are not asked for), `done` is called with the answer. */
export function operationForm(id, { preset = {}, done = () => null, word, hides = [], reshape = schema => schema } = {}) {
    const row = operationOf(id);
    if (!row) return null;
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(found => found[1]).filter(name => name !== 'worldId' && !hides.includes(name));
    const inPath = names.map(name => [name, field(context(preset), name, { type: 'string' }, true)]);
    const schema = row.operation.requestBody?.content?.['application/json']?.schema;
    const body = schema ? field(context(preset), null, reshape(resolved(state.api, schema)), true) : null;
    const outcome = el('div.wrapped', { 'aria-live': 'polite' });
    const submit = async event => {
        event.preventDefault();
        const button = event.submitter ?? form.querySelector('button.main');
        button.disabled = true;
        try {
            let all = true;
            const read = one => { try { return one?.read(); } catch (error) { if (!(error instanceof Mistake)) throw error; all = false; return undefined; } };
            const known = Object.fromEntries(inPath.map(([name, one]) => [name, read(one)]));
            const sent = read(body);
            if (!all) { fill(outcome); form.querySelector('[aria-invalid]')?.focus(); return; }
            const where = row.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(name === 'worldId' ? state.world?.worldId ?? 'current' : known[name] ?? preset[name] ?? ''));
            const answer = await call(row.method, where, { as: row.path.startsWith('/_sandbox') ? 'operator' : 'partner', body: sent, exact: true });
            const name = row.operation.summary ?? id;
            fill(outcome, el('p.good', {}, el('span.sign', { 'aria-hidden': 'true' }, '\u2713 '), 'Done.'), answer && typeof answer === 'object' ? block('The answer', answer, { open: false }) : null);
            await done(answer, name, /^\/simulations\/(account|order|journey)\b/.exec(row.path)?.[1]);
        } catch (error) {
            fill(outcome, el('p.bad', { role: 'alert' }, failure(error)));
        } finally {
            button.disabled = false;
        }
    };
    const form = el('form.operation', { submit, novalidate: true, 'data-keep': true, 'data-key': `form ${id} ${Object.values(preset).join(' ')}`, 'data-operation': id, 'aria-label': row.operation.summary },
        row.operation.description ? el('p.note', {}, row.operation.description) : null,
        inPath.map(([, one]) => one.node), body?.node, el('div.actions', {}, el('button.main', { type: 'submit' }, word ?? capital(row.operation.summary ?? 'Send'))), outcome);
    return form;
}

/** Says what was done, with a way to what it is about. */
export const sayDone = (answer, name, kind) => say([el('strong', {}, `${name}: done. `), answer?.id ? [idLink(kind ?? 'why', String(answer.id)), answer.status ? [' is ', mark(answer.status)] : null] : null]);
