// Where the console is, as its address says it: `#/world-1/orders/<id>?status=hold&q=anna`.
//
// Invariant: an address alone brings a person back to what it was taken from; Back goes to what was shown before. What is typed into a
// search replaces the address and adds nothing to the history. Absent on purpose: what is shown there.

export const VIEWS = [
    ['accounts', 'Accounts'], ['orders', 'Orders'], ['journeys', 'Journeys'], ['events', 'Events'], ['requests', 'Requests'],
    ['deliveries', 'Deliveries'], ['faults', 'Faults'], ['levers', 'Levers'], ['worlds', 'Worlds'], ['webhooks', 'Webhooks'], ['pictures', 'Pictures'],
];

/** What a record of a view is called. */
export const KINDS = { accounts: 'account', orders: 'order', journeys: 'journey', events: 'event', requests: 'request', deliveries: 'delivery', webhooks: 'webhook', pictures: 'picture', why: 'id' };

const PLURALS = Object.fromEntries(Object.entries(KINDS).map(([view, kind]) => [kind, view]));

/** Where the address leads: { world, view, id, client, q, status }. */
export function here() {
    const [way, query] = location.hash.replace(/^#\/?/, '').split('?');
    const [world, view, id] = way.split('/').map(part => { try { return decodeURIComponent(part); } catch { return ''; } });
    const asked = new URLSearchParams(query);
    const isKnown = view === 'why' || VIEWS.some(([name]) => name === view);
    return { world: world || null, view: isKnown ? view : 'accounts', id: (isKnown && id) || null, client: asked.get('client'), q: asked.get('q') ?? '', status: asked.get('status') ?? '' };
}

export function addressOf({ world, view, id, client, q, status }) {
    const query = new URLSearchParams(Object.entries({ client, q, status }).filter(([, value]) => value));
    const text = String(query);
    return `#/${[world, view, id].filter(Boolean).map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

/** Goes there; what is not given stays as it is, but what is picked, searched and filtered belongs to its view. */
export function go(to) {
    location.hash = toward(to);
}

export function toward(to) {
    const now = here(), view = to.view ?? now.view;
    const kept = view === now.view && !to.world ? { q: now.q, status: now.status } : {};
    return addressOf({ world: now.world, client: now.client, ...kept, ...to, view });
}

/** The same place with another search or filter. */
export function refine(change) {
    history.replaceState(null, '', addressOf({ ...here(), ...change }));
    dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Where a resource is shown; anything that has an id has at least its causes. */
export function placeOf(kind, id) {
    return toward({ view: PLURALS[kind] ?? 'why', id });
}
