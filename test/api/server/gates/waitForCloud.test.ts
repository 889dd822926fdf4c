import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AWAY_REQUEST_MS } from '../../../../src/api/server/gates/waitForCloud.ts';
import { JOB_ID } from '../../../support/http/fakeFacade.ts';
import { ask, openSurface, post } from '../../../support/http/httpSurface.ts';

const test = suite('http: a control plane that is away');

const SINCE = Date.UTC(2026, 0, 1);

test('a change is refused at once, and was not begun', async () => {
  await using surface = await openSurface({ awaySince: () => SINCE });
  const answer = await post(surface, `/jobs/${JOB_ID}/cancel`, {});
  const { status, code, since, mayTakeEffect } = Object(answer.json);
  assert.equal(
    [status, code, since, mayTakeEffect],
    [503, 'cloud-unreachable', '2026-01-01T00:00:00.000Z', false],
  );
  assert.equal(surface.runner.calls, []);
});

test('what only shows something is answered', async () => {
  await using surface = await openSurface({ awaySince: () => SINCE });
  assert.is((await ask(surface, '/health')).status, 200);
  assert.is((await ask(surface, `/jobs/${JOB_ID}`)).status, 200);
});

test('a person can still log in, to see and repair the connection', async () => {
  await using surface = await openSurface({ awaySince: () => SINCE });
  const answer = await post(surface, '/logins', {});
  assert.is(answer.status, 201);
});

test('a change that has begun is answered after 10 s: it may still take effect', async () => {
  let awaySince: number | null = null;
  await using surface = await openSurface({ awaySince: () => awaySince });
  let isBegun = () => {};
  const changeStart = new Promise<void>((resolve) => {
    isBegun = resolve;
  });
  surface.runner.cancel = () => {
    isBegun();
    return new Promise(() => {});
  };
  const answer = post(surface, `/jobs/${JOB_ID}/cancel`, {});
  await changeStart;
  awaySince = SINCE;
  surface.clock.advance(AWAY_REQUEST_MS);
  const { code, mayTakeEffect } = Object((await answer).json);
  assert.equal([code, mayTakeEffect], ['cloud-unreachable', true]);
});

test.run();
