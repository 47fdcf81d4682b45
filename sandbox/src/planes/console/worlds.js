// Worlds: which there are, and the one that is shown: back and forth in time, snapshots, comparison, its story, settings.
//
// Invariant: what loses something asks first, by the world's name; what makes something leads to it. Absent on purpose: the clock, which
// is in the frame.

import { call, get, post } from './api.js';
import { el, facts, lazily } from './dom.js';
import { operationForm } from './forms.js';
import { act, attempt, confirmed, copyButton, dialog, download, say } from './notices.js';
import { at, block, grid, idLink, mark, nothing, part } from './parts.js';
import { addressOf, go } from './route.js';
import { operates, path, readWorlds, state } from './store.js';
import { capital, count, instantOf, moment, number, words, writeJson } from './text.js';
import { showNewWorld, travel } from './travel.js';

function listOfWorlds() {
    const rows = state.worlds;
    return grid('Worlds', [
        ['World', world => el('a.row', { href: addressOf({ world: world.worldId, view: 'worlds' }), 'aria-current': world.worldId === state.world.worldId ? 'true' : undefined }, world.worldId), 'mono'], ['Name', world => (world.forkOf ? [world.name, el('span.note', {}, ` (fork of ${world.forkOf.worldId})`)] : world.name)], ['Seed', world => String(world.seed ?? ''), 'mono p2'],
        ['It is', world => at(world.now)], ['Clock', world => String(world.clock), 'p2'], ['Events', world => number(world.events), 'num'],
    ], rows, world => world.worldId);
}

/** The field for a moment of the world's past; what is wrong is shown there, before anything is asked. */
function momentField() {
    const mistake = el('p.mistake', { id: 'moment-mistake', role: 'alert' });
    const input = el('input', { id: 'moment', autocomplete: 'off', spellcheck: 'false', placeholder: moment(state.world.start).slice(0, 16), 'aria-describedby': 'moment-note moment-mistake', input: () => { mistake.textContent = ''; } });
    const wrong = text => { mistake.textContent = text; input.focus(); return null; };
    const read = () => {
        const typed = input.value.trim();
        if (/^\d+$/.test(typed)) {
            const [first, last] = [state.world.firstInput ?? 0, state.world.input];
            return Number(typed) > last || Number(typed) < first ? wrong(`Inputs go from ${first} to ${last}.`) : { input: Number(typed) };
        }
        const instant = instantOf(typed);
        if (!instant) return wrong('Write an instant, such as 2026-03-02 09:00, or the number of an input.');
        if (instant < state.world.start || instant > state.world.now) return wrong(`The world has seen ${moment(state.world.start)} to ${moment(state.world.now)}.`);
        return { at: instant };
    };
    const go = how => { const where = read(); if (where) travel(how, where); };
    return el('div', { 'data-keep': true, 'data-key': `moment ${state.world.worldId}` },
        el('div.field', {}, el('label', { htmlFor: 'moment' }, 'A moment of its past'), input, el('p.note', { id: 'moment-note' }, 'An instant, in Stockholm or with an offset, or the number of an input. Every change under \u201cWhat happened, and why\u201d has these buttons too.'), mistake),
        el('div.actions', {}, el('button', { type: 'button', click: () => go('fork') }, 'Fork there'), el('button.danger', { type: 'button', click: () => go('rewind') }, 'Rewind to it')));
}

/** Says that the end of the session is not kept, where it is not. */
function lost(world) {
    const missing = world.recording?.missing ?? 0;
    if (!missing) return null;
    return el('p.warning.notice.held', { role: 'note', 'data-key': 'lost' }, el('strong', {}, 'The recording is full. '), `${count(missing, 'request')} of this world found no room and ${missing === 1 ? 'is' : 'are'} missing at its end; ${number(world.recording.requests)} are kept. A longer session needs a larger setting recordingBytes from the start of a world.`);
}

async function story() {
    const name = `${state.world.name.replace(/[^\w-]+/g, '-')}.yaml`;
    const text = await get(path('/scenario'), { raw: true });
    const missing = lost(await get(path()));
    dialog('The story of this world', close => [
        el('h2', {}, 'The story of this world'), el('p.note', {}, 'What was asked since its start, with what was answered; \u201cfundsim run\u201d plays it. Secrets are left out, and so is what the console read.'), missing,
        el('pre', { tabIndex: 0, role: 'region', 'aria-label': 'The scenario file' }, text),
        el('div.actions.end', {}, copyButton(text, 'Copy', 'the story'), el('button.main', { type: 'button', click: () => download(name, text, 'application/yaml') }, `Download ${name}`), el('button', { type: 'button', click: close }, 'Close')),
    ]).classList.add('wide');
}

async function snapshots() {
    const kept = await get(path('/snapshots')), name = state.world.name;
    const restore = async one => {
        if (!await confirmed(`Restore \u201c${one.id}\u201d?`, `World \u201c${name}\u201d goes back to ${moment(one.now)}. What has happened since will be gone.`, 'Restore')) return;
        const world = await post(path(`/snapshots/${encodeURIComponent(one.id)}/restore`));
        say([el('strong', {}, 'Restored. '), `It is ${moment(world.now)} again.`]);
    };
    const bring = event => attempt(async () => {
        const [file] = event.target.files;
        return call('PUT', path(`/snapshots/${encodeURIComponent(file.name.replace(/\.\w+$/, ''))}/file`), { body: await file.text(), raw: true });
    }, 'The snapshot is kept.');
    const actions = one => el('div.actions', {},
        act('Restore', () => restore(one), null, { label: `Restore ${one.id}`, key: `restore ${one.id}` }),
        operates() ? act('File', async () => download(`${one.id}.json`, await get(path(`/snapshots/${encodeURIComponent(one.id)}/file`), { raw: true }), 'application/json'), 'The file is downloaded.', { label: `Download ${one.id} as a file`, key: `file ${one.id}` }) : null);
    return part('Snapshots',
        grid('Snapshots', [['Name', one => one.id], ['It was', one => at(one.now)], ['', actions]], kept, one => one.id),
        operationForm('keepSnapshot', { word: 'Take a snapshot', done: one => say([el('strong', {}, 'Kept. '), `Snapshot \u201c${one.id}\u201d of ${moment(one.now)}.`]) }),
        operates() ? el('label.field', { 'data-key': 'bring' }, 'From a file of a world of the same seed, start and setup', el('input', { type: 'file', accept: '.json,application/json', change: bring })) : null);
}

function comparison() {
    const others = state.worlds.filter(world => world.worldId !== state.world.worldId);
    if (!operates()) return null;
    if (!others.length) return part('Compare', nothing('There is no other world to compare with; a fork would be one.'));
    const choose = el('select', { id: 'other' }, others.map(world => el('option', { value: world.worldId }, `${world.name} (${world.worldId})`)));
    const prices = el('input', { type: 'checkbox', id: 'with-prices' });
    const found = el('div', { 'aria-live': 'polite' });
    const compare = async () => {
        const compared = await get(path(`/compare/${choose.value}?limit=200${prices.checked ? '' : '&withoutPrices=true'}`));
        const total = answer => answer.counts.reduce((sum, one) => sum + one.different + one.onlyHere + one.onlyThere, 0);
        const differs = one => (one.only ? `only ${one.only}` : (one.fields ?? []).map(field => `${field.path || 'all of it'}: ${writeJson(field.here)} / ${writeJson(field.there)}`).join('; '));
        found.replaceChildren(el('p', {}, compared.same ? 'They are equal.' : `They differ. It is ${moment(compared.now)} here and ${moment(compared.otherNow)} there.`),
            grid('Resources', [['Resource', one => one.resource], ['Alike', one => number(one.alike), 'num'], ['Different', one => number(one.different), 'num'], ['Only here', one => number(one.onlyHere), 'num'], ['Only there', one => number(one.onlyThere), 'num']], compared.counts, one => one.resource),
            total(compared) > compared.differences.length ? el('p.note', {}, `The first ${number(compared.differences.length)} of ${number(total(compared))} differences.`) : '',
            compared.differences.length ? grid('Differences', [['Resource', one => words(one.resource)], ['Id', one => idLink(one.resource, one.id), 'mono'], ['What differs', differs]], compared.differences, one => one.id) : '');
    };
    return part('Compare', el('div', { 'data-keep': true, 'data-key': `compare ${others.map(world => world.worldId).join(' ')}` },
        el('div.field', {}, el('label', { htmlFor: 'other' }, 'With'), choose), el('label.check', { htmlFor: 'with-prices' }, prices, ' With prices, cut-offs and the values that follow from them, which time alone changes'), el('div.actions', {}, act('Compare', compare)), found));
}

async function settings() {
    const all = await get(path('/settings'), { exact: true });
    return part('Settings', block('As they are', all, { open: false }), lazily(`settings ${state.world.worldId}`, 'Change settings', () => operationForm('changeSettings', { word: 'Change', done: () => say('The settings are changed.') })));
}

const make = () => lazily('make', 'Create a world', () => operationForm('makeWorld', { word: 'Make the world', done: async made => { await readWorlds(); showNewWorld(made, 'A world was made'); } }));

/** What is shown where there is no world. */
export function noWorld() {
    const form = make();
    form.open = true;
    return [el('h2', {}, 'There is no world'), el('p.note', {}, 'Create one here or over the API. The list updates automatically.'), operates() ? form : null];
}

export async function worlds() {
    const one = state.world, named = `\u201c${one.name}\u201d (${one.worldId})`;
    const reset = async () => { if (await confirmed(`Reset ${named}?`, 'It returns to its start and loses all its history. Its credentials stay valid.', 'Reset')) { await post(path('/reset')); say([el('strong', {}, 'Reset. '), `It is ${moment(one.start)} again.`]); } };
    const drop = async () => {
        if (!await confirmed(`Drop ${named}?`, 'The world and its credentials are deleted.', 'Drop')) return;
        await call('DELETE', path());
        say(`World ${named} is gone.`);
        state.world = null;
        await readWorlds();
        go({ world: state.worlds[0]?.worldId ?? null, client: null, view: 'worlds', id: null });
    };
    return [
        el('div.tools', { 'data-key': 'tools' }, el('h2', {}, 'Worlds', el('span.count', {}, ` ${state.worlds.length}`))),
        el('div', { 'data-key': 'list' }, listOfWorlds()),
        operates() ? make() : null,
        el('section.part', { 'data-key': `this ${one.worldId}`, 'aria-label': 'This world' },
            el('h3', {}, capital(one.name), ' ', one.failed ? mark('failed') : null),
            facts([['Id', one.worldId], one.forkOf ? ['Fork of', [el('a', { href: addressOf({ world: one.forkOf.worldId, view: 'worlds' }) }, one.forkOf.worldId), ` as of ${moment(one.forkOf.at)}`]] : null, ['Seed', String(one.seed ?? '')], ['Began', at(one.start)], ['It is', at(one.now)], ['Inputs', number(one.input)], ['Events', `${number(one.events)}${one.eventLog?.forgotten ? `, ${count(one.eventLog.forgotten, 'is', 'are')} no longer kept` : ''}`], ['Sockets', number(one.sockets)]]),
            lost(one),
            el('div.actions', {}, act('Record as a story', story, null, { main: true }), act('Fork', () => travel('fork', {})), act('Reset', reset, null, { danger: true }), act('Drop', drop, null, { danger: true }))),
        part('Back in time', momentField()),
        await snapshots(), comparison(), await settings(),
        part('Credentials', (one.partners ?? []).map(partner => lazily(`credentials ${one.worldId} ${partner.clientId}`, partner.name, () => el('div', {}, ['clientId', 'clientSecret', 'callbackSecret'].filter(name => partner[name]).map(name => el('div.secret', {}, el('span.note', {}, name), el('code', {}, partner[name]), copyButton(partner[name], 'Copy', `${name} of ${partner.name}`))), el('ul', {}, partner.clients.map(client => el('li', {}, client.name, ' ', el('code', {}, client.id)))))))),
    ];
}

