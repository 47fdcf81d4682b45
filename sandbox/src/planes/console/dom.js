// Elements from code. Whatever comes from the server goes in as text, never as markup.

/** An element: `el('p.note', { title: 'x' }, 'text', child)`. Functions among the properties listen to events. */
export function el(name, properties = {}, ...children) {
    const [tag, ...classes] = name.split('.');
    const node = document.createElement(tag);
    if (classes.length) node.className = classes.join(' ');
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (typeof value === 'function') node.addEventListener(key, value);
        else if (key in node && key !== 'list' && key !== 'form') node[key] = value;
        else node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
    return node;
}

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children.flat(Infinity));
    return node;
}

/** Puts children in the place of what is there. */
export function fill(node, ...children) {
    node.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
    return node;
}

/** A moment as the platform's people read it, in Stockholm. */
export function moment(text) {
    if (!text) return '';
    const parts = new Intl.DateTimeFormat('sv-SE', {
        timeZone: 'Europe/Stockholm', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
    });
    return parts.format(new Date(text));
}

/** The first part of an id, which is enough to tell it from its neighbours. */
export const short = id => (typeof id === 'string' && id.length === 36 ? id.slice(0, 8) : String(id ?? ''));

/** An amount with its two decimals, as the API means it. */
export const money = amount => (amount === undefined || amount === null ? '' : new Intl.NumberFormat('sv-SE', { minimumFractionDigits: 2, maximumFractionDigits: 10 }).format(amount));

/** JSON to be read. */
export const json = value => el('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2));

/** A status as a mark that does not rest on its colour. */
export const mark = status => el('span.status', { 'data-status': String(status) }, String(status ?? ''));

/** A table whose rows are buttons: `columns` are [heading, cell of a row]. */
export function table(caption, columns, rows, pick, isPicked = () => false) {
    if (!rows.length) return el('p.nothing', {}, `No ${caption.toLowerCase()} yet.`);
    const cells = row => columns.map(([, cell], at) => {
        const content = cell(row);
        if (at > 0 || !pick) return el('td', {}, content);
        return el('td', {}, el('button.row', { click: () => pick(row), 'aria-pressed': String(isPicked(row)) }, content));
    });
    return el('table', {},
        el('caption', {}, caption),
        el('thead', {}, el('tr', {}, columns.map(([heading]) => el('th', { scope: 'col' }, heading)))),
        el('tbody', {}, rows.map(row => el('tr', { className: isPicked(row) ? 'picked' : '' }, cells(row)))));
}

/** A list of facts; those without a value are left out. */
export function facts(pairs) {
    const known = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
    return el('dl', {}, known.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value instanceof Node ? value : String(value)))));
}
