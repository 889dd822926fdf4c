import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, openSurface, WITH_TOKEN } from '../../support/http/httpSurface.ts';

const test = suite('http: requests through a tunnel');

const JSON_TYPE = { 'Content-Type': 'application/json' };

test('auth auto asks everybody for the token whom a tunnel or a proxy has brought, but for deliveries of forges', async () => {
  await using surface = await openSurface();
  const marks = [
    { 'X-Forwarded-For': '203.0.113.9' },
    { Forwarded: 'for=203.0.113.9' },
    { 'CF-Connecting-IP': '203.0.113.9' },
    { Via: '1.1 tunnel' },
  ];
  for (const headers of marks) {
    assert.is((await ask(surface, '/jobs', { headers })).status, 401, JSON.stringify(headers));
    assert.is(
      (await ask(surface, '/jobs', { headers: { ...headers, ...WITH_TOKEN } })).status,
      200,
    );
    const hook = await ask(surface, '/webhooks/github', {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body: '{}',
    });
    assert.is.not(hook.status, 401);
  }
  await using off = await openSurface({ auth: 'off' });
  assert.is((await ask(off, '/jobs', { headers: { Via: '1.1 tunnel' } })).status, 200);
});

test.run();
