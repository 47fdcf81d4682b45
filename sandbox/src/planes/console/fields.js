// Fields of a form from a schema: what is asked for, with the control that fits, and what it gives.
//
// Invariant: what a field gives is exactly what was typed, or an error beside it; what is left empty is left out. A field is
// { node, read }, and `read` throws `Mistake` after it has shown at its place what is wrong. Absent on purpose: sending.

import { el, fill } from './dom.js';
import { capital, digitsOf, instantOf, readJson, words } from './text.js';

export class Mistake extends Error {}

/** What a schema means: references followed, `null` left out of alternatives. */
export function resolved(api, schema) {
    let known = schema ?? {};
    for (let steps = 0; steps < 12; steps += 1) {
        if (known.$ref) {
            const { $ref, ...rest } = known;
            known = { ...($ref.slice(2).split('/').reduce((part, key) => part?.[key], api) ?? {}), ...rest };
            continue;
        }
        const ways = (known.oneOf ?? known.anyOf)?.filter(one => one.type !== 'null');
        if (ways?.length === 1) known = { ...known, oneOf: undefined, anyOf: undefined, ...ways[0], description: known.description ?? ways[0].description };
        else if (known.allOf) known = { ...known, ...known.allOf[0], allOf: undefined };
        else break;
    }
    return known;
}

const typesOf = schema => [schema.type].flat().filter(type => type && type !== 'null');
let made = 0;

/** A control with its label, its description, and the place where a mistake is shown. */
function wrapped(name, about, required, control, read) {
    const id = `field-${made += 1}`, label = capital(words(name));
    control.id = id;
    control.dataset.field = name;
    if (required) control.required = true;
    const mistake = el('p.mistake', { id: `${id}-mistake`, role: 'alert' });
    const note = about ? el('p.note', { id: `${id}-about` }, about) : null;
    control.setAttribute('aria-describedby', `${note ? `${id}-about ` : ''}${id}-mistake`);
    const setMistake = text => { fill(mistake, text); control.toggleAttribute('aria-invalid', Boolean(text)); if (text) control.setAttribute('aria-invalid', 'true'); };
    control.addEventListener('input', () => setMistake(''));
    const node = el('div.field', { 'data-name': name }, el('label', { htmlFor: id }, label, required ? el('span.required', {}, ' required') : null), control, note, mistake);
    const checked = () => {
        setMistake('');
        const value = control.value.trim?.() ?? control.value;
        if (value === '' && required) { setMistake(`${label} is needed.`); throw new Mistake(); }
        if (value === '') return undefined;
        try { return read(value); } catch (error) { setMistake(error.message); throw new Mistake(); }
    };
    return { node, read: checked, control };
}

const wrong = text => { throw new Error(text); };
const LEFT_OUT = '\u2013 left out \u2013';
const option = (value, text, chosen) => el('option', { value, selected: chosen }, text);

function choice(name, about, required, values, read, first) {
    const control = el('select', { name }, required ? option('', 'Choose\u2026') : option('', LEFT_OUT), values.map(([value, text]) => option(value, text ?? value)));
    if (first !== undefined) control.value = first;
    return wrapped(name, about, required, control, read);
}

/** An id or another text that the world knows: to be picked from what there is, or typed. */
function picked(name, about, required, source, value) {
    const list = `choices-${made += 1}`;
    const control = el('input', { name, list, autocomplete: 'off', spellcheck: 'false', value: value ?? '' });
    const field = wrapped(name, about, required, control, text => text);
    const options = el('datalist', { id: list });
    field.node.append(options);
    source().then(known => fill(options, known.map(([id, text]) => el('option', { value: id }, text))), () => null);
    return field;
}

function text(name, schema, required, value) {
    const isInstant = schema.format === 'date-time' || /timestamp/i.test(schema.description ?? '');
    const example = schema.examples?.[0];
    const control = el('input', { name, autocomplete: 'off', spellcheck: 'false', value: value ?? '', maxlength: schema.maxLength, placeholder: isInstant ? '2026-03-02 09:00, in Stockholm' : example });
    const read = typed => {
        if (isInstant) return instantOf(typed) ?? wrong('Write a date and a time, such as 2026-03-02 09:00.');
        if (typesOf(schema).includes('number') && digitsOf(typed)) return digitsOf(typed);
        if (schema.pattern && !new RegExp(schema.pattern).test(typed)) wrong(`That is not of the form it has to have${example ? `, such as ${example}` : ''}.`);
        return typed;
    };
    return wrapped(name, schema.description, required, control, read);
}

function numeric(name, schema, required, isWhole, value) {
    const range = schema.minimum !== undefined && schema.maximum !== undefined ? `${schema.minimum} to ${schema.maximum}` : null;
    const control = el('input', { name, inputMode: 'decimal', autocomplete: 'off', value: value ?? '', placeholder: range });
    return wrapped(name, schema.description, required, control, typed => {
        const digits = digitsOf(typed) ?? wrong('Write a number, such as 1000 or 1000.50.');
        if (isWhole && digits.text.includes('.')) wrong('Write a whole number.');
        if (schema.minimum !== undefined && Number(digits) < schema.minimum) wrong(`Write a number from ${schema.minimum} on.`);
        if (schema.maximum !== undefined && Number(digits) > schema.maximum) wrong(`Write a number of at most ${schema.maximum}.`);
        return digits;
    });
}

/** A group of fields that may be left out: it is there when it is opened. */
function group(context, name, schema, required, depth) {
    const inner = Object.entries(schema.properties).map(([key, of]) => [key, field(context, key, of, (schema.required ?? []).includes(key), depth + 1)]);
    const read = () => {
        // Every mistake is shown, not the first alone.
        let failed = null;
        const values = inner.map(([key, one]) => { try { return [key, one.read()]; } catch (error) { failed = error; return [key]; } });
        if (failed) throw failed;
        return Object.fromEntries(values.filter(([, value]) => value !== undefined));
    };
    const content = [schema.description ? el('p.note', {}, schema.description) : null, inner.map(([, one]) => one.node)];
    if (name === null) return { node: el('div.fields', {}, content), read };
    if (required) return { node: el('fieldset', { 'data-name': name }, el('legend', {}, capital(words(name))), content), read };
    return optional(name, () => content, read);
}

/** A fieldset with a box that says whether it is sent. */
function optional(name, content, read, about) {
    const body = el('div.fields', { hidden: true });
    const box = el('input', { type: 'checkbox', 'data-field': name, change: () => {
        body.hidden = !box.checked;
        if (box.checked && !body.childElementCount) body.append(...[content()].flat(Infinity).filter(Boolean));
    } });
    const node = el('fieldset', { 'data-name': name }, el('legend', {}, el('label.check', {}, box, ` ${capital(words(name))}`)), about ? el('p.note', {}, about) : null, body);
    return { node, read: () => (box.checked ? read() : undefined) };
}

/** A list: as many of the same as are added. */
function many(context, name, schema, required, depth) {
    const rows = [], place = el('div.rows');
    const one = words(name).replace(/s$/, '');
    const add = () => {
        const inner = field(context, one, schema.items, true, depth + 1);
        const remove = el('button.small', { type: 'button', 'aria-label': `Remove ${one} ${rows.length + 1}`, click: () => { rows.splice(rows.indexOf(row), 1); row.node.remove(); } }, 'Remove');
        const row = { read: inner.read, node: el('div.row-of', {}, inner.node, remove) };
        rows.push(row);
        place.append(row.node);
    };
    const node = el('fieldset', { 'data-name': name }, el('legend', {}, capital(words(name)), required ? el('span.required', {}, ' required') : null), schema.description ? el('p.note', {}, schema.description) : null,
        place, el('button.small', { type: 'button', click: add }, `Add ${one}`));
    return { node, read: () => (rows.length || required ? rows.map(row => row.read()) : undefined) };
}

/** One of several shapes: a chooser, and the fields of the one that is chosen. */
function chosen(context, name, schema, ways, required, depth) {
    const nameOf = (way, at) => {
        const ref = way.$ref?.split('/').pop().replace(/Request$/, '');
        return capital(words(way.title ?? ref ?? (typesOf(resolved(context.api, way))[0] || `way ${at + 1}`)));
    };
    let now = null;
    const place = el('div.fields');
    const show = at => {
        now = at === '' ? null : field(context, null, ways[Number(at)], true, depth + 1);
        fill(place, now?.node);
    };
    const pick = el('select', { change: event => show(event.target.value), 'data-field': name ?? 'kind' }, required ? null : option('', LEFT_OUT), ways.map((way, at) => option(String(at), nameOf(way, at))));
    if (required) show('0');
    const legend = name === null ? 'Kind' : capital(words(name));
    const node = el('fieldset', { 'data-name': name ?? 'kind' }, el('legend', {}, legend), schema.description ? el('p.note', {}, schema.description) : null, el('label.field', {}, el('span.quiet', {}, `${legend}: which kind`), pick), place);
    return { node, read: () => now?.read() };
}

function raw(name, schema, required) {
    const control = el('textarea', { name, rows: 3, spellcheck: 'false', placeholder: typesOf(schema).includes('array') ? '[ ]' : '{ }' });
    return wrapped(name, schema.description, required, control, typed => {
        try { return readJson(typed, true); } catch { return wrong('That is no JSON.'); }
    });
}

/** One field of a form. `context`: { api, preset(name), choices(name) }. A name of `null` is the body itself. */
export function field(context, name, schema, required, depth = 0) {
    const known = { ...resolved(context.api, schema) }, ways = (known.oneOf ?? known.anyOf)?.filter(one => one.type !== 'null'), types = typesOf(known);
    known.description = schema?.description ?? known.description;
    if (ways?.length > 1) return depth > 6 ? raw(name ?? 'value', known, required) : chosen(context, name, known, ways, required, depth);
    if (known.properties && Object.keys(known.properties).length && depth < 7) return group(context, name, known, required, depth);
    const label = name ?? 'value', preset = context.preset(label);
    if (known.enum) return choice(label, known.description, required, known.enum.filter(one => one !== null).map(one => [String(one)]), value => value, preset);
    if (types.includes('boolean')) return choice(label, known.description, required, [['true', 'yes'], ['false', 'no']], value => value === 'true', preset);
    if (types.includes('array') && known.items) return many(context, label, known, required, depth);
    if (types.includes('object') || types.includes('array') || !types.length) return raw(label, known, required);
    if (types.includes('string')) {
        const source = context.choices(label, known);
        return source ? picked(label, known.description, required, source, preset) : text(label, known, required, preset);
    }
    return numeric(label, known, required, types.includes('integer'), preset);
}
