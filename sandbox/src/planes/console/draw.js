// A state table as a picture, with the way that was taken.
//
// Invariant: every picture has one scale, so that boxes and letters are as large in each; states are in columns by how many moves lead
// there at least, the usual way along the top. Absent on purpose: what caused the moves (`timeline.js`).

import { el, svg } from './dom.js';
import { toneOf } from './parts.js';

const WIDTH = 84, HEIGHT = 38, ACROSS = 112, DOWN = 58, EDGE = 6;

/** States in columns. */
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

/** The line between two boxes: onward from side to side, in the same column straight or around, back by the other sides. */
function line(from, to) {
    const middle = HEIGHT / 2;
    if (to.x > from.x) {
        const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + middle, to.x, to.y + middle];
        return `M ${x1} ${y1} C ${x1 + 18} ${y1}, ${x2 - 18} ${y2}, ${x2} ${y2}`;
    }
    if (to.x < from.x) {
        const [x1, y1, x2, y2] = [from.x, from.y + middle + 7, to.x + WIDTH, to.y + middle + 7];
        return `M ${x1} ${y1} C ${x1 - 18} ${y1}, ${x2 + 18} ${y2}, ${x2} ${y2}`;
    }
    const down = to.y > from.y;
    if (Math.abs(to.y - from.y) <= DOWN) {
        const x = from.x + WIDTH / 2 + (down ? -6 : 6);
        return `M ${x} ${down ? from.y + HEIGHT : from.y} L ${x} ${down ? to.y : to.y + HEIGHT}`;
    }
    const x = from.x + WIDTH;
    return `M ${x} ${from.y + middle + 5} C ${x + 16} ${from.y + middle + 5}, ${x + 16} ${to.y + middle - 5}, ${x} ${to.y + middle - 5}`;
}

const lines = state => state.replace(/([a-z])([A-Z])/g, '$1 $2').split(' ').map((word, at) => (at ? word.toLowerCase() : word));

function box(state, { x, y }, kind) {
    const parts = lines(state), first = y + HEIGHT / 2 + 4 - (parts.length - 1) * 7;
    return svg('g', { class: `state ${kind}`, 'data-state': state },
        svg('rect', { x, y, width: WIDTH, height: HEIGHT, rx: 6 }),
        svg('text', { 'text-anchor': 'middle' }, parts.map((part, at) => svg('tspan', { x: x + WIDTH / 2, y: first + at * 14 }, part))));
}

/** The state that a status means, where no move shows it. */
function stateOf(machine, status) {
    const states = [...new Set(machine.rows.flatMap(row => [row.from, row.to]))], text = String(status).toLowerCase();
    return states.find(state => state.toLowerCase() === text) ?? states.find(state => state.toLowerCase().startsWith(text));
}

/** A table with the rows that were taken, and the present state. */
export function lifecycle(machine, taken, status) {
    const columnsOf = columns(machine.rows), place = new Map();
    columnsOf.forEach((column, x) => column.forEach((state, y) => place.set(state, { x: EDGE + x * ACROSS, y: EDGE + y * DOWN })));
    const tallest = Math.max(...columnsOf.map(column => column.length));
    const [width, height] = [columnsOf.length * ACROSS - (ACROSS - WIDTH) + 2 * EDGE, tallest * DOWN - (DOWN - HEIGHT) + 2 * EDGE];
    const now = taken.at(-1)?.to ?? stateOf(machine, status);
    const passed = new Set([...taken.flatMap(move => [move.from, move.to])]);
    const was = row => taken.some(move => move.from === row.from && move.to === row.to && move.on === row.on);
    const rows = machine.rows.filter(row => row.from !== row.to).sort((one, other) => was(one) - was(other));
    const edges = rows.map(row => {
        const kind = was(row) ? 'taken' : 'edge';
        return svg('path', { d: line(place.get(row.from), place.get(row.to)), class: `edge ${kind}`, 'marker-end': `url(#${machine.name}-${kind})` }, svg('title', {}, `${row.from}, ${row.on}: ${row.to}`));
    });
    const kind = state => (state === now ? `now ${toneOf(status)}` : passed.has(state) ? 'passed' : 'other');
    const arrow = name => svg('marker', { id: `${machine.name}-${name}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerUnits: 'userSpaceOnUse', markerWidth: 9, markerHeight: 9, orient: 'auto' }, svg('path', { d: 'M 0 0 L 8 4 L 0 8 z', class: `head ${name}` }));
    const label = `${machine.about}: ${taken.map(move => `${move.from} to ${move.to}`).join(', ') || 'no move is known'}; now ${now ?? status}`;
    return el('div.picture', { tabIndex: 0, role: 'group', 'aria-label': 'State table', 'data-key': machine.name },
        svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
            svg('defs', {}, arrow('edge'), arrow('taken')), edges, [...place].map(([state, where]) => box(state, where, kind(state)))));
}
