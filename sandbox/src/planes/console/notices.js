// What is shown beside the page: messages that come and go, questions before what cannot be undone, copies to the clipboard.
//
// Invariant: a message is about one action, in words for people; a failure stays until it is put away or the next action
// succeeds. Questions name what they are about and begin on the answer that changes nothing. Absent on purpose: alerts of the browser.

import { el, fill } from './dom.js';
import { count } from './text.js';

const host = () => document.getElementById('notices');
/** Milliseconds for which a message stays, and how many stay at most. */
const LIFE = 8000, MOST = 6;

/** Shows a message: text and perhaps elements, such as a link to what was made. */
export function say(content, { kind = 'good', stays = false } = {}) {
    for (const old of host().querySelectorAll('.notice.bad')) old.remove();
    const box = el(`div.notice.${kind}`, { role: kind === 'bad' ? 'alert' : 'status' },
        el('span.sign', { 'aria-hidden': 'true' }, kind === 'bad' ? '!' : '\u2713'), el('div', {}, content),
        el('button.plain', { type: 'button', 'aria-label': 'Put the message away', click: () => putAway(box) }, '\u00d7'));
    host().append(box);
    while (host().querySelectorAll('.notice').length > MOST) host().querySelector('.notice').remove();
    fold();
    if (!stays && kind !== 'bad') setTimeout(() => putAway(box), LIFE);
}

function putAway(box) {
    box.remove();
    fold();
}

/** The newest message is in sight; earlier ones are a line that opens. */
function fold() {
    const all = [...host().querySelectorAll('.notice')], earlier = all.slice(0, -1);
    const folded = host().querySelector('.earlier'), isOpen = folded?.open ?? false;
    if (!earlier.length) { if (folded) host().replaceChildren(...all); return; }
    const box = el('details.earlier', {}, el('summary', {}, `${count(earlier.length, 'earlier message')}`), earlier);
    box.open = isOpen;
    host().replaceChildren(box, all.at(-1));
}

/** What went wrong: the meaning, then where. */
export function failure(error) {
    if (error.where === undefined) console.error(error);
    return [el('strong', {}, sentence(error)), error.where ? el('span.where', {}, error.where) : null];
}

function sentence(error) {
    const known = error.where !== undefined;
    const text = known ? error.message : 'The console cannot do that here.';
    const begun = /^[a-z]+\b(?![_.])/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
    return begun + (/[.!?]$/.test(begun) ? '' : '.');
}

const complain = error => say(failure(error), { kind: 'bad' });

/** Does something, and shows its outcome; answers `undefined` where it failed. A button is busy meanwhile. */
export async function attempt(work, done, button) {
    if (button) button.disabled = true;
    try {
        const result = await work();
        const notice = typeof done === 'function' ? done(result) : done;
        if (notice) say(notice);
        return result ?? true;
    } catch (error) {
        complain(error);
        return undefined;
    } finally {
        if (button) button.disabled = false;
    }
}

/** A button that does something and shows its outcome. */
export function act(word, work, done, { main, danger, key, title, label } = {}) {
    const button = el(`button${main ? '.main' : ''}${danger ? '.danger' : ''}`, { type: 'button', title, 'data-key': key ?? word, 'aria-label': label, click: event => attempt(work, done, event.currentTarget) }, word);
    return button;
}

/** A dialog with this content; closed by Esc, by its buttons, and by what `made` is given. */
export function dialog(label, made, closed = () => null) {
    const close = () => { box.close(); box.remove(); closed(); };
    const box = el('dialog', { 'aria-label': label, cancel: event => { event.preventDefault(); close(); } });
    box.append(...[made(close)].flat(Infinity).filter(Boolean));
    document.body.append(box);
    box.showModal();
    return box;
}

/** Asks before what cannot be undone. */
export function confirmed(question, detail, word) {
    return new Promise(answer => {
        let confirmedByUser = false;
        const box = dialog(question, close => [
            el('h2', {}, question), el('p', {}, detail),
            el('div.actions.end', {}, el('button.keep', { type: 'button', click: close }, 'Keep it'), el('button.danger', { type: 'button', click: () => { confirmedByUser = true; close(); } }, word)),
        ], () => answer(confirmedByUser));
        box.querySelector('.keep').focus();
    });
}

/** Copies a text; says so on the button. */
export function copyButton(text, word = 'Copy', about = '') {
    const button = el('button.small', { type: 'button', 'data-key': `copy ${about}`, 'aria-label': about ? `Copy ${about}` : undefined, click: async () => {
        const given = typeof text === 'function' ? text() : text;
        const done = await navigator.clipboard?.writeText(given).then(() => true, () => false) ?? false;
        if (!done) say('The browser does not let pages copy here; select the text instead.', { kind: 'bad' });
        fill(button, done ? 'Copied' : word);
        setTimeout(() => fill(button, word), 1500);
    } }, word);
    return button;
}

/** Gives a file to the person who uses the browser. */
export function download(name, content, type) {
    const link = el('a', { href: URL.createObjectURL(new Blob([content], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
