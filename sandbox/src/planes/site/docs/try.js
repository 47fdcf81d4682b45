// What the pages of the description do beyond being read: filter the index, remember a language, copy, follow the form
// with the code, sign in and send. Without this script the pages are complete, but for sending.

const one = (query, from = document) => from.querySelector(query);
const all = (query, from = document) => [...from.querySelectorAll(query)];
const element = (name, attributes = {}, ...children) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
};
const root = new URL(document.documentElement.dataset.root, location.href);

// Storage may be forbidden; then nothing is remembered.
const stored = (storage, name) => {
  try { return JSON.parse(window[storage].getItem(`fundsim-docs-${name}`)); } catch { return null; }
};
const store = (storage, name, value) => {
  try { window[storage].setItem(`fundsim-docs-${name}`, JSON.stringify(value)); } catch { /* as above */ }
};

// The index.
const index = one('#index');
const filter = one('#filter');
const opened = all('details', index).map((group) => group.open);
filter.hidden = false;
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  all('details', index).forEach((group, at) => {
    let inGroup = 0;
    for (const item of all('li', group)) {
      const link = one('a', item);
      const text = `${link.textContent} ${link.title} ${link.pathname}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      inGroup += !item.hidden;
    }
    group.hidden = inGroup === 0;
    group.open = words.length ? inGroup > 0 : opened[at];
    found += inGroup;
  });
  one('#nothing').hidden = found > 0;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
  event.preventDefault();
  if (!filter.offsetParent) index.showPopover?.();
  filter.focus();
});
// The page that is shown is in view; the rest of the window stays where it is.
const current = one('[aria-current]', index);
if (current && index.scrollHeight > index.clientHeight) index.scrollTop = current.offsetTop - index.clientHeight / 3;

// The call: everything below is made anew when the server gives other values.
// As the server writes it: a quotation mark would end the address in the code.
const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const formOf = (text) => new URLSearchParams(JSON.parse(text)).toString();
const words = { true: 'True', false: 'False', null: 'None' };
const bodies = {
  json: (text) => text,
  shell: (text) => text.replaceAll("'", "'\\''"),
  python: (text) => text.replace(/"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g, (part) => words[part] ?? part),
  form: formOf,
};

const values = (kind) => all(`[data-in="${kind}"]`).filter((input) => input.value !== '');
const query = () => values('query').map((input) => `${encoded(input.name)}=${encoded(input.value)}`).join('&');

function follow() {
  for (const input of all('[data-in="path"]')) {
    const text = input.value === '' ? `{${input.name}}` : encoded(input.value);
    for (const part of all(`[data-at="path.${input.name}"]`)) part.textContent = text;
  }
  for (const part of all('[data-at="query"]')) part.textContent = query() && `?${query()}`;
  const body = one('#body');
  if (!body) return;
  for (const part of all('[data-at="body"]')) {
    // A form cannot be written while its JSON is not whole.
    try { part.textContent = bodies[part.dataset.form](body.value); } catch { /* the last whole one stays */ }
  }
}

const credentials = () => {
  const kept = stored('sessionStorage', 'credentials') ?? {};
  const own = one('#sign-in')?.dataset ?? {};
  return { id: kept.id || own.clientId, secret: kept.secret || own.clientSecret, operator: kept.operator };
};

// A token is kept for the tab, so that not every page asks for one; a new one is asked for when it is no longer taken.
let held = stored('sessionStorage', 'token');
const keep = (token) => { held = token; store('sessionStorage', 'token', token); };
async function token(isNew) {
  const { id, secret } = credentials();
  if (!id || !secret) return null;
  if (!isNew && held?.id === id && held.until > Date.now()) return held.token;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(new URL('v2/partner/auth/token', root), { method: 'POST', body });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.error_description ?? `no token: ${answer.status}`);
  keep({ id, token: read.access_token, until: Date.now() + (read.expires_in - 30) * 1000 });
  return held.token;
}

async function authorization(demanded, isNew) {
  if (demanded === 'nothing') return null;
  const operator = credentials().operator;
  if (demanded === 'operator') return operator ? `Bearer ${operator}` : null;
  const shown = await token(isNew);
  if (shown) return `Bearer ${shown}`;
  return demanded === 'either' && operator ? `Bearer ${operator}` : null;
}

const SHOWN = ['request-id', 'content-type', 'location', 'retry-after', 'www-authenticate', 'x-ratelimit-remaining'];

async function send(form) {
  const { method, path, credentials: demanded, kind } = form.dataset;
  let target = path.slice(1);
  for (const input of values('path')) target = target.replace(`{${input.name}}`, encoded(input.value));
  const search = query();
  const headers = {};
  const options = { method, headers };
  const body = one('#body', form)?.value.trim();
  if (body) {
    headers['content-type'] = kind;
    options.body = kind.startsWith('application/x-www') ? formOf(body) : body;
  }
  const ask = async (isNew) => {
    const shown = await authorization(demanded, isNew);
    if (shown) headers.authorization = shown;
    const began = performance.now();
    const answer = await fetch(new URL(search ? `${target}?${search}` : target, root), options);
    const bytes = await read(answer);
    return { answer, bytes, ms: Math.round(performance.now() - began) };
  };
  const before = held?.token;
  const first = await ask(false);
  // The token ended with its time, or with the server that issued it.
  const isOld = first.answer.status === 401 && before && headers.authorization === `Bearer ${before}`;
  return isOld ? ask(true) : first;
}

// A stream of events has no end: what comes within three seconds is shown.
async function read(answer) {
  if (!answer.headers.get('content-type')?.includes('event-stream')) return answer.arrayBuffer();
  const reader = answer.body.getReader();
  const end = new Promise((stop) => { setTimeout(() => stop({ done: true }), 3000); });
  const next = () => Promise.race([reader.read(), end]);
  const parts = [];
  for (let part = await next(); !part.done; part = await next()) parts.push(part.value);
  reader.cancel();
  return new Blob(parts).arrayBuffer();
}

function shownBody(type, bytes) {
  if (bytes.byteLength === 0) return element('p', { className: 'facts' }, 'No body.');
  if (!/json|text|xml|yaml/.test(type)) return element('p', { className: 'facts' }, `${bytes.byteLength} bytes of ${type}`);
  let text = new TextDecoder().decode(bytes);
  try { if (type.includes('json')) text = pretty(text); } catch { /* as it came */ }
  return element('pre', { tabIndex: 0, ariaLabel: 'Body of the answer' }, element('code', {}, text));
}

// JSON with its numbers as they were written: a parser would lose the zeros of 500.00.
function pretty(text) {
  JSON.parse(text);
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return text.replace(/"(?:\\.|[^"\\])*"|[[{]\s*[\]}]|[[\]{},:]|\s+/g, (part) => {
    if (part[0] === '"') return part;
    if (/^\s/.test(part)) return '';
    if (/^[[{]\s*[\]}]$/.test(part)) return part[0] + part.at(-1);
    if (part === '{' || part === '[') { depth += 1; return part + line(); }
    if (part === '}' || part === ']') { depth -= 1; return line() + part; }
    return part === ',' ? part + line() : ': ';
  });
}

async function tried(form) {
  const place = one('#answer');
  const button = one('.send', form);
  button.disabled = true;
  place.hidden = false;
  place.replaceChildren(element('p', { className: 'facts' }, 'Sending\u2026'));
  try {
    const { answer, bytes, ms } = await send(form);
    const headers = SHOWN.filter((name) => answer.headers.has(name))
      .map((name) => element('div', {}, element('dt', {}, name), element('dd', {}, answer.headers.get(name))));
    const good = answer.ok ? 'good' : 'bad';
    place.replaceChildren(
      element('p', { className: `result ${good}` }, element('strong', {}, `${answer.status} ${answer.statusText}`), ` in ${ms} ms`),
      element('dl', { className: 'answers' }, ...headers),
      shownBody(answer.headers.get('content-type') ?? '', bytes),
    );
    place.dataset.status = answer.status;
  } catch (error) {
    place.replaceChildren(element('p', { className: 'result bad' }, `Nothing was sent: ${error.message}`));
    place.dataset.status = 'none';
  }
  button.disabled = false;
  one('#fresh').hidden = false;
}

// The same page once more, with the values that the token's partner has now.
async function refresh() {
  const own = one('#sign-in')?.dataset;
  const before = held?.token;
  const ask = async (isNew) => {
    const shown = await token(isNew);
    const headers = shown ? { authorization: `Bearer ${shown}`, 'fundsim-observer': 'true' } : {};
    const answer = await fetch(location.pathname, { headers });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const part = one('#prefilled', page);
    if (!part) throw new Error(`There are no fresh values: ${answer.status} ${answer.statusText}`);
    return { shown, part, box: one('#sign-in', part) };
  };
  let fresh = await ask(false);
  const { shown, box } = fresh;
  if (shown && shown === before && box && box.dataset.by !== 'token') fresh = await ask(true);
  // A token says whose the values are; the credentials of a private server stay with the page.
  if (fresh.box && own?.clientId) {
    Object.assign(fresh.box.dataset, { clientId: own.clientId, clientSecret: own.clientSecret });
  }
  one('#prefilled').replaceWith(document.adoptNode(fresh.part));
  prepare();
}

// Credentials that are not taken, or a page that is not there.
function refused(error) {
  const box = one('#sign-in');
  const place = one(box ? '#signed' : '#answer');
  if (box) box.open = true;
  if (!place) return;
  place.hidden = false;
  place.textContent = error.message;
}

function prepare() {
  const language = stored('localStorage', 'language');
  for (const choice of all('input[name="language"]')) {
    choice.checked = language ? choice.value === language : choice.checked;
    choice.addEventListener('change', () => store('localStorage', 'language', choice.value));
  }
  for (const button of all('.copy')) {
    button.hidden = !navigator.clipboard;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(one('code', button.parentElement).textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
  }
  const form = one('#try');
  if (form) {
    const body = one('#body');
    const { id, secret } = credentials();
    if (id && body?.value.includes('"client_secret"')) {
      body.value = JSON.stringify({ ...JSON.parse(body.value), client_id: id, client_secret: secret }, null, 2);
      follow();
    }
    one('.send').disabled = false;
    one('#without').remove();
    form.addEventListener('input', follow);
    form.addEventListener('submit', (event) => { event.preventDefault(); tried(form); });
    one('#fresh').addEventListener('click', () => refresh().catch(refused));
  }
  const entry = one('#credentials');
  entry?.addEventListener('submit', async (event) => {
    event.preventDefault();
    // What is left empty stays as it was.
    const kept = stored('sessionStorage', 'credentials') ?? {};
    const value = (id, before) => one(id)?.value.trim() || before;
    store('sessionStorage', 'credentials', {
      id: value('#client-id', kept.id),
      secret: value('#client-secret', kept.secret),
      operator: value('#operator-token', kept.operator),
    });
    keep(null);
    await refresh().catch(refused);
  });
  one('#forget')?.addEventListener('click', () => {
    store('sessionStorage', 'credentials', {});
    keep(null);
    location.reload();
  });
}

if (one('#prefilled')) {
  prepare();
  // Credentials that were put in on another page of the tab.
  if (stored('sessionStorage', 'credentials')?.id) refresh().catch(refused);
}
