import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LoginBegin, LoginCode, VendorLogin } from '../../src/contract/runner/vendorLogin.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { openPlugin } from '../../src/plugins/openPlugin.ts';
import { callLoginPart } from '../../src/plugins/process/serveCalls.ts';
import {
  computePkceChallenge,
  LOGIN_MS,
  RunningLogins,
} from '../../src/plugins/login/runningLogins.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { codeOfRefusal, catchRefusal } from '../support/refusal.ts';

const test = suite('plugins running logins');

/** Logins of the executor `vendor`, with what it was asked and what was stored. */
function stage(more: Partial<VendorLogin> = {}) {
  const clock = new SimulatedClock();
  const begun: LoginBegin[] = [];
  const redeemed: LoginCode[] = [];
  const kept: unknown[] = [];
  let cancelled = 0;
  const login: VendorLogin = {
    async start(begin) {
      begun.push(begin);
      return { kind: 'browser', url: `https://vendor.example/?state=${begin.state}` };
    },
    async complete(answer) {
      redeemed.push(answer);
      return { token: 'canary-token' };
    },
    cancel: async () => void cancelled++,
    ...more,
  };
  const logins = new RunningLogins({
    clock,
    ids: randomIds,
    login: () => login,
    secretSettings: () => ['token'],
    screen: (_, text) => text.replaceAll('known-secret', '***'),
  });
  const keep = async (plugin: string, secrets: unknown) => {
    kept.push([plugin, secrets]);
    return ['restart.key'];
  };
  return {
    clock,
    begun,
    redeemed,
    kept,
    logins,
    keep,
    cancelled: () => cancelled,
    start: (session = 'me') => logins.start('vendor', session, 'http://runner/back'),
    callback: (answer: object, session = 'me') =>
      logins.callback(
        { executor: 'vendor', state: begun[0]?.state ?? '', ...answer },
        session,
        keep,
      ),
    phase: (session = 'me') => logins.status(session)[0]?.phase,
  };
}

test('the challenge of the standard belongs to its verifier (RFC 7636, appendix B)', () => {
  assert.is(
    computePkceChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

test('the verifier of a login belongs to its challenge, and is seen with the code alone (HTTP-7)', async () => {
  const one = stage();
  const view = await one.start();
  await one.callback({ code: 'abc' });
  const [begin] = one.begun;
  const [answer] = one.redeemed;
  assert.is(computePkceChallenge(answer?.codeVerifier ?? ''), begin?.codeChallenge);
  assert.is(begin?.codeChallengeMethod, 'S256');
  assert.is(JSON.stringify([view, begin]).includes(answer?.codeVerifier ?? '-'), false);
  assert.is(answer?.redirectUri, 'http://runner/back');
});

test('what a login got is stored, and its name alone is shown (HTTP-7)', async () => {
  const one = stage();
  await one.start();
  const reply = await one.callback({ code: 'abc' });
  assert.equal(one.kept, [['vendor', { token: 'canary-token' }]]);
  assert.equal(reply.written, { settings: ['token'], restart: ['restart.key'] });
  assert.is(JSON.stringify(reply).includes('canary-token'), false);
  assert.is(reply.login.phase, 'done');
});

test('a login is completed once (HTTP-7)', async () => {
  const one = stage();
  await one.start();
  await one.callback({ code: 'abc' });
  assert.is(await codeOfRefusal(() => one.callback({ code: 'abc' })), 'not-possible-now');
  assert.is(one.redeemed.length, 1);
});

test('a second callback while the first is on its way is refused (HTTP-7)', async () => {
  let settle = (_: { token: string }): void => {};
  const one = stage({ complete: () => new Promise((resolve) => (settle = resolve)) });
  await one.start();
  const first = one.callback({ code: 'abc' });
  assert.is(await codeOfRefusal(() => one.callback({ code: 'abc' })), 'not-possible-now');
  settle({ token: 't' });
  assert.is((await first).login.phase, 'done');
});

test('another session does not complete a login, nor see its address (HTTP-7)', async () => {
  const one = stage();
  await one.start('me');
  assert.is(await codeOfRefusal(() => one.callback({ code: 'abc' }, 'other')), 'forbidden');
  assert.is(one.logins.status('other')[0]?.url, null);
  assert.is(one.logins.status('other')[0]?.state, null);
  assert.is(one.logins.status('other')[0]?.own, false);
  assert.is(one.phase(), 'waiting');
});

test('a wrong state is refused, and the login waits on (HTTP-7)', async () => {
  const one = stage();
  await one.start();
  assert.is(await codeOfRefusal(() => one.callback({ code: 'a', state: 'wrong' })), 'forbidden');
  assert.is(one.redeemed.length, 0);
  assert.is(one.phase(), 'waiting');
});

test('one login of an executor is in progress at a time (HTTP-7)', async () => {
  const one = stage();
  await one.start();
  assert.is(await codeOfRefusal(() => one.start()), 'conflict');
  assert.is(one.begun.length, 1);
});

test('two beginnings at the same time are one login (HTTP-7)', async () => {
  const one = stage();
  const [first, second] = await Promise.allSettled([one.start(), one.start()]);
  assert.equal([first?.status, second?.status], ['fulfilled', 'rejected']);
});

test('no one completes a login after its time (HTTP-7)', async () => {
  const one = stage();
  await one.start();
  one.clock.advance(LOGIN_MS - 1);
  assert.is(one.phase(), 'waiting');
  one.clock.advance(1);
  assert.is(await codeOfRefusal(() => one.callback({ code: 'abc' })), 'not-possible-now');
  assert.is(one.phase(), 'expired');
  assert.is((await one.start()).phase, 'waiting');
});

test('a cancelled login is over for the executor, too (HTTP-7)', async () => {
  const one = stage();
  await one.start();
  await one.logins.cancel('vendor');
  assert.is(one.cancelled(), 1);
  assert.is(one.phase(), 'cancelled');
  assert.is(await codeOfRefusal(() => one.logins.cancel('vendor')), 'not-found');
});

test('a refusal of the vendor ends the login and is passed on (HTTP-7)', async () => {
  const one = stage();
  await one.start();
  const error = await catchRefusal(() =>
    one.callback({ error: 'access_denied', errorDescription: 'Not you.' }),
  );
  assert.is(error.code, 'forbidden');
  assert.match(error.message, /access_denied Not you\./);
  assert.is(one.phase(), 'failed');
});

test('no code, state, verifier or known secret is in an error (HTTP-7)', async () => {
  const one = stage({
    complete: async ({ code, state, codeVerifier }) => {
      throw new Error(`bad ${code} ${state} ${codeVerifier} known-secret`);
    },
  });
  await one.start();
  const error = await catchRefusal(() => one.callback({ code: 'canary-code-1' }));
  assert.match(error.message, /^bad \S+ \S+ \S+ \*\*\*$/);
  assert.is(/canary-code-1/.test(error.message), false);
  assert.is(error.message.includes(one.begun[0]?.state ?? '-'), false);
  assert.is(JSON.stringify(one.logins.status('me')).includes('canary-code-1'), false);
});

test('what is no secret setting is not stored (HTTP-7)', async () => {
  for (const got of [{}, { other: 'x' }, { token: '' }, { token: 7 }, null]) {
    const one = stage({ complete: async () => got as never });
    await one.start();
    assert.is(await codeOfRefusal(() => one.callback({ code: 'abc' })), 'invalid');
    assert.equal(one.kept, []);
  }
});

test('an address that is not of the web is not shown to anyone (HTTP-7)', async () => {
  const one = stage({ start: async () => ({ kind: 'browser', url: 'javascript:alert(1)' }) });
  assert.is(await codeOfRefusal(() => one.start()), 'invalid');
  assert.equal(one.logins.status('me'), []);
});

test('a device code is asked for no more often than its vendor allows (HTTP-7)', async () => {
  let polls = 0;
  const one = stage({
    start: async (begin) => {
      one.begun.push(begin);
      const url = 'https://vendor.example/device';
      return { kind: 'device', url, userCode: 'AB-CD', deviceCode: 'd1', intervalMs: 5_000 };
    },
    poll: async () => (++polls < 2 ? null : { token: 'canary-token' }),
  });
  const view = await one.start();
  assert.is(view.userCode, 'AB-CD');
  assert.is(JSON.stringify(view).includes('d1"'), false);
  assert.is((await one.callback({})).written, null);
  assert.is(polls, 0);
  one.clock.advance(5_000);
  assert.is((await one.callback({})).login.phase, 'waiting');
  one.clock.advance(5_000);
  assert.is((await one.callback({})).login.phase, 'done');
});

test('a part that a login has not is no fault of the plugin (HTTP-7)', async () => {
  const login = { start: async () => ({}), complete: async () => ({ token: 't' }) } as never;
  const call = (method: 'complete' | 'longLivedToken') =>
    callLoginPart(login, { method, args: [] });
  assert.equal(await call('complete'), { token: 't' });
  assert.is(await codeOfRefusal(() => call('longLivedToken')), 'not-possible-now');
});

test('a plugin whose manifest offers a login has one (HTTP-7)', async () => {
  const capabilities = {
    steering: false,
    foldMidTurn: false,
    cancelsToolCalls: false,
    resume: false,
    skills: false,
    systemPrompt: false,
  };
  const manifest = {
    contract: 1,
    id: 'vendor',
    kind: 'executor',
    title: 'V',
    entry: './index.js',
    capabilities,
    offers: ['login'],
  } as const;
  const open = (login: unknown) => {
    const create = () => ({ capabilities, run: async () => {}, login }) as never;
    return openPlugin(
      { kind: 'executor', create },
      { ...manifest, offers: ['login'] },
      {} as never,
    );
  };
  const start = () => {};
  for (const login of [undefined, null, {}, { start }, () => {}])
    assert.is(await codeOfRefusal(() => open(login)), 'invalid');
  assert.is(Object(await open({ start, complete: start })).login.start, start);
});

test('an executor without lasting tokens reports it (HTTP-7)', async () => {
  const one = stage();
  assert.is(
    await codeOfRefusal(() => one.logins.longLivedToken('vendor', one.keep)),
    'not-possible-now',
  );
});

test('a lasting token is stored as that of a login (HTTP-7)', async () => {
  const one = stage({ longLivedToken: async () => ({ token: 'canary-lasting' }) });
  await one.logins.longLivedToken('vendor', one.keep);
  assert.equal(one.kept, [['vendor', { token: 'canary-lasting' }]]);
});

test.run();
