// Jumps of the clock: what a button asks for, and the message about what happened on the way.
//
// Invariant: a jump is asked of the machinery as anybody may ask it. Absent on purpose: the clock that the frame shows.

import { post } from './api.js';
import { el } from './dom.js';
import { act } from './notices.js';
import { path } from './store.js';
import { count, moment } from './text.js';

export const advance = body => post(path('/clock/advance'), body);

export const advanced = answer => [el('strong', {}, `It is ${moment(answer.now)}. `), answer.count ? `${count(answer.count, 'thing')} came due on the way.` : 'Nothing came due on the way.'];

/** A button that lets time pass as `body` says: `{ to }`, or `{ until }` with what it is about. */
export const jump = (word, body, title) => act(word, () => advance(body), advanced, { key: `jump ${word}`, title });
