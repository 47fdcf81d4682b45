// Pictures: a state table with the way that was taken, and the changes behind it.

import { el, mark, moment, short, svg } from './dom.js';

const WIDTH = 144, HEIGHT = 36, ACROSS = 184, DOWN = 64;

/** States in columns, by how many rows lead there from the first at least. */
function columns(rows) {
    const targets = new Set(rows.filter(row => row.from !== row.to).map(row => row.to));
    const states = [...new Set(rows.flatMap(row => [row.from, row.to]))];
    const depth = new Map(states.filter(state => !targets.has(state)).map(state => [state, 0]));
    if (!depth.size && states.length) depth.set(states[0], 0);
    for (const state of depth.keys()) {
        for (const row of rows) if (row.from === state && !depth.has(row.to)) depth.set(row.to, depth.get(state) + 1);
    }
    const found = [];
    for (const state of states) (found[depth.get(state) ?? 0] ??= []).push(state);
    return found.filter(Boolean);
}

/** A table with the rows that were taken in bold, and where it stands now. */
export function lifecycle(machine, taken, status) {
    const grid = columns(machine.rows), place = new Map();
    const tallest = Math.max(...grid.map(column => column.length));
    grid.forEach((column, x) => column.forEach((state, y) => {
        place.set(state, { x: 8 + x * ACROSS, y: 8 + (y + (tallest - column.length) / 2) * DOWN });
    }));
    const is = (row, move) => row.from === move.from && row.to === move.to && row.on === move.on;
    const passed = new Set(taken.flatMap(move => [move.from, move.to]));
    const words = state => state.toLowerCase();
    const now = taken.length ? taken[taken.length - 1].to : [...place.keys()].find(state => words(state).startsWith(String(status).toLowerCase()));
    const size = { width: grid.length * ACROSS - (ACROSS - WIDTH) + 16, height: tallest * DOWN + 8 };
    const edges = machine.rows.filter(row => row.from !== row.to).map(row => {
        const from = place.get(row.from), to = place.get(row.to), was = taken.some(move => is(row, move));
        const forward = to.x > from.x;
        const [x1, y1] = forward ? [from.x + WIDTH, from.y + HEIGHT / 2] : [from.x + WIDTH / 2, from.y + HEIGHT];
        const [x2, y2] = forward ? [to.x, to.y + HEIGHT / 2] : [to.x + WIDTH / 2, to.y > from.y ? to.y : to.y + HEIGHT];
        const bend = forward ? `C ${x1 + 30} ${y1}, ${x2 - 30} ${y2}` : `C ${x1} ${y1 + 16}, ${x2} ${y2 + (to.y > from.y ? -16 : 16)}`;
        const path = svg('path', { d: `M ${x1} ${y1} ${bend}, ${x2} ${y2}`, class: was ? 'edge taken' : 'edge', 'marker-end': `url(#${was ? 'taken' : 'edge'})` });
        path.append(svg('title', {}, `${row.from}, ${row.on}: ${row.to}`));
        return path;
    });
    const boxes = [...place].map(([state, { x, y }]) => svg('g', { class: state === now ? 'state now' : passed.has(state) ? 'state passed' : 'state' },
        svg('rect', { x, y, width: WIDTH, height: HEIGHT, rx: 6 }),
        svg('text', { x: x + WIDTH / 2, y: y + HEIGHT / 2 + 4, 'text-anchor': 'middle' }, state)));
    const arrow = id => svg('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerUnits: 'userSpaceOnUse', markerWidth: 10, markerHeight: 10, orient: 'auto-start-reverse' }, svg('path', { d: 'M 0 0 L 8 4 L 0 8 z', class: id }));
    const label = `${machine.about}: ${taken.map(move => `${move.from} to ${move.to}`).join(', ') || 'nothing has moved it'}; now ${now ?? status}`;
    return el('div.picture', { tabIndex: 0, role: 'group', 'aria-label': 'State table' }, svg('svg', { viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'aria-label': label },
        svg('defs', {}, arrow('edge'), arrow('taken')), edges, boxes));
}

/** Every change of something, with what caused it and what was told of it. */
export function timeline(why, replay) {
    const cause = change => change.timer ?? change.command ?? change.act ?? 'no longer kept';
    const request = change => {
        const logged = change.request?.logged;
        if (logged) return `request ${change.request.requestId}: ${logged.method} ${logged.path}, ${logged.status ?? 'no answer'}`;
        return change.request ? `request ${change.request.requestId}: ${change.request.route ?? ''}` : null;
    };
    const told = event => el('li', {},
        el('strong', {}, event.eventType), ' ', event.status ? mark(event.status) : null,
        event.amount === undefined || event.amount === null ? null : el('span.amount', {}, ` ${event.amount}`),
        event.moves.map(move => el('div.move', {}, `${move.from}, ${move.on}: ${move.to}`, el('span.note', {}, ` ${move.effect}`))),
        event.deliveries.map(delivery => el('div.move', {}, `delivery ${short(delivery.id)} `, mark(delivery.status), ' ',
            replay ? el('button', { click: () => replay(delivery.id) }, 'Send again') : null)));
    return el('ol.timeline', { 'aria-label': 'What happened, and why' }, why.changes.map(change => el('li', {},
        el('time', { dateTime: change.at }, moment(change.at)),
        el('p.cause', {}, el('strong', {}, cause(change)), el('span.note', {}, ` input ${change.input}`)),
        request(change) ? el('p.note', {}, request(change)) : null,
        el('ul', {}, change.events.map(told)))));
}
