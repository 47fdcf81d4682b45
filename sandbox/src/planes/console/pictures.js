// Pictures of a world: which there are, and each as it is asked for.
//
// Invariant: a picture is fetched with the token of the page and shown from memory; a document of the server is never a part of the page.
// What it is asked with is in the address.
// Absent on purpose: drawing, which is the server's, and which pictures there are, which its list says.

import { Refused, get } from './api.js';
import { el, facts } from './dom.js';
import { act, download, failure } from './notices.js';
import { part } from './parts.js';
import { go, here, toward } from './route.js';
import { lists, path } from './store.js';
import { words } from './text.js';

const listed = () => get(path('/pictures'));

const $ = id => document.getElementById(id);

/** The address of a picture. */
export const pictureOf = (name, values = {}) => toward({ view: 'pictures', id: name, q: String(new URLSearchParams(values)) });

export async function pictures() {
    const rows = await listed(), { id } = here();
    return [el('div.tools', { 'data-key': 'tools' }, el('h2', {}, 'Pictures ', el('span.count', {}, String(rows.length)))),
        el('ul.choices', { 'aria-label': 'Pictures' }, rows.map(row => el('li', { 'data-key': row.name, className: row.name === id ? 'picked' : '' },
            el('a.row', { href: pictureOf(row.name), 'aria-current': row.name === id ? 'true' : undefined }, row.title), el('p.note', {}, row.answers))))];
}

/** What a picture is asked with: as the address says, or with the first account where it needs one. */
async function valuesOf(row) {
    const values = Object.fromEntries(new URLSearchParams(here().q));
    if (values.accountId || !row.parameters.some(one => one.name === 'accountId' && one.required)) return values;
    const [first] = await lists.accounts.read();
    return first ? { ...values, accountId: first.id } : values;
}

/** As wide as there is room for, where a picture is laid out for any width. */
const widthOf = row => (row.name === 'account' ? null : Math.min(1600, Math.max(320, $('detail').clientWidth - 52)));

const addressOf = (row, values, more) => {
    const known = row.parameters.map(one => [one.name, values[one.name]]).filter(([, value]) => value);
    return path(`/pictures/${row.name}?${new URLSearchParams([...known, ...more])}`);
};

const ABOUT = { accountId: 'The id of an account', clientId: 'The id of a client', id: 'The id of an account, an order, a journey or a payment', limit: 'How many changes', from: 'The first day, such as 2026-03-01', to: 'The last day', with: 'The id of the other world' };

function form(row, values) {
    if (!row.parameters.length) return null;
    const field = one => el('div.field', { 'data-key': one.name }, el('label', { htmlFor: `picture-${one.name}` }, words(one.name), one.required ? el('span.required', {}, ' needed') : null),
        el('input', { id: `picture-${one.name}`, name: one.name, value: values[one.name] ?? '', autocomplete: 'off', spellcheck: 'false', placeholder: ABOUT[one.name] ?? '' }));
    const submit = event => {
        event.preventDefault();
        const values = [...new FormData(event.target)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value);
        go({ q: String(new URLSearchParams(values)) });
    };
    return el('form.operation', { submit, 'data-key': `form ${row.name}` }, row.parameters.map(field), el('div.actions', {}, el('button.main', { type: 'submit' }, 'Draw')));
}

async function drawn(row, values) {
    if (row.parameters.some(one => one.required && !values[one.name])) return el('p.nothing', {}, 'Say what the picture is of, then draw it.');
    try {
        const width = widthOf(row), image = await get(addressOf(row, values, width ? [['width', width]] : []));
        const text = await image.text();
        const alt = new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('desc')?.textContent ?? row.title;
        return el('div.picture.drawing', { tabIndex: 0, role: 'group', 'aria-label': row.title }, el('img', { className: width ? null : 'whole', alt, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` }));
    } catch (refused) {
        if (!(refused instanceof Refused) || refused.status === 401) throw refused;
        return el('div.problem', { role: 'alert' }, failure(refused));
    }
}

/** A picture that was picked, by its name. */
export async function picture(name) {
    const row = (await listed()).find(one => one.name === name);
    if (!row) return el('p.nothing', {}, `There is no picture ${name}.`);
    const values = await valuesOf(row);
    const fetched = (form, ending, type) => async () => {
        const answer = await get(addressOf(row, values, [['format', form]]), { raw: true });
        download(`${row.name}.${ending}`, answer, type);
    };
    return [
        el('div.head', { 'data-key': 'head' }, el('h2', {}, row.title), el('p.note', {}, row.answers)),
        form(row, values),
        part('Picture', await drawn(row, values)),
        facts([['In the terminal', el('code', {}, ['fundsim picture', row.name, ...row.parameters.filter(one => values[one.name]).map(one => `${one.name}=${values[one.name]}`)].join(' '))]]),
        el('div.actions', { 'data-key': 'forms' }, act('SVG', fetched('svg', 'svg', 'image/svg+xml'), null, { label: 'Download as SVG' }), act('Text', fetched('text', 'txt', 'text/plain'), null, { label: 'Download as text' }), act('JSON', fetched('json', 'json', 'application/json'), null, { label: 'Download as JSON' })),
    ];
}
