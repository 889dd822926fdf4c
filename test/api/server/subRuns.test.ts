import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { CAMPAIGN, JOB_ID, SUB_RUN_EFFECTS } from '../../support/http/fakeFacade.ts';
import { ask, openSurface, post, problemIn, TOKEN } from '../../support/http/httpSurface.ts';

const test = suite('http sub-runs');

const SUB_RUNS = `/jobs/${JOB_ID}/sub-runs`;
const REPLY = { jobId: JOB_ID, name: 'api', status: 'skipped', ...SUB_RUN_EFFECTS };

test('GET /jobs/:jobId/sub-runs is the campaign; a job without sub-runs has none (SUB-1)', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, SUB_RUNS);
  assert.equal(answer.status, 200);
  assert.equal(answer.json, CAMPAIGN);
  surface.runner.failure = new SvcError('not-found', 'It coordinates nothing.');
  assert.equal(problemIn(await ask(surface, SUB_RUNS)), {
    status: 404,
    code: 'not-found',
    detail: 'It coordinates nothing.',
  });
});

for (const [action, method] of [
  ['skip', 'skipSubRun'],
  ['rerun', 'rerunSubRun'],
  ['cancel', 'cancelSubRun'],
] as const) {
  test(`${action} takes a reason or nothing, and an Idempotency-Key (SUB-6)`, async () => {
    await using surface = await openSurface();
    const path = `${SUB_RUNS}/api/${action}`;
    const answer = await post(
      surface,
      path,
      { reason: 'not needed' },
      { 'Idempotency-Key': 'once' },
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.json, REPLY);
    assert.equal(answer.headers.deprecation, undefined);
    assert.is((await ask(surface, path, { method: 'POST' })).status, 200);
    const body = { reason: 'not needed' };
    const key = { key: 'once', bodyHash: sha256(`POST\n${path}\n${JSON.stringify(body)}`) };
    assert.equal(surface.runner.calls, [
      [method, JOB_ID, 'api', body, key],
      [method, JOB_ID, 'api', {}, undefined],
    ]);
  });
}

test('a patch of params is only for rerun; with skip and cancel it is refused by name, and nothing happens (SUB-6)', async () => {
  await using surface = await openSurface();
  const paramsPatch = { retries: 3 };
  assert.is((await post(surface, `${SUB_RUNS}/api/rerun`, { paramsPatch })).status, 200);
  assert.equal(surface.runner.calls, [['rerunSubRun', JOB_ID, 'api', { paramsPatch }, undefined]]);
  for (const path of [
    'sub-runs/api/skip',
    'sub-runs/api/cancel',
    'children/api/skip',
    'children/api/cancel',
    'children/api/abandon',
  ]) {
    const { status, json } = await post(surface, `/jobs/${JOB_ID}/${path}`, { paramsPatch });
    assert.equal(status, 422, path);
    assert.equal(
      Object(json).errors,
      [{ pointer: '/paramsPatch', message: 'is not known here; known are reason' }],
      path,
    );
  }
  const whatIf = await post(surface, `${SUB_RUNS}/api/what-if`, { action: 'skip', paramsPatch });
  assert.equal(whatIf.status, 422);
  assert.equal(Object(whatIf.json).errors, [
    { pointer: '/paramsPatch', message: 'is only for rerun' },
  ]);
  assert.is(surface.runner.calls.length, 1);
});

test('what-if answers what would change (SUB-6)', async () => {
  await using surface = await openSurface();
  const body = { action: 'rerun', reason: 'again', paramsPatch: { retries: 3 } };
  const { status, json } = await post(surface, `${SUB_RUNS}/api/what-if`, body);
  assert.equal(status, 200);
  assert.equal(json, { refused: null, ...SUB_RUN_EFFECTS });
  assert.equal(surface.runner.calls, [['subRunWhatIf', JOB_ID, 'api', body]]);
  const unknown = await post(surface, `${SUB_RUNS}/api/what-if`, { action: 'abandon' });
  assert.equal(unknown.status, 422);
  assert.equal(Object(unknown.json).errors, [
    { pointer: '/action', message: 'must be one of "skip", "unskip", "rerun", "cancel"' },
  ]);
});

test("the command line's own calls of older addresses are counted apart (RUN-7)", async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url, token: TOKEN, userAgent: 'svc-cli/0.2.0' });
  await client.skipChild(JOB_ID, 'api');
  await client.jobs({ campaignParentId: JOB_ID });
  assert.equal(
    surface.runner.calls.map(([method, first, second]) => [
      method,
      method === 'jobs' ? Object(first).own : second,
    ]),
    [
      ['deprecatedUse', true],
      ['skipSubRun', 'api'],
      ['jobs', true],
    ],
  );
});

const CHILD_ACTIONS: [older: string, action: string, method: string][] = [
  ['skip', 'skip', 'skipSubRun'],
  ['rerun', 'rerun', 'rerunSubRun'],
  ['cancel', 'cancel', 'cancelSubRun'],
  ['abandon', 'cancel', 'cancelSubRun'],
  // One that has not ended is left alone.
  ['resume', 'rerun', 'beginSubRun'],
  ['start', 'rerun', 'beginSubRun'],
];
for (const [older, action, method] of CHILD_ACTIONS) {
  test(`the older address children/:name/${older} is ${action}, is answered as deprecated and counted (SUB-6 RUN-7)`, async () => {
    await using surface = await openSurface();
    const { status, json, headers } = await post(surface, `/jobs/${JOB_ID}/children/api/${older}`, {
      reason: 'r',
    });
    assert.equal(status, 200);
    assert.equal(json, REPLY);
    assert.match(String(headers.deprecation), /^@\d{10}$/);
    assert.is(headers.link, `<${SUB_RUNS}/api/${action}>; rel="successor-version"`);
    assert.equal(surface.runner.calls, [
      ['deprecatedUse', 'path /jobs/:jobId/children'],
      [method, JOB_ID, 'api', { reason: 'r' }, undefined],
    ]);
  });
}

test('a name that no sub-run can have is not found, whatever it tries to be', async () => {
  await using surface = await openSurface();
  for (const name of ['API', '..%2f..', '%00', `${'x'.repeat(65)}`, '-a'])
    assert.is((await post(surface, `${SUB_RUNS}/${name}/skip`, {})).status, 404, name);
  assert.equal(surface.runner.calls, []);
});

test('what is not possible now is refused with the reason', async () => {
  await using surface = await openSurface();
  surface.runner.failure = new SvcError('not-possible-now', 'web is complete.', {
    data: { state: ['settled'] },
  });
  const answer = await post(surface, `${SUB_RUNS}/web/cancel`, {});
  assert.equal(problemIn(answer), {
    status: 409,
    code: 'not-possible-now',
    detail: 'web is complete.',
  });
});

test('POST /jobs takes sub-runs that were written by hand, and says which field of them is wrong (CLI-3)', async () => {
  await using surface = await openSurface();
  const body = {
    type: 'campaign',
    workflowPath: 'workflows/campaign.md',
    params: { repoSlug: 'acme/site', description: 'split it' },
    subRuns: [{ name: 'api', description: 'the api' }],
    coordinator: { maxParallelSubRuns: 2, failurePolicy: 'continue' },
  };
  assert.is((await post(surface, '/jobs', body)).status, 201);
  assert.equal(surface.runner.calls, [['createJob', body, undefined]]);
  const wrong = await post(surface, '/jobs', {
    ...body,
    subRuns: [{ name: 'api', descripton: 'the api' }],
  });
  assert.equal(
    Object(wrong.json).errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/subRuns/0/description', '/subRuns/0/descripton'],
  );
});

test('the client has a method for each of them', async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  assert.equal(await client.campaign(JOB_ID), CAMPAIGN);
  assert.equal(await client.subRunWhatIf(JOB_ID, 'api', { action: 'skip' }), {
    refused: null,
    ...SUB_RUN_EFFECTS,
  });
  const command = { idempotencyKey: 'k' };
  const paramsPatch = { retries: 3 };
  assert.equal(await client.skipSubRun(JOB_ID, 'api', { reason: 'r' }, command), REPLY);
  assert.equal(await client.rerunSubRun(JOB_ID, 'api', { paramsPatch }), REPLY);
  assert.equal(await client.cancelSubRun(JOB_ID, 'api'), REPLY);
  assert.equal(await client.rerunChild(JOB_ID, 'api', { paramsPatch }), REPLY);
  assert.equal(
    surface.runner.calls.map(([method, , , body]) => [method, body]),
    [
      ['campaign', undefined],
      ['subRunWhatIf', { action: 'skip' }],
      ['skipSubRun', { reason: 'r' }],
      ['rerunSubRun', { paramsPatch }],
      ['cancelSubRun', {}],
      ['deprecatedUse', undefined],
      ['rerunSubRun', { paramsPatch }],
    ],
  );
});

test.run();
