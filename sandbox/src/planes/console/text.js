// How values read, and how digits stay what they were.
//
// Invariant: an amount or a seed is never rounded on its way: digits that a JavaScript number cannot hold are kept as text (`Digits`), read
// and written as they were. Absent on purpose: elements.

/** A number as its digits. */
export class Digits {
    constructor(text) { this.text = text; }

    toString() { return this.text; }

    valueOf() { return Number(this.text); }
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = '#digits';

/** Reads JSON. Numbers that would be rounded become `Digits`; with `exact`, also those that would be written otherwise (`10.50`). */
export function readJson(text, exact = false) {
    if (!exact && !/[\d.]{16}/.test(text)) return JSON.parse(text);
    const isOther = token => (exact ? String(Number(token)) !== token : token.replace(/\D/g, '').length > 15);
    const marked = text.replace(TOKENS, token => (token[0] !== '"' && isOther(token) ? `{"${MARK}":"${token}"}` : token));
    return JSON.parse(marked, (_, value) => (value && typeof value === 'object' && MARK in value ? new Digits(value[MARK]) : value));
}

/** Writes JSON, on lines of its own with an `indent`. */
export function writeJson(value, indent = 0, before = '') {
    if (value instanceof Digits) return value.text;
    if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
    const inner = indent ? `${before}${' '.repeat(indent)}` : '', line = indent ? '\n' : '';
    const parts = Array.isArray(value) ? value.map(part => writeJson(part, indent, inner))
        : Object.entries(value).filter(([, part]) => part !== undefined).map(([key, part]) => `${JSON.stringify(key)}:${indent ? ' ' : ''}${writeJson(part, indent, inner)}`);
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    if (!parts.length) return open + close;
    return `${open}${line}${parts.map(part => inner + part).join(`,${line}`)}${line}${indent ? before : ''}${close}`;
}

/** The digits of a number as people type it: spaces between thousands, a comma or a point before decimals; `null` when it is none. */
export function digitsOf(text) {
    const plain = text.replace(/[\s\u00a0\u202f']/g, '').replace('\u2212', '-').replace(/^([^,.]*),([^,.]*)$/, '$1.$2');
    return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(plain) ? new Digits(plain) : null;
}

const STOCKHOLM = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Stockholm', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});

/** A moment as the platform's people read it, in Stockholm. */
export function moment(text) {
    if (!text) return '';
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? String(text) : STOCKHOLM.format(at);
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Stockholm', weekday: 'short' });
export const weekday = text => (text ? WEEKDAY.format(new Date(text)) : '');

/** The instant that somebody has typed, as the API takes it: with an offset as it is, without one as the clocks of Stockholm show it. */
export function instantOf(text) {
    const typed = text.trim().replace(' ', 'T');
    if (/(Z|[+-]\d\d:?\d\d)$/i.test(typed)) return Number.isNaN(Date.parse(typed)) ? null : new Date(typed).toISOString();
    const parts = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,3})?)?)?$/.exec(typed);
    if (!parts) return null;
    const wanted = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4] ?? '00'}:${parts[5] ?? '00'}:${parts[6] ?? '00'}${parts[7] ?? ''}Z`);
    if (Number.isNaN(wanted)) return null;
    const shift = at => Date.parse(`${STOCKHOLM.format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
    const first = wanted - shift(wanted);
    return new Date(wanted - shift(first)).toISOString();
}

/** The first part of an id, which is enough to distinguish it from its neighbours. */
export const short = id => (/^[0-9a-f-]{36}$/.test(String(id)) ? String(id).slice(0, 8) : String(id ?? ''));

/** A number with spaces between thousands; `decimals` at least. */
export function number(value, decimals = 0) {
    if (value === undefined || value === null || value === '') return '';
    const [, sign, whole, rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
    if (whole === undefined) return String(value);
    const after = rest.padEnd(decimals, '0');
    return `${sign ? '\u2212' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')}${after ? `.${after}` : ''}`;
}

export const money = amount => number(amount, 2);

/** `cashTransaction` as `cash transaction`. */
export const words = name => String(name ?? '').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]/g, ' ').toLowerCase();

export const capital = text => (text ? text[0].toUpperCase() + text.slice(1) : '');

export const count = (many, one, more = `${one}s`) => `${number(many)} ${many === 1 ? one : more}`;

/** Milliseconds as a person says them. */
export function span(ms) {
    if (ms < 1000) return `${ms} ms`;
    const [much, unit] = ms % 3600000 === 0 ? [ms / 3600000, 'h'] : ms % 60000 === 0 ? [ms / 60000, 'min'] : [ms / 1000, 's'];
    return `${much} ${unit}`;
}
