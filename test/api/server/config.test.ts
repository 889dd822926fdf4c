import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { ask, openSurface, problemIn, TOKEN, WITH_TOKEN } from '../../support/http/httpSurface.ts';

const test = suite('http config');

const JSON_BODY = { 'Content-Type': 'application/json', ...WITH_TOKEN };

test('GET /config answers with the configuration and the version of its file (HTTP-5)', async () => {
  await using surface = await openSurface();
  const { status, headers, json } = await ask(surface, '/config');
  assert.equal(status, 200);
  assert.equal(headers.etag, '"1"');
  assert.equal(json, surface.config.reply);
  assert.is(headers['cache-control'], 'no-store');
});

test('PUT /config hands on the patch and the version that it is meant for (HTTP-5)', async () => {
  await using surface = await openSurface();
  const body = JSON.stringify({ server: { port: 4000, host: null } });
  const { status, headers } = await ask(surface, '/config', {
    method: 'PUT',
    headers: { ...JSON_BODY, 'If-Match': '"0"' },
    body,
  });
  await ask(surface, '/config', { method: 'PUT', headers: JSON_BODY, body });
  assert.equal(status, 200);
  assert.equal(headers.etag, '"1"');
  assert.equal(surface.config.calls, [
    ['change', { server: { port: 4000, host: null } }, '"0"'],
    ['change', { server: { port: 4000, host: null } }, null],
  ]);
});

test('PUT /config takes a plain patch, and one that is named a merge patch; no other address does (HTTP-5)', async () => {
  await using surface = await openSurface();
  const put = (path: string, type: string) =>
    ask(surface, path, {
      method: 'PUT',
      headers: { 'Content-Type': type },
      body: '{"server":{"port":4000}}',
    });
  for (const type of [
    'application/json',
    'application/merge-patch+json',
    'application/merge-patch+json; charset=utf-8',
  ])
    assert.is((await put('/config', type)).status, 200, type);
  assert.equal(surface.config.calls, Array(3).fill(['change', { server: { port: 4000 } }, null]));
  assert.is((await put('/config', 'application/json-patch+json')).status, 415);
  assert.is(
    (await put('/intelligence/file?path=agents/a.md', 'application/merge-patch+json')).status,
    415,
  );
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  assert.is((await ask(surface, '/jobs', { method: 'POST', headers, body: '{}' })).status, 415);
});

test('refusals have their status and name the fields, never their values (HTTP-5)', async () => {
  await using surface = await openSurface();
  const put = () => ask(surface, '/config', { method: 'PUT', headers: JSON_BODY, body: '{}' });
  const statuses: number[] = [];
  for (const code of [
    'precondition-required',
    'precondition-failed',
    'invalid',
    'config-invalid',
    'store-failed',
  ] as const) {
    surface.config.failure = new SvcError(code, 'no', {
      errors: [{ pointer: '/server/port', message: 'must be a number' }],
    });
    const answer = await put();
    statuses.push(answer.status);
    assert.equal(Object(answer.json).errors, [
      { pointer: '/server/port', message: 'must be a number' },
    ]);
  }
  assert.equal(statuses, [428, 412, 422, 422, 503]);
  assert.is(
    problemIn(await ask(surface, '/config', { method: 'PUT', headers: JSON_BODY, body: '[1]' }))
      .code,
    'invalid',
  );
});

test('a secret in a body that is no JSON is repeated nowhere (HTTP-5)', async () => {
  await using surface = await openSurface();
  const body = '{ "cloud": { "token": "canary-in-a-body" ';
  const { status, text } = await ask(surface, '/config', {
    method: 'PUT',
    headers: JSON_BODY,
    body,
  });
  assert.is(status, 400);
  assert.not.match(text + JSON.stringify(surface.logged), 'canary-in-a-body');
});

test('the configuration is behind the token like everything else, and a foreign page cannot change it (HTTP-5)', async () => {
  await using surface = await openSurface({ auth: 'required' });
  assert.is((await ask(surface, '/config')).status, 401);
  const foreign = { ...JSON_BODY, Origin: 'https://evil.example.org' };
  assert.is(
    problemIn(await ask(surface, '/config', { method: 'PUT', headers: foreign, body: '{}' })).code,
    'foreign-origin',
  );
  assert.equal(surface.config.calls, []);
});

test("the client's methods carry the version (HTTP-5)", async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  const { etag } = await client.config();
  assert.equal(await client.updateConfig({ server: null }, etag), {
    etag: '"1"',
    reply: surface.config.reply,
  });
  assert.equal(surface.config.calls, [['read'], ['change', { server: null }, '"1"']]);
});

test.run();
