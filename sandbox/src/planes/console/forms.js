// Forms for operations, from the server's own description of them.

import { el, fill, json } from './dom.js';
import { call } from './api.js';

/** What a schema means, references and alternatives followed. */
function resolved(api, schema) {
    let known = schema ?? {};
    for (let steps = 0; steps < 8; steps += 1) {
        if (known.$ref) known = known.$ref.slice(2).split('/').reduce((part, key) => part?.[key], api) ?? {};
        else if (known.oneOf || known.anyOf) known = { ...known, ...(known.oneOf ?? known.anyOf).find(one => one.type !== 'null'), oneOf: undefined, anyOf: undefined };
        else if (known.allOf) known = { ...known, ...known.allOf[0], allOf: undefined };
        else break;
    }
    return known;
}

const typeOf = schema => (Array.isArray(schema.type) ? schema.type.find(type => type !== 'null') : schema.type);

/** One field: its control, and what it gives; `undefined` when it is left empty. */
function field(api, name, schema, required, id) {
    const known = resolved(api, schema), type = typeOf(known), about = schema.description ?? known.description;
    const label = el('label', { htmlFor: id }, name, required ? el('span.note', {}, ' required') : null);
    const hint = about ? el('p.note', { id: `${id}-about` }, about) : null;
    const common = { id, name, required, 'aria-describedby': about ? `${id}-about` : undefined };
    const wrap = (control, read) => ({ node: el('div.field', {}, label, control, hint), read });
    if (known.enum) {
        const choice = el('select', common, required ? [] : el('option', { value: '' }, 'left out'), known.enum.filter(one => one !== null).map(one => el('option', { value: one }, String(one))));
        return wrap(choice, () => choice.value || undefined);
    }
    if (type === 'boolean') {
        const choice = el('select', common, el('option', { value: '' }, 'left out'), el('option', { value: 'true' }, 'yes'), el('option', { value: 'false' }, 'no'));
        return wrap(choice, () => (choice.value ? choice.value === 'true' : undefined));
    }
    if (type === 'number' || type === 'integer') {
        const input = el('input', { ...common, inputMode: 'decimal', autocomplete: 'off' });
        return wrap(input, () => (input.value.trim() ? Number(input.value) : undefined));
    }
    if (type === 'object' || type === 'array') {
        const input = el('textarea', { ...common, rows: 2, placeholder: type === 'array' ? '[ ]' : '{ }', spellcheck: false });
        return wrap(input, () => (input.value.trim() ? JSON.parse(input.value) : undefined));
    }
    const input = el('input', { ...common, autocomplete: 'off' });
    return wrap(input, () => input.value || undefined);
}

/** A form that sends an operation; `known` fills in what its path asks for, `done` hears of the answer. */
export function operationForm(api, method, path, operation, known, done) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(found => found[1]).filter(name => name !== 'worldId');
    const prefix = operation.operationId;
    const inPath = names.map(name => {
        const made = field(api, name, { type: 'string' }, true, `${prefix}-${name}`);
        const input = made.node.querySelector('input');
        input.value = known(name) ?? '';
        return [name, made];
    });
    const schema = resolved(api, operation.requestBody?.content?.['application/json']?.schema);
    const inBody = Object.entries(schema.properties ?? {}).map(([name, of]) => [name, field(api, name, of, (schema.required ?? []).includes(name), `${prefix}-body-${name}`)]);
    const told = el('div', { 'aria-live': 'polite' });
    const submit = async event => {
        event.preventDefault();
        const filled = inPath.reduce((text, [name, made]) => text.replace(`{${name}}`, encodeURIComponent(made.read() ?? '')), path).replace('{worldId}', known('worldId'));
        try {
            const body = Object.fromEntries(inBody.map(([name, made]) => [name, made.read()]).filter(([, value]) => value !== undefined));
            const takes = Boolean(operation.requestBody);
            const as = path.startsWith('/_sandbox') ? 'operator' : 'partner';
            const answer = await call(method.toUpperCase(), filled, { as, body: takes ? body : undefined });
            fill(told, el('p.good', {}, 'Done.'), json(answer));
            done(answer);
        } catch (error) {
            fill(told, el('p.bad', { role: 'alert' }, error.message));
        }
    };
    return el('form', { submit }, operation.description ? el('p.note', {}, operation.description) : null,
        inPath.map(([, made]) => made.node), inBody.map(([, made]) => made.node),
        el('button.main', { type: 'submit' }, operation.summary ?? 'Send'), told);
}

/** Operations whose tag begins so: [tag, [{ method, path, operation }]]. */
export function operations(api, wanted) {
    const found = new Map();
    for (const [path, item] of Object.entries(api.paths)) {
        for (const [method, operation] of Object.entries(item)) {
            const tag = operation.tags?.[0] ?? '';
            if (wanted(tag, method, path)) found.set(tag, [...(found.get(tag) ?? []), { method, path, operation }]);
        }
    }
    return [...found];
}
