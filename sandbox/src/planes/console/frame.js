// The frame around the views: which world and client, its clock, the views, help, and the page to sign in.
//
// Invariant: the clock shows what the world says, also when somebody else has changed it; what a person is choosing is not taken from
// their hands. Absent on purpose: lists and records.

import { bearer, call, forget, remember } from './api.js';
import { advance, advanced } from './clock.js';
import { el, fill } from './dom.js';
import { act, attempt, dialog, failure } from './notices.js';
import { VIEWS, go, here, toward } from './route.js';
import { openSearch } from './search.js';
import { partners, path, state } from './store.js';
import { moment, weekday } from './text.js';

const $ = id => document.getElementById(id);
const MODES = [['frozen', 'frozen'], ['real', 'as outside'], ['60', 'a minute a second'], ['1440', 'a day a minute']];

function choose(id, label, options, value, changed) {
    return el('label.chooser', { 'data-key': id }, el('span.sr', {}, label), el('select', { id, value, change: event => changed(event.target.value) }, options.map(([key, text]) => el('option', { value: key, 'data-key': key, selected: key === value }, text))));
}

function clock() {
    const shown = state.clock, now = state.pulse?.now ?? state.world.now, next = shown?.next;
    const mode = String(state.pulse?.clock ?? shown?.clock ?? state.world.clock);
    const modes = MODES.some(([key]) => key === mode) ? MODES : [...MODES, [mode, `${mode} \u00d7 as fast`]];
    const step = (word, by, title) => act(word, () => advance({ by }), advanced, { key: by, title });
    return el('div.clock', { role: 'group', 'aria-label': 'The clock of the world', 'data-key': 'clock' },
        el('div.now', {}, el('output', { id: 'now', 'aria-label': 'It is' }, `${weekday(now)} ${moment(now)}`), el('span.note', { id: 'next' }, next ? `next: ${next.what}, ${weekday(next.at)} ${moment(next.at).slice(5, 16)}` : 'nothing comes next')),
        choose('mode', 'How time passes', modes, mode, value => attempt(() => call('PATCH', path('/clock'), { body: { clock: value } }), shown => [el('strong', {}, 'The clock is changed. '), `It is ${moment(shown.now)}.`])),
        el('div.steps', {}, step('+1 h', 'PT1H', 'Advance by +1 h'), step('+1 d', 'P1D', 'Advance by +1 d'), step('+7 d', 'P7D', 'Advance by +7 d'),
            next ? act('To next', () => advance({ to: next.at }), advanced, { key: 'next', title: `${next.what}, ${moment(next.at)}` }) : null));
}

function header() {
    const world = state.world, route = here();
    const clients = world ? partners(world).flatMap(one => one.clients.map(client => [client.id, partners(world).length > 1 ? `${one.name}: ${client.name}` : client.name])) : [];
    return [
        el('h1', { 'data-key': 'brand' }, el('a', { href: '.' }, 'fundsim')),
        world ? choose('world', 'World', state.worlds.map(one => [one.worldId, `${one.name} (${one.worldId})`]), world.worldId, id => go({ world: id, client: null, view: route.view === 'why' ? 'accounts' : route.view, id: null, q: '', status: '' })) : null,
        world && clients.length ? choose('client', 'Client', clients, state.client, id => go({ client: id, id: null })) : null,
        el('span.live', { 'data-key': 'live', className: state.isLive ? 'live is-live' : 'live', role: 'status' }, el('span', { 'aria-hidden': 'true' }, state.isLive ? '\u25cf' : '\u25cb'), el('span', { className: state.isLive ? 'sr' : 'says' }, state.isLive ? 'live' : ' not connected; trying again')),
        world ? clock() : null,
        el('div.corner', { 'data-key': 'corner' }, world ? el('button', { type: 'button', title: 'Search everything ( Ctrl K )', click: openSearch }, 'Search') : null, el('button.plain', { type: 'button', title: 'Keys ( ? )', 'aria-label': 'Help: keys', click: help }, '?'),
            bearer.operator || bearer.own ? el('button', { type: 'button', click: () => { forget(); location.hash = ''; location.reload(); } }, 'Sign out') : null),
    ];
}

let drawnView = null;

/** Draws the frame from the present state. */
export function drawFrame() {
    document.body.classList.remove('signing-in');
    fill($('top'), header());
    // What a select shows is its user's; this is what the world says, unless somebody is choosing.
    for (const [id, value] of [['world', state.world?.worldId], ['client', state.client], ['mode', String(state.pulse?.clock ?? state.world?.clock)]]) {
        const select = $(id);
        if (select && (select !== document.activeElement || id !== 'mode')) select.value = value;
    }
    const now = here();
    fill($('views'), VIEWS.map(([view, label], at) => el('a', { href: toward({ view, id: null }), 'data-view': view, 'data-key': view, 'aria-current': now.view === view ? 'page' : undefined, title: at < 10 ? `Key ${(at + 1) % 10}` : undefined }, label)));
    if (drawnView !== now.view) $('views').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    drawnView = now.view;
    document.title = [now.id ? `${label(now.view)} ${now.id.slice(0, 8)}` : label(now.view), state.world?.name, 'fundsim'].filter(Boolean).join(' \u2013 ');
}

const label = view => VIEWS.find(([name]) => name === view)?.[1] ?? 'Why';

const KEYS = [['1 to 9, 0', 'the first ten views, from left to right'], ['Ctrl K', 'search everything'], ['/', 'to the search of a view'], ['j or \u2193, k or \u2191', 'next and previous row'], ['Enter', 'open the row'], ['Esc', 'close what is open, leave a field'], ['?', 'this help']];

export function help() {
    if (document.querySelector('dialog')) return;
    dialog('Keys', close => [el('h2', {}, 'Keys'), el('dl.keys', {}, KEYS.map(([key, about]) => el('div', {}, el('dt', {}, el('kbd', {}, key)), el('dd', {}, about)))),
        el('p.note', {}, 'Every address can be kept and shared. What the console reads leaves no trace in the world. ', el('a', { href: new URL('../guide', import.meta.url).href }, 'The guide'), ' explains the rest.'), el('div.actions.end', {}, el('button.main', { type: 'button', click: close }, 'Close'))]);
}

/** The page to sign in, alone. */
export function signInPage(problem, done) {
    document.body.classList.add('signing-in');
    document.title = 'Sign in \u2013 fundsim';
    const field = (id, label, about, type = 'text') => el('div.field', {}, el('label', { htmlFor: id }, label), el('input', { id, type, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': `${id}-about` }), el('p.note', { id: `${id}-about` }, about));
    const value = id => $(id).value.trim() || undefined;
    const submit = event => {
        event.preventDefault();
        const given = { operator: value('operator'), clientId: value('client-id'), clientSecret: value('client-secret') };
        if (!given.operator && !(given.clientId && given.clientSecret)) { fill($('problem'), el('p.bad', { role: 'alert' }, 'Give the operator\u2019s token, or a client id with its secret.')); return; }
        remember(given.operator ? { operator: given.operator } : given);
        done();
    };
    fill($('top'), el('h1', { 'data-key': 'brand' }, el('a', { href: '.' }, 'fundsim')));
    fill($('views'));
    fill($('detail'));
    fill($('list'), el('form.sign-in', { submit, 'data-key': 'sign-in' }, el('h2', {}, 'Sign in to the console'), el('div', { id: 'problem' }, problem ? el('p.bad', { role: 'alert' }, failure(problem)) : null),
        el('fieldset', {}, el('legend', {}, 'As the operator'), field('operator', 'The operator\u2019s token', 'Opens every world.', 'password')),
        el('fieldset', {}, el('legend', {}, 'Or as a partner'), field('client-id', 'Client id', 'Printed by the server at its start.'), field('client-secret', 'Client secret', 'Kept in this tab, and nowhere else.', 'password')),
        el('div.actions', {}, el('button.main', { type: 'submit' }, 'Sign in'))));
}

