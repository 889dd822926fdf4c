import type { Context } from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  readHostCookie,
  removeHostCookie,
  setHostCookie,
} from '../../../src/cloud/people/sessions/hostCookies.ts';

const test = suite('cloud: cookies of browsers');

const HTTPS = 'https://svc.example';
const HTTP = 'http://localhost:4000';

/** What these functions use of a request. */
interface Visit {
  req: { headers: { cookie: string } };
  append(name: string, value: string): void;
}

function openVisit(cookie = '') {
  const set: string[] = [];
  const visit: Visit = { req: { headers: { cookie } }, append: (_, value) => set.push(value) };
  return { ctx: visit as Partial<Context> as Context, set };
}

test('with https a cookie is of this host alone: prefix, Secure, every path, no domain (CLD-2)', () => {
  const { ctx, set } = openVisit();
  setHostCookie(ctx, HTTPS, { name: 'login', value: 'x', maxAge: 60 });
  removeHostCookie(ctx, HTTPS, 'login');
  assert.equal(set, [
    '__Host-login=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    '__Host-login=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ]);
});

test('one that another host of the domain has planted is not read (CLD-2)', () => {
  const { ctx } = openVisit('login=planted; __Host-login=own');
  assert.is(readHostCookie(ctx, HTTPS, 'login'), 'own');
  assert.is(readHostCookie(openVisit('login=planted').ctx, HTTPS, 'login'), null);
});

test('without https, as on this machine, browsers take no such prefix (CLD-2)', () => {
  const { ctx, set } = openVisit('login=own');
  setHostCookie(ctx, HTTP, { name: 'login', value: 'x', maxAge: null });
  assert.equal(set, ['login=x; Path=/; HttpOnly; SameSite=Lax']);
  assert.is(readHostCookie(ctx, HTTP, 'login'), 'own');
});

test.run();
