// What is picked among resources: an account, an order, a journey, or anything else by its causes; and what can be done about it there.
//
// Invariant: what is shown is read anew whenever an event touches it; an action is shown beside its resource, and only while it can be taken.
// Absent on purpose: messages (`messages.js`).

import { call, get, partner, post } from './api.js';
import { jump } from './clock.js';
import { el, facts, lazily } from './dom.js';
import { lifecycle } from './draw.js';
import { explained } from './explained.js';
import { operationForm, sayDone } from './forms.js';
import { act, confirmed, say } from './notices.js';
import { amount, at, block, grid, idLink, mark, nothing, part, wholeId } from './parts.js';
import { pictureOf } from './pictures.js';
import { timeline } from './timeline.js';
import { instruments, ofClient, path, state } from './store.js';
import { capital, number, short, words } from './text.js';
import { travel } from './travel.js';

const why = id => get(path(`/why/${id}?limit=200`)).catch(refused => { if (refused.status === 404 || refused.status === 403 || refused.status === 400) return null; throw refused; });
const machineOf = name => state.machines.find(one => one.name === name || one.topic === name);
const lever = (where, body) => () => post(where, body, { as: 'partner' });
const doneNotice = word => answer => [el('strong', {}, `${word}.`), answer?.status ? [' It is ', mark(answer.status), '.'] : null];

/** The rows of the table that this resource has taken. */
const movesOf = (found, topic) => (found?.changes ?? []).flatMap(change => change.events).filter(event => event.resource === found.resource).flatMap(event => event.moves).filter(move => !topic || move.table === topic);

function standing(kind, found, status) {
    const machine = machineOf(kind);
    return machine ? part('Status', lifecycle(machine, movesOf(found, machine.topic), status)) : null;
}

const causes = found => part('What happened, and why', found ? [el('p', { 'data-key': 'sequence' }, el('a', { href: pictureOf('sequence', { id: found.resource }) }, 'As a sequence')), timeline(found, travel)] : nothing('Nothing is kept of its past.'));
const head = (title, status, id) => el('div.head', { 'data-key': 'head' }, el('h2', {}, title, ' ', mark(status)), wholeId(id));

/** Asks first, since it cannot be taken back; the way back would be a rewind. */
const asking = (question, detail, word, work, done) => act(word, async () => { if (await confirmed(question, detail, word)) { const answer = await work(); say(doneNotice(done)(answer)); } }, null, { danger: true });

/** Rows of the state table that an action takes. */
const TAKES = { hold: ['Park'], release: ['Release'], reject: ['Stop', 'Refuse', 'Void'], cancel: ['Cancel'] };

/** What can be done about an order in its present state. */
function actsOn(found, status) {
    const { rows } = machineOf('order'), moves = movesOf(found, 'orders');
    const now = moves.at(-1)?.to ?? { received: 'Received', pending: 'Pending', sent: 'Sent', hold: 'HoldBooked' }[status];
    return Object.keys(TAKES).filter(name => rows.some(row => row.from === now && TAKES[name].includes(row.on)));
}

/** Ways to let time pass until something happens to an order. */
function untilOf({ id, status }) {
    const toCutOff = ['received', 'pending'].includes(status) ? jump('Advance until the cut-off', { until: 'cutOff', order: id }) : null;
    const toSettlement = ['received', 'pending', 'sent'].includes(status) ? jump('Advance until it settles', { until: 'settlement', order: id }) : null;
    return [toCutOff, toSettlement];
}

async function order(id) {
    const [record, found, funds] = await Promise.all([partner(ofClient(`/order/${id}`), { exact: true }), why(id), instruments()]);
    const fund = funds.find(one => one.id === record.instrument);
    const buttons = {
        hold: () => act('Hold', lever(`/simulations/order/${id}/hold`), doneNotice('Held')),
        release: () => act('Release', lever(`/simulations/order/${id}/release`), doneNotice('Released')),
        reject: () => act('Reject', lever(`/simulations/order/${id}/reject`), doneNotice('Rejected')),
        cancel: () => asking(`Cancel order ${short(id)}?`, `In world \u201c${state.world.name}\u201d. The order will not be carried out, and its money is free again.`, 'Cancel the order', () => call('DELETE', ofClient(`/order/${id}`), { as: 'partner' }), 'Canceled'),
    };
    return [
        head(`${capital(record.orderType)} ${short(id)}`, record.status, id),
        facts([['Fund', fund ? `${fund.name} (${record.instrument})` : record.instrument], ['Account', idLink('account', record.account)], ['Amount', amount(record.amount)], ['Units', number(record.units)], ['Your reference', record.clientRef], ['Placed', at(record.createdDate)], [record.status === 'settled' ? 'Settled on' : 'Settles, as expected', found?.settlementDay]]),
        el('div.actions', { 'data-key': 'actions' }, untilOf(record), actsOn(found, record.status).map(name => buttons[name]())), explained(found, { instrumentId: record.instrument }),
        standing('order', found, record.status), causes(found), part('As the API shows it', block('Order', record, { open: false })),
    ];
}

async function journey(id) {
    const [record, found] = await Promise.all([partner(ofClient(`/journey/${id}`), { exact: true }), why(id)]);
    const isOver = !['new', 'pending'].includes(record.status);
    const form = (operation, word) => lazily(`${operation} ${id}`, word, () => operationForm(operation, { preset: { journeyId: id }, hides: ['journeyId'], done: sayDone }));
    return [
        head(`${capital(words(record.type))} ${short(id)}`, record.status, id),
        facts([['Expires', at(record.expiryDate)], ['Started', at(record.createdDate)], ['Left at', words(record.context)], ['Error', record.errorCode], ['Calls back', record.callbackUrl]]),
        el('div.actions', { 'data-key': 'actions' },
            isOver || !record.url ? null : el('a.button.main', { href: record.url, target: '_blank', rel: 'noopener noreferrer' }, 'Open as the customer'),
            isOver ? null : [jump('Advance until it expires', { to: record.expiryDate }), act('Complete', lever(`/simulations/journey/${id}/complete`, {}), doneNotice('Completed')), act('Expire', lever(`/simulations/journey/${id}/expire`), doneNotice('Expired')), act('Cancel', async () => {
                if (record.status === 'new') await post(`/simulations/journey/${id}/open`, undefined, { as: 'partner' });
                return post(`/simulations/journey/${id}/cancel`, {}, { as: 'partner' });
            }, doneNotice('Canceled'), { title: 'As a customer who leaves' })]),
        explained(found),
        isOver ? null : el('div', { 'data-key': 'forms' }, form('failJourney', 'Fail, with a code'), form('completeJourney', 'Complete, with answers'), form('cancelJourney', 'Cancel at a step')),
        standing('journey', found, record.status), causes(found), part('As the API shows it', block('Journey', record, { open: false })),
    ];
}

async function picture(id) {
    const image = await get(path(`/accounts/${id}/picture.svg`)).catch(() => null);
    if (!(image instanceof Blob)) return null;
    const text = await image.text();
    // The picture of an account without a past is small and says so; a whole one keeps a width at which its figures can be read.
    const [isWhole, alt] = text.includes('Nothing to draw yet') ? ['', 'Nothing to draw yet: no day of this account is over'] : ['.whole', 'The value of the account over time, with its orders, deposits and withdrawals'];
    const shown = el(`img${isWhole}`, { alt, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
    return part('Over time', el('div.picture.drawing', { tabIndex: 0, role: 'group', 'aria-label': 'The account over time' }, shown));
}

const newest = rows => rows.toReversed().slice(0, 50);
const left = (rows, what) => (rows.length > 50 ? el('p.note', {}, `The last 50 of ${number(rows.length)} ${what}.`) : null);

async function account(id) {
    const list = where => partner(ofClient(`/account/${id}${where}`)).catch(() => []);
    const [record, found, drawn, value, cash, funds, orders, names] = await Promise.all([
        partner(ofClient(`/account/${id}`), { exact: true }), why(id), picture(id), partner(ofClient(`/account/${id}/value`)).catch(() => null),
        list('/transaction/cash'), list('/transaction/fund'), partner(ofClient(`/order?account=${id}`)).catch(() => []), instruments()]);
    const nameOf = fund => el('span', { title: fund }, names.find(one => one.id === fund)?.name ?? fund);
    const sign = one => (one.debitAccount === id && one.creditAccount !== id ? `-${one.amount}` : one.amount);
    const form = (operation, word) => lazily(`${operation} ${id}`, word, () => operationForm(operation, { preset: { accountId: id, account: id, ref: record.ref }, hides: ['accountId'], done: sayDone }));
    return [
        head(`${record.owner?.fullName ?? record.owner?.name ?? record.name}`, record.status, id),
        facts([['Type', `${record.accountType}${record.name ? `, \u201c${record.name}\u201d` : ''}`], ['Reference', record.ref], ['Cash', amount(record.balance, record.currency)], ['Value', value && value.value !== undefined ? amount(value.value, value.currency) : null], ['Deposited', amount(record.amounts?.deposited)], ['Withdrawn', amount(record.amounts?.withdrawn)]]),
        el('div.actions', { 'data-key': 'actions' }, record.status === 'pending' ? [act('Approve', lever(`/simulations/account/${id}/approve`), doneNotice('Approved')), act('Reject', lever(`/simulations/account/${id}/reject`), doneNotice('Rejected'))] : null, record.status === 'confirm' ? act('Confirm', lever(`/simulations/account/${id}/confirm`), doneNotice('Confirmed')) : null, jump('Advance until the next booking', { until: 'booking', account: id })),
        explained(found),
        el('div', { 'data-key': 'forms' }, form('book', 'Book cash or units'), form('payByBankgiro', 'A deposit by bankgiro')),
        drawn,
        part('Positions', grid('Positions', [['Fund', one => nameOf(one.instrument)], ['Units', one => number(one.units), 'num'], ['Value', one => amount(one.value ?? one.marketValue), 'num']], record.positions ?? [], one => one.instrument)),
        part('Orders', left(orders, 'orders'), grid('Orders', [['Order', one => idLink('order', one.id), 'mono'], ['Type', one => one.orderType], ['Fund', one => nameOf(one.instrument), 'cut'], ['Amount', one => amount(one.amount), 'num'], ['Status', one => mark(one.status)]], newest(orders), one => one.id)),
        part('Cash transactions', left(cash, 'transactions'), grid('Cash transactions', [['Id', one => idLink('transaction', one.id), 'mono'], ['When', one => at(one.createdDate)], ['Type', one => words(one.transactionType)], ['Amount', one => amount(sign(one)), 'num']], newest(cash), one => one.id)),
        part('Fund transactions', left(funds, 'transactions'), grid('Fund transactions', [['Id', one => idLink('transaction', one.id), 'mono'], ['When', one => at(one.createdDate)], ['Type', one => words(one.transactionType)], ['Fund', one => nameOf(one.instrument), 'cut'], ['Units', one => number(one.units), 'num']], newest(funds), one => one.id)),
        standing('account', found, record.status), causes(found), part('As the API shows it', block('Account', record, { open: false })),
    ];
}

/** Anything that has an id: what made it as it is. */
async function anything(id) {
    const found = await get(path(`/why/${encodeURIComponent(id)}?limit=200`), { exact: true });
    const status = found.changes.flatMap(change => change.events).findLast(event => event.resource === found.resource)?.status;
    const kinds = { event: 'event', delivery: 'delivery', order: 'order', account: 'account', journey: 'journey' };
    return [
        head(`${capital(words(found.what))} ${short(id)}`, status, id),
        kinds[found.what] ? el('p', {}, idLink(found.what, id, `Open this ${found.what}`)) : null,
        found.resource === id ? null : facts([['It is about', idLink('why', found.resource)]]),
        explained(found), status ? standing(found.what, found, status) : null, causes(found),
    ];
}

export const RECORDS = { orders: order, journeys: journey, accounts: account, why: anything };
