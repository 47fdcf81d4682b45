// Faults: which rules there are, in words; bundles of them; a rule of one's own. Levers: what others outside would do.
//
// Invariant: a rule is described so that nobody has to know its JSON, with how often it has been seen and has hit. Absent on purpose: what
// rules do, which is the server's.

import { call, get, post } from './api.js';
import { el, lazily } from './dom.js';
import { resolved } from './fields.js';
import { operationForm, operations, sayDone } from './forms.js';
import { act, confirmed, say } from './notices.js';
import { idLink, mark, nothing, part } from './parts.js';
import { here, refine } from './route.js';
import { path, state } from './store.js';
import { tableOf } from './table.js';
import { capital, count, number, span } from './text.js';

const per = value => `${number(Math.round(Number(value) * 10000) / 100)} %`;

/** What a rule does, in words. */
function effect({ answer, delay, drop, sockets, deliveries, ms }) {
    if (answer) return `${answer.status}${answer.retryAfter === undefined || answer.retryAfter === null ? '' : `, Retry-After ${answer.retryAfter} s`}`;
    if (delay) return `answered ${span(delay.ms)} late`;
    if (drop) return drop === 'before' ? 'cut off before the work is done' : 'cut off after the work is done';
    if (sockets) return { graceful: 'socket closed as for a new version', close: 'socket closed', drop: 'socket closed', stall: 'socket stops reading', cutInFrame: 'socket cut in the middle of a frame', cap: 'socket closed as after its hour' }[sockets] ?? `sockets: ${sockets}`;
    const late = ms === undefined ? '' : ` by ${span(ms)}`;
    return { refuse: 'delivery refused', fail: 'delivery fails', drop: 'delivery lost', duplicate: 'delivery comes twice', delay: `delivery late${late}`, reorder: `delivery out of order${late}`, corruptSignature: 'delivery with a wrong signature' }[deliveries] ?? JSON.stringify({ answer, delay, drop, sockets, deliveries, ms });
}

/** A rule as a sentence: `503, 5 % of requests, at most 200 times`. */
export function describeRule({ match, verdict }) {
    const things = verdict.deliveries ? 'deliveries' : verdict.sockets && match.event ? 'messages' : 'requests';
    const about = [match.method, match.path, match.event && match.event !== '*' ? match.event : null].filter(Boolean).join(' ');
    const share = match.nth ? `only number ${match.nth} of ${things}` : match.probability === null || match.probability === undefined ? `all ${things}` : `${per(match.probability)} of ${things}`;
    const often = match.times ? `, at most ${count(Number(match.times), 'time')}` : '';
    return `${capital(effect(verdict))}, ${share}${about ? ` of ${about}` : ''}${often}`;
}

/** Exactly one of the possible effects, as a chooser. */
function asChooser(schema) {
    const verdict = resolved(state.api, schema.properties.verdict), { answer, delay, drop, sockets, deliveries, ms } = verdict.properties;
    const way = (title, name, of, more = {}) => ({ title, type: 'object', properties: { [name]: of, ...more }, required: [name] });
    const ways = [way('An answer of its own', 'answer', answer), way('A late answer', 'delay', delay), way('A connection that breaks', 'drop', drop), way('What becomes of deliveries', 'deliveries', deliveries, { ms }), way('How sockets end', 'sockets', sockets)];
    return { ...schema, properties: { ...schema.properties, verdict: { oneOf: ways, description: verdict.description }, match: { ...resolved(state.api, schema.properties.match), type: 'object' } } };
}

export async function faults() {
    const [rules, bundles] = await Promise.all([get(path('/faults')), get(path('/faults/bundles'))]);
    const add = bundle => act(`Add \u201c${bundle.name}\u201d`, () => post(path('/faults/bundles'), { name: bundle.name }), added => `${bundle.name}: ${count(added.length, 'rule')} added.`, { title: bundle.about });
    const clear = async () => { if (await confirmed('Remove all fault rules?', `World \u201c${state.world.name}\u201d will have no faults; ${count(rules.length, 'rule')} will be gone.`, 'Remove all')) { await call('DELETE', path('/faults')); say('All rules are removed.'); } };
    const remove = rule => act('Remove', () => call('DELETE', path(`/faults/${rule.id}`)), `Rule ${rule.id} is removed.`, { label: `Remove rule ${rule.id}`, key: rule.id });
    return [
        el('div.tools', { 'data-key': 'tools' }, el('h2', {}, 'Faults', el('span.count', {}, ` ${rules.length}`)), el('div.actions', {}, bundles.map(add), rules.length ? act('Remove all', clear, null, { danger: true }) : null)),
        rules.length ? el('ol.rules', { 'data-key': 'rules', 'aria-label': 'Fault rules' }, rules.map(rule => {
            const over = rule.match.times && rule.hits >= rule.match.times;
            return el('li', { 'data-key': rule.id }, el('span.number', {}, `#${rule.id}`), el('span.rule-text', {}, describeRule(rule)), el('span.seen', {}, `hit ${number(rule.hits)} of ${number(rule.seen)} seen`), over ? mark('used up') : null, remove(rule));
        })) : nothing('No rules: requests, sockets and deliveries go as they should. Bundles above add what a bad day has.'),
        part('A rule of your own', operationForm('addFault', { word: 'Add the rule', reshape: asChooser, done: rule => say([el('strong', {}, 'Added: '), describeRule(rule)]) })),
    ];
}

/** The levers of a topic: folded with their count, open while something is searched for. */
function topic(tag, rows, isOpen) {
    const name = capital(tag.replace(/^Levers: /, ''));
    const details = el('details.topic', { 'data-key': `topic ${tag}${isOpen ? ' found' : ''}` }, el('summary', {}, el('h3', {}, name), el('span.count', {}, ` ${rows.length}`), el('span.note', {}, ` ${rows.map(row => row.operation.summary).join(', ').toLowerCase()}`)),
        el('div', {}, rows.map(({ operation }) => lazily(`lever ${operation.operationId} ${state.client}`, operation.summary, () => operationForm(operation.operationId, { done: sayDone })))));
    details.open = isOpen;
    return details;
}

/** Levers by who would do it, found by their words. */
export async function levers() {
    const { q } = here(), parts = q.toLowerCase().split(/\s+/).filter(Boolean);
    const all = operations().filter(row => row.path.startsWith('/simulations') && row.method !== 'GET');
    const found = all.filter(row => parts.every(one => `${row.operation.summary} ${row.operation.operationId} ${row.path}`.toLowerCase().includes(one)));
    const tags = [...new Set(found.map(row => row.tag))];
    const search = el('label', {}, el('span.quiet', {}, 'Search levers'), el('input.search', { type: 'search', value: q, placeholder: 'Search ( / )', 'data-key': 'search levers', input: event => refine({ q: event.target.value.trim() }) }));
    return [
        el('div.tools', { 'data-key': 'tools' }, el('h2', {}, 'Levers', el('span.count', { role: 'status' }, ` ${found.length}`)), search),
        el('p.note', { 'data-key': 'note' }, 'What customers, banks, fund companies and the platform would do. Each form has the fields that the server describes.'),
        tags.map(tag => topic(tag, found.filter(row => row.tag === tag), parts.length > 0)),
        found.length ? null : nothing('No lever is found by that.'),
    ];
}

/** Webhooks of the world: a list, and a form. */
export async function webhooks() {
    const rows = await get(path('/webhooks'));
    const names = new Map((state.world.partners ?? []).flatMap(one => one.clients).map(one => [one.id, one.name]));
    return tableOf({
        view: 'webhooks', title: 'Webhooks', one: 'Webhook', rows, keyOf: row => row.id, textOf: row => JSON.stringify(row), statusOf: row => (row.enabled ? 'enabled' : 'disabled'), statuses: ['enabled', 'disabled'],
        empty: 'No webhooks. A webhook receives every event of its client, signed, in order, with retries.',
        columns: [['Webhook', row => row.id.slice(0, 8), 'mono'], ['To', row => el('span', { title: row.url }, row.url), 'cut'], ['Client', row => names.get(row.client) ?? row.client, 'p2'], ['Events', row => row.events?.join(', ') ?? 'all', 'p2 cut'], ['Status', row => mark(row.enabled ? 'enabled' : 'disabled'), 'state']],
        after: lazily(`register ${state.client}`, 'Register a webhook', () => operationForm('registerWebhook', { word: 'Register', preset: { client: state.client }, done: made => say([el('strong', {}, 'Registered: '), idLink('webhook', made.id), '. Its secret stands there.']) })),
    });
}

