// Fork and rewind: a fork of an earlier moment, or this world put back to it.
//
// Invariant: what would be lost is named before it is, and what was made is shown with a way to it: its credentials are in the
// message once, to be copied. Absent on purpose: snapshots (`worlds.js`).

import { post } from './api.js';
import { el } from './dom.js';
import { attempt, confirmed, copyButton, dialog, say } from './notices.js';
import { addressOf } from './route.js';
import { path, readWorlds, state } from './store.js';
import { moment } from './text.js';

/** A dialog with a new world's address and credentials. */
export function showNewWorld(made, title) {
    const box = dialog(title, close => [
        el('h2', {}, title),
        el('p', {}, el('a', { href: addressOf({ world: made.worldId, view: 'accounts' }), click: close }, `Go to ${made.name ?? 'the world'} (${made.worldId})`)),
        el('p.note', {}, 'Credentials of a world are its own. An operator finds them again in the world\u2019s description.'),
        (made.partners ?? []).filter(one => one.clientSecret).map(one => el('section.part', {}, el('h3', {}, one.name), ['clientId', 'clientSecret', 'callbackSecret'].filter(name => one[name]).map(name => el('div.secret', {}, el('span.note', {}, name), el('code', {}, one[name]), copyButton(one[name], 'Copy', `${name} of ${one.name}`))))),
        el('div.actions.end', {}, el('button.main', { type: 'button', click: close }, 'Close')),
    ]);
    box.querySelector('button.main').focus();
}

/** Forks or rewinds to `{ at }` or `{ input }`; what is not given is now. */
export async function travel(how, where) {
    const when = where.at ? `at ${moment(where.at)}` : where.input !== undefined ? `after input ${where.input}` : 'now';
    if (how === 'fork') {
        const made = await attempt(() => post(path('/fork'), where));
        if (!made) return;
        await readWorlds();
        say([el('strong', {}, 'Forked. '), el('a', { href: addressOf({ world: made.worldId, view: 'accounts' }) }, made.worldId), ` is this world ${when}.`], { stays: true });
        showNewWorld(made, 'A fork was made');
        return;
    }
    const sure = await confirmed(`Rewind \u201c${state.world.name}\u201d?`, `${state.world.name} (${state.world.worldId}) goes back to where it stood ${when}. All that has happened since, now ${moment(state.world.now)}, will be gone; a fork or a snapshot would keep it.`, 'Rewind');
    if (!sure) return;
    const body = where.at ? { to: where.at } : { input: where.input };
    await attempt(() => post(path('/rewind'), body), world => [el('strong', {}, 'Rewound. '), `It is ${moment(world.now)} again.`]);
}

