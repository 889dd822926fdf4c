import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, openSurface } from '../../support/http/httpSurface.ts';

const test = suite('http webhooks');

const POST = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };

// https://linear.app/developers/webhooks: every status but 200 is a failure, and is sent again.
test('a delivery that was taken is answered with 202, and with 200 for Linear (EVT-3)', async () => {
  await using surface = await openSurface({ webhooks: true });
  const readStatus = async (plugin: string) =>
    (await ask(surface, `/webhooks/${plugin}`, POST)).status;
  assert.equal([await readStatus('github'), await readStatus('linear')], [202, 200]);
});

test('a challenge is answered with its text alone, which no browser takes for a page', async () => {
  await using surface = await openSurface({ webhooks: true });
  surface.runner.webhook = async () => ({
    accepted: true,
    duplicate: false,
    challenge: '<b>x</b>',
  });
  const { status, headers, text } = await ask(surface, '/webhooks/slack', POST);
  assert.equal([status, text], [200, '<b>x</b>']);
  assert.is(headers['content-type'], 'text/plain; charset=utf-8');
  assert.is(headers['x-content-type-options'], 'nosniff');
});

test.run();
