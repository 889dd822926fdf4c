import type { Context } from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ATTEMPT_MS,
  openAttempt,
  type SignOnAttempt,
  takeAttempt,
} from '../../../../src/cloud/people/signOn/signOnAttempt.ts';

const test = suite('cloud: a login at the issuer that a browser has begun');

const NOW = Date.UTC(2026, 5, 1);
const SECRET = 'a'.repeat(43);
const PLACES = { publicUrl: 'https://svc.example', fallback: '/' };

/** What these functions use of a request. */
interface Visit {
  query: Record<string, string>;
  req: { headers: { cookie: string } };
  append(name: string, value: string): void;
}

/** What `takeAttempt` makes of the cookie of such an attempt, with the state of its login or another one. */
function comeBack(changed: Partial<SignOnAttempt>, givenState?: string): SignOnAttempt | null {
  const cookies: string[] = [];
  const visit: Visit = {
    query: {},
    req: { headers: { cookie: '' } },
    append: (_, value) => cookies.push(value),
  };
  const ctx = visit as Partial<Context> as Context;
  const attempt = { secret: SECRET, next: '/', issuer: 'https://i', until: NOW + ATTEMPT_MS };
  const { state } = openAttempt(ctx, { ...attempt, ...changed }, PLACES);
  visit.query = { state: givenState ?? state };
  visit.req.headers.cookie = cookies[0]?.split(';')[0] ?? '';
  return takeAttempt(ctx, PLACES.publicUrl, NOW);
}

test('the browser that began it comes back with it (CLD-2)', () => {
  assert.is(comeBack({})?.secret, SECRET);
});

for (const until of [NOW, NOW - 1, NOW + 3 * ATTEMPT_MS, 1e300])
  test(`an attempt that is open until ${until - NOW} ms from now is none (CLD-2)`, () => {
    assert.is(comeBack({ until }), null);
  });

test('a state that this browser has not begun finds nothing (CLD-2)', () => {
  assert.is(comeBack({}, 'b'.repeat(43)), null);
  assert.is(comeBack({}, ''), null);
});

test.run();
