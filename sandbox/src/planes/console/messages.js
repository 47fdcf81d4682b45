// What is picked among messages: an event, a request with its bodies, a delivery with its attempts, a webhook.
//
// Invariant: each is looked up by its id, so that an address leads to it; a delivery is read anew for as long as it is on its way.
// Absent on purpose: resources (`records.js`).

import { call, get, post } from './api.js';
import { el, facts, lazily } from './dom.js';
import { lifecycle } from './draw.js';
import { operationForm, sayDone } from './forms.js';
import { deliveriesSeen, shortPath } from './lists.js';
import { act, confirmed, copyButton, say } from './notices.js';
import { at, block, grid, idLink, mark, nothing, part, wholeId } from './parts.js';
import { go } from './route.js';
import { feed, path, state } from './store.js';
import { capital, number, short, span, words, writeJson } from './text.js';
import { foldedDeliveries, timeline } from './timeline.js';
import { travel } from './travel.js';

class Missing extends Error {
    constructor(what) { super(`${what} is not kept, or belongs to somebody else.`); this.where = 'Older ones make room for newer ones.'; }
}

const currentOf = line => line.event.payload?.current ?? line.event.payload?.previous ?? {};

async function event(id) {
    const found = await get(path(`/why/${id}?limit=200`)).catch(() => null);
    const explained = (found?.changes ?? []).flatMap(change => change.events).find(one => one.eventId === id);
    let line = feed.events.find(one => one.event.eventId === id);
    if (!line && explained) [line] = (await get(path(`/events?start=${explained.number}&limit=1`))).events;
    if (!line) throw new Missing('This event');
    const kind = line.event.eventType.split('.')[0], current = currentOf(line), before = line.event.payload?.previous;
    const changed = before && line.event.payload.current ? Object.keys({ ...before, ...current }).filter(key => JSON.stringify(before[key]) !== JSON.stringify(current[key])) : [];
    const plain = value => (value === undefined ? '' : typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));
    return [
        el('div.head', { 'data-key': 'head' }, el('h2', {}, line.event.eventType, ' ', mark(current.status)), wholeId(id)),
        facts([['Number', `#${line.number}`], ['When', at(line.at)], [capital(words(kind)), idLink(kind, current.id)], ['Account', idLink('account', current.account)]]),
        changed.length ? part('What changed', grid('Fields that changed', [['Field', key => key, 'mono'], ['Before', key => plain(before[key])], ['After', key => plain(current[key])]], changed, key => key)) : null,
        explained?.deliveries.length ? part('To whom it was sent', foldedDeliveries(explained.deliveries, id)) : null,
        found ? part('What happened, and why', timeline(found, travel)) : null,
        part('As sockets receive it', block('Event', line.event, { open: !found })),
    ];
}

const bodyOf = body => (body ? { value: body.json ?? body.text, note: `${number(body.length)} bytes${body.isWhole === false ? ', its beginning' : ''}` } : null);

/** Whether all that was sent is kept, so that it can be sent once more: secrets are kept as `***`, and long bodies are cut. */
const canRepeat = row => /^\/(v2|simulations|_sandbox)\//.test(row.path) && !(row.sent && row.sent.json === undefined) && !`${row.path} ${writeJson(row.sent?.json)}`.includes('***');

const repeat = row => call(row.method, row.path, { as: row.path.startsWith('/_sandbox') ? 'operator' : 'partner', body: row.sent?.json, exact: true });

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a command line; the token is named, not shown. */
function curlOf(row) {
    const sent = row.sent ? row.sent.json === undefined ? row.sent.text : writeJson(row.sent.json) : null;
    const lines = [`curl -X ${row.method} ${quoted(new URL(row.path.replace(/^\//, ''), document.baseURI).href)}`, '-H "Authorization: Bearer $TOKEN"'];
    if (sent !== null) lines.push("-H 'Content-Type: application/json'", `--data-raw ${quoted(sent)}`);
    return lines.join(' \\\n  ');
}

/** Why a request was refused: each problem that the answer names. */
function refusal(row) {
    const { error, error_description: description } = row.answered?.json ?? {};
    if (row.status === null || row.status < 400 || !(error || description)) return null;
    return part('Why it was refused', el('ul.reasons', {}, String(description ?? words(error)).split('; ').map(one => el('li', { 'data-key': one }, el('strong', {}, `${one}${/[.!?]$/.test(one) ? '' : '.'}`)))), el('p.note', {}, `${row.status} ${error ?? ''}`));
}

async function request(id) {
    const answer = await get(path(`/requests?after=${Number(id) - 1}&limit=1000`), { exact: true });
    const row = answer.requests.find(one => String(one.requestId) === id);
    if (!row) throw new Missing(`Request ${id}`);
    const [sent, answered] = [bodyOf(row.sent), bodyOf(row.answered)];
    const ids = [...new Set(row.path.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [])].filter(one => one !== state.client);
    const made = row.answered?.json?.id;
    const kindAt = one => /\/(account|order|journey|deliveries)\/([0-9a-f-]{36})/.exec(row.path.slice(row.path.indexOf(one) - 12))?.[1] ?? 'why';
    const kindMade = /\/(order|account|journey)(\/(withdrawal))?(\?|$)/.exec(row.path)?.[1] ?? 'why';
    return [
        el('div.head', { 'data-key': 'head' }, el('h2', {}, `${row.method} ${shortPath(row.path)}`, ' ', mark(row.status ?? 'cut off')), el('span.whole', {}, el('code', {}, row.path), copyButton(row.path, 'Copy', 'the path'))),
        el('div.actions', { 'data-key': 'actions' }, copyButton(() => curlOf(row), 'Copy as curl', 'as curl'), canRepeat(row) ? act('Send again', () => repeat(row), answer => [el('strong', {}, 'Sent again. '), answer?.id ? idLink(kindMade, String(answer.id)) : null]) : null),
        facts([['Request', `#${row.requestId}`], ['At, outside', at(row.at)], ['Took', `${row.milliseconds} ms`], ['About', ids.length ? ids.map(one => [idLink(kindAt(one), one), ' ']) : null], ['Made or changed', made && !ids.includes(made) ? idLink(kindMade, made) : null]]),
        refusal(row),
        part('What was sent', sent ? block('Sent', sent.value, { note: sent.note }) : nothing('No body, or one that is not kept.')),
        part('What was answered', answered ? block('Answered', answered.value, { note: answered.note }) : nothing(row.status === null ? 'The connection was cut instead of an answer.' : 'No body, or one that is not kept.')),
    ];
}

async function readDelivery(id) {
    const seen = deliveriesSeen.get(id);
    const rows = seen?.resource ? (await get(path(`/deliveries?resource=${seen.resource}&limit=1000`), { exact: true })).deliveries : [];
    const row = rows.find(one => one.id === id) ?? (await get(path('/deliveries?limit=1000'), { exact: true })).deliveries.find(one => one.id === id);
    if (!row) throw new Missing('This delivery');
    deliveriesSeen.set(id, row);
    return row;
}

async function delivery(id) {
    const row = await readDelivery(id), kind = row.eventType.split('.')[0], machine = state.machines.find(one => one.name === 'delivery');
    const moves = row.status === 'queued' ? [] : machine.rows.filter(move => move.from === 'Queued' && move.to.toLowerCase() === row.status.toLowerCase()).slice(0, 1);
    return [
        el('div.head', { 'data-key': 'head' }, el('h2', {}, `${row.eventType} `, mark(row.status)), wholeId(id)),
        facts([['To', row.url], [capital(words(kind)), row.resource ? idLink(kind, row.resource) : null], ['Webhook', row.webhook ? idLink('webhook', row.webhook) : 'a callback of a journey'], ['Occurred', at(row.occurred)], ['Next attempt, outside', at(row.nextAttempt)], ['webhook-id', row.webhookId]]),
        el('div.actions', { 'data-key': 'actions' }, act('Send again', () => call('POST', path(`/deliveries/${id}/replay`)), 'Queued again.', { main: true })),
        part('Attempts', grid('Attempts', [['When', one => at(one.at)], ['Answer', one => (one.status ? mark(one.status) : mark(one.error ?? one.fault ?? 'failed'))], ['What went wrong', one => one.errorDescription ?? (one.fault ? `by a fault rule: ${words(one.fault)}` : '')], ['Took', one => span(one.tookMs), 'num']], row.attempts, one => one.at)),
        part('Status', lifecycle(machine, moves, row.status)),
        part('What is sent', row.body === undefined ? nothing('The body is not kept any more.') : block('Body', row.body)),
    ];
}

async function webhook(id) {
    const row = (await get(path('/webhooks'))).find(one => one.id === id);
    if (!row) throw new Missing('This webhook');
    const where = path(`/webhooks/${id}`), preset = { webhookId: id, worldId: state.world.worldId };
    const form = (operation, word) => lazily(`${operation} ${id}`, word, () => operationForm(operation, { preset, hides: ['webhookId'], done: sayDone }));
    const recent = (await get(path(`/deliveries?webhook=${id}&limit=20`))).deliveries;
    const remove = async () => { if (!await confirmed('Remove this webhook?', `${row.url} in world \u201c${state.world.name}\u201d will receive no more events.`, 'Remove')) return; await call('DELETE', where); say('The webhook is removed.'); go({ view: 'webhooks', id: null }); };
    return [
        el('div.head', { 'data-key': 'head' }, el('h2', {}, `Webhook ${short(id)} `, mark(row.enabled ? 'enabled' : 'disabled')), wholeId(id)),
        facts([['To', row.url], ['Events', row.events?.join(', ') ?? 'all'], ['Client', row.client], ['Disabled since', at(row.disabledSince)], ['Old secret good until', at(row.previousSecretUntil)]]),
        row.secret ? el('div.secret', { 'data-key': 'secret' }, el('span.note', {}, 'Secret'), el('code', {}, row.secret), copyButton(row.secret, 'Copy', 'the secret')) : null,
        el('div.actions', { 'data-key': 'actions' },
            act('Send a test', () => post(`${where}/test`), answer => [el('strong', {}, 'A test is queued: '), idLink('delivery', answer.id)], { main: true }),
            act('Rotate the secret', () => post(`${where}/rotate`, {}), answer => [el('strong', {}, 'Rotated. '), 'The new secret: ', el('code', {}, answer.secret), ' ', copyButton(answer.secret, 'Copy', 'the new secret')]),
            row.enabled ? act('Disable', () => call('PATCH', where, { body: { enabled: false } }), 'Disabled. It receives no events.') : act('Enable', () => call('PATCH', where, { body: { enabled: true } }), 'Enabled; it receives what happens from now on.'),
            act('Remove', remove, null, { danger: true })),
        el('div', { 'data-key': 'forms' }, form('replayWebhook', 'Send all since an instant again'), form('rotateWebhookSecret', 'Rotate, with a secret and an overlap of your own'), form('changeWebhook', 'Change where it goes, or what it receives')),
        part('Its last deliveries', grid('Deliveries', [['Delivery', one => idLink('delivery', one.id), 'mono'], ['Event', one => one.eventType], ['Attempts', one => number(one.attemptsMade), 'num'], ['Status', one => mark(one.status)]], recent, one => one.id)),
    ];
}

export const MESSAGES = { events: event, requests: request, deliveries: delivery, webhooks: webhook };
