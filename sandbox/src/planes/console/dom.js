// Elements from code, and how a page becomes another one without disturbing the person who uses it.
//
// Invariant: whatever comes from the server goes in as text, never as markup. `morph` keeps elements that mean the same (by
// `data-key` among siblings): their focus, what was typed, what is open, how far they are scrolled. Absent on purpose: a framework.

const isShown = child => child !== null && child !== undefined && child !== false && child !== '';
const shown = children => children.flat(Infinity).filter(isShown);

/** One listener a kind on an element; what it calls may be exchanged. */
function listen(node, kind, handler) {
    if (!node.handlers) node.handlers = {};
    if (!(kind in node.handlers)) node.addEventListener(kind, event => node.handlers[kind]?.(event));
    node.handlers[kind] = handler;
}

/** An element: `el('p.note', { title: 'x' }, 'text', child)`. Functions among the properties listen to events. */
export function el(name, properties = {}, ...children) {
    const [tag, ...classes] = name.split('.');
    const node = document.createElement(tag);
    if (classes.length) node.className = classes.join(' ');
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (typeof value === 'function') listen(node, key, value);
        else if (key === 'value' || key === 'checked') continue;
        else node.setAttribute(NAMES[key] ?? key, value === true ? '' : String(value));
    }
    node.append(...shown(children));
    // A choice has its options first.
    if (properties.value !== undefined && properties.value !== null) node.value = properties.value;
    if (properties.checked) node.checked = true;
    return node;
}

const NAMES = { htmlFor: 'for', className: 'class', tabIndex: 'tabindex', dateTime: 'datetime', inputMode: 'inputmode' };

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) if (isShown(value)) node.setAttribute(key, value);
    node.append(...shown(children));
    return node;
}

const keyOf = node => (node.nodeType === Node.ELEMENT_NODE ? node.dataset?.key ?? null : null);
const isAlike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/** What an element has besides what the server says: it belongs to the person who uses the page. */
const OWN = new Set(['open', 'value']);

function morphAttributes(old, fresh) {
    for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value && !OWN.has(name)) old.setAttribute(name, value);
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !OWN.has(name)) old.removeAttribute(name);
    for (const [kind, handler] of Object.entries(fresh.handlers ?? {})) listen(old, kind, handler);
    for (const kind of Object.keys(old.handlers ?? {})) if (!fresh.handlers?.[kind]) old.handlers[kind] = undefined;
}

/** Makes `old` what `fresh` is. An element with `data-keep` stays as it is for as long as its key does. */
export function morph(old, fresh) {
    if (old.nodeType === Node.TEXT_NODE) {
        if (old.data !== fresh.data) old.data = fresh.data;
        return;
    }
    if (old.hasAttribute('data-keep')) return;
    morphAttributes(old, fresh);
    morphChildren(old, [...fresh.childNodes]);
}

function morphChildren(old, fresh) {
    const wanted = new Set(fresh.map(child => (keyOf(child) === null ? null : `${child.nodeName} ${keyOf(child)}`)));
    const keyed = new Map();
    for (const child of [...old.childNodes]) {
        const key = keyOf(child);
        if (key === null) continue;
        if (wanted.has(`${child.nodeName} ${key}`)) keyed.set(`${child.nodeName} ${key}`, child);
        else child.remove();
    }
    let at = old.firstChild;
    for (const child of fresh) {
        const key = keyOf(child);
        const match = key === null ? (at && isAlike(at, child) ? at : null) : keyed.get(`${child.nodeName} ${key}`);
        if (!match) old.insertBefore(child, at);
        else if (match === at) at = at.nextSibling;
        else old.insertBefore(match, at);
        if (match) morph(match, child);
    }
    while (at) {
        const next = at.nextSibling;
        at.remove();
        at = next;
    }
}

/** Makes the children of `node` these. */
export function fill(node, ...children) {
    morphChildren(node, shown(children).map(child => (child instanceof Node ? child : document.createTextNode(String(child)))));
    return node;
}

/** A list of facts; those without a value are left out. */
export function facts(pairs) {
    const known = pairs.filter(pair => pair && isShown(pair[1]));
    return el('dl.facts', {}, known.map(([name, value]) => el('div', { 'data-key': name }, el('dt', {}, name), el('dd', {}, value instanceof Node || Array.isArray(value) ? value : String(value)))));
}

/** What is shown when it is opened: made at that moment, and left to the person who works with it from then on. */
export function lazily(key, summary, made, properties = {}) {
    const details = el('details.fold', { 'data-key': key, 'data-keep': true, ...properties }, el('summary', {}, summary));
    details.addEventListener('toggle', () => {
        if (details.open && details.childElementCount === 1) details.append(made());
    });
    return details;
}
