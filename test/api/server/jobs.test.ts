import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { ESTIMATE, JOB_ID, toJob, createSummary } from '../../support/http/fakeFacade.ts';
import { ask, openSurface, post } from '../../support/http/httpSurface.ts';

const test = suite('http jobs');

const BODY = {
  type: 'job',
  workflowPath: 'workflows/job.md',
  params: { repoSlug: 'acme/site', description: 'fix it' },
};

test('POST /jobs answers 201 with where the job is (HTTP-1)', async () => {
  await using surface = await openSurface();
  const answer = await post(surface, '/jobs', BODY);
  assert.is(answer.status, 201);
  assert.is(answer.headers.location, `/jobs/${JOB_ID}`);
  assert.equal(answer.json, {
    jobId: JOB_ID,
    status: 'queued',
    streamUrl: `/jobs/${JOB_ID}/stream`,
  });
  assert.equal(surface.runner.calls, [['createJob', BODY, undefined]]);
});

test('POST /jobs/estimate answers what the job may use, and creates nothing (JOB-16)', async () => {
  await using surface = await openSurface();
  const answer = await post(surface, '/jobs/estimate', BODY);
  assert.equal(answer.json, ESTIMATE);
  assert.equal(surface.runner.calls, [['estimateJob', BODY]]);
});

test('Idempotency-Key reaches the runner with a hash of method, path and body (HTTP-1)', async () => {
  await using surface = await openSurface();
  await post(surface, '/jobs', BODY, { 'Idempotency-Key': 'once' });
  await post(surface, `/jobs/${JOB_ID}/pause`, {}, { 'Idempotency-Key': 'once' });
  assert.equal(surface.runner.calls, [
    ['createJob', BODY, { key: 'once', bodyHash: sha256(`POST\n/jobs\n${JSON.stringify(BODY)}`) }],
    ['pause', JOB_ID, { key: 'once', bodyHash: sha256(`POST\n/jobs/${JOB_ID}/pause\n{}`) }],
  ]);
});

test('an Idempotency-Key longer than 128 characters is refused before anything happens (HTTP-1)', async () => {
  await using surface = await openSurface();
  const answer = await post(surface, '/jobs', BODY, { 'Idempotency-Key': 'x'.repeat(129) });
  assert.is(answer.status, 400);
  assert.equal(surface.runner.calls, []);
});

test('GET /jobs takes filters and gives a page, the total and the neighbours (HTTP-2)', async () => {
  await using surface = await openSurface();
  const summaries = Array.from({ length: 5 }, (_, index) => createSummary(`svc-job-${index}`));
  surface.runner.summaries.clear();
  for (const summary of summaries) surface.runner.summaries.set(summary.id, summary);
  const answer = await ask(
    surface,
    '/jobs?status=coding&type=job&parentJobId=svc-job-9&limit=2&offset=2',
  );
  assert.is(answer.status, 200);
  assert.equal(answer.json, summaries.slice(2, 4));
  assert.is(answer.headers['x-total-count'], '5');
  const filters = 'status=coding&type=job&parentJobId=svc-job-9&limit=2';
  assert.is(
    answer.headers.link,
    `</jobs?${filters}&offset=4>; rel="next", </jobs?${filters}&offset=0>; rel="prev"`,
  );
  assert.equal(surface.runner.calls, [
    ['jobs', { status: 'coding', type: 'job', parentJobId: 'svc-job-9', limit: 2, offset: 2 }],
  ]);
});

test('GET /jobs without a query gives the first 50; campaignParentId is passed on and answered as deprecated (HTTP-2 RUN-7)', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, '/jobs');
  assert.is(answer.headers.link, undefined);
  const legacy = await ask(surface, '/jobs?campaignParentId=p');
  assert.equal(answer.headers.deprecation, undefined);
  assert.equal(typeof legacy.headers.deprecation, 'string');
  assert.equal(surface.runner.calls, [
    ['jobs', { limit: 50, offset: 0 }],
    ['jobs', { campaignParentId: 'p', limit: 50, offset: 0 }],
  ]);
});

test('a query that is not understood is refused with the name of the parameter (HTTP-2)', async () => {
  await using surface = await openSurface();
  const readQueryErrors = async (query: string) => {
    const { status, json } = await ask(surface, `/jobs?${query}`);
    const { code, errors, detail } = Object(json);
    return { status, code, errors: errors ?? detail };
  };
  assert.equal(await readQueryErrors('limit=501'), {
    status: 400,
    code: 'bad-argument',
    errors: [{ pointer: '?limit', message: 'must be at most 500' }],
  });
  assert.equal(await readQueryErrors('limit=many'), {
    status: 400,
    code: 'bad-argument',
    errors: [{ pointer: '?limit', message: 'must be integer' }],
  });
  assert.equal(await readQueryErrors('statsu=x'), {
    status: 400,
    code: 'bad-argument',
    errors: [{ pointer: '?statsu', message: 'is not known here; did you mean "status"?' }],
  });
  assert.equal(await readQueryErrors('type=a&type=b'), {
    status: 400,
    code: 'bad-argument',
    errors: 'The query parameter type is given more than once.',
  });
  assert.equal(await readQueryErrors('parentJobId=a&campaignParentId=b'), {
    status: 400,
    code: 'bad-argument',
    errors: 'parentJobId and its older name campaignParentId name different jobs; send only one.',
  });
  assert.equal(surface.runner.calls, []);
});

test('GET /jobs/:jobId gives the whole job (HTTP-1)', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, `/jobs/${JOB_ID}`);
  assert.is(answer.status, 200);
  assert.is(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.json, toJob(createSummary(JOB_ID)));
});

test('every command hands its parts to the runner and answers with the state it led to (HTTP-1)', async () => {
  await using surface = await openSurface();
  const reply = { jobId: JOB_ID, status: 'queued', phase: 'planning', state: ['queued'], seq: 2 };
  const of = async (path: string, body: unknown) => {
    const { status, json } = await post(surface, `/jobs/${JOB_ID}/${path}`, body);
    assert.equal(status, 200);
    assert.equal(json, reply);
    return surface.runner.calls.pop();
  };
  assert.equal(await of('resume', { eventKey: 'approve', shown: 'abc' }), [
    'resume',
    JOB_ID,
    { eventKey: 'approve', shown: 'abc' },
    undefined,
  ]);
  assert.is(surface.runner.resumedBy, 'token');
  assert.equal(await of('cancel', { reason: 'too slow' }), [
    'cancel',
    JOB_ID,
    { reason: 'too slow' },
    undefined,
  ]);
  assert.equal(await of('cancel', {}), ['cancel', JOB_ID, {}, undefined]);
  assert.equal(await of('pause', {}), ['pause', JOB_ID, undefined]);
  assert.equal(await of('message', { message: 'use tabs' }), [
    'message',
    JOB_ID,
    { message: 'use tabs' },
    undefined,
  ]);
  assert.equal(await of('phases/code%20review/rerun', {}), [
    'rerun',
    JOB_ID,
    'code review',
    undefined,
  ]);
});

test('where no credential is required, the runner learns that the approver was not authenticated (HTTP-1 JOB-5)', async () => {
  await using surface = await openSurface({ auth: 'off' });
  await fetch(`${surface.url}/jobs/${JOB_ID}/resume`, { method: 'POST' });
  assert.is(surface.runner.resumedBy, 'open');
});

test('commands whose body may be left out work without one, as curl -X POST sends them (HTTP-1)', async () => {
  await using surface = await openSurface();
  for (const command of ['resume', 'cancel', 'pause', 'phases/coding/rerun']) {
    assert.is(
      (await ask(surface, `/jobs/${JOB_ID}/${command}`, { method: 'POST' })).status,
      200,
      command,
    );
    const typed = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': '0' },
    };
    assert.is((await ask(surface, `/jobs/${JOB_ID}/${command}`, typed)).status, 200, command);
  }
});

test('insights are listed and removed (HTTP-1, JOB-10)', async () => {
  await using surface = await openSurface();
  const list = await ask(surface, `/jobs/${JOB_ID}/insights`);
  assert.equal(list.json, [
    {
      id: 'i1',
      category: 'pitfall',
      text: 'mind the gap',
      phase: 'planning',
      at: '2026-01-01T00:00:00.000Z',
    },
  ]);
  const removed = await ask(surface, `/jobs/${JOB_ID}/insights/i1`, { method: 'DELETE' });
  assert.equal(removed.status, 204);
  assert.equal(removed.text, '');
  assert.equal(surface.runner.calls.at(-1), ['removeInsight', JOB_ID, 'i1']);
});

test('the questions about a chart: why, what-if, machine, journal with a link to the next rows', async () => {
  await using surface = await openSurface();
  assert.equal(Object((await ask(surface, `/jobs/${JOB_ID}/why`)).json).waitsFor, ['a free slot']);
  const whatIf = await post(surface, `/jobs/${JOB_ID}/what-if`, {
    event: { type: 'cancel', reason: 'x' },
  });
  assert.equal(whatIf.status, 200);
  assert.equal(Object(whatIf.json).value, 'ended');
  assert.equal(surface.runner.calls.at(-1), ['whatIf', JOB_ID, { type: 'cancel', reason: 'x' }]);
  assert.equal(Object((await ask(surface, `/jobs/${JOB_ID}/machine`)).json).accepts, [
    'job.cancel',
  ]);
  const journal = await ask(surface, `/jobs/${JOB_ID}/journal?after=1&limit=1`);
  assert.equal(surface.runner.calls.at(-1), ['journal', JOB_ID, 1, 1]);
  assert.is(journal.headers.link, `</jobs/${JOB_ID}/journal?after=2&limit=1>; rel="next"`);
});

test('the local forge: a slug with a slash is one segment when it is encoded', async () => {
  await using surface = await openSurface();
  const prs = '/forges/local/repos/acme%2Fsite/prs';
  assert.equal(Object((await ask(surface, prs)).json)[0].prId, 'local:acme/site#1');
  assert.equal(Object((await ask(surface, `${prs}/1`)).json).thread, []);
  const diff = await ask(surface, `${prs}/1/diff`);
  assert.equal(diff.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(diff.text, 'diff --git a/x b/x\n');
  await ask(surface, `${prs}/1/approve`, { method: 'POST' });
  await post(
    surface,
    `${prs}/1/comment`,
    { body: 'please add a test', author: 'ann' },
    { 'Idempotency-Key': 'k' },
  );
  await post(surface, `${prs}/1/merge`, { author: 'ann', head: 'a'.repeat(40) });
  const [approve, comment, merge] = surface.runner.calls.slice(-3);
  assert.equal(approve, ['approvePullRequest', 'acme/site', 1, {}, undefined]);
  assert.equal(comment?.slice(0, 4), [
    'commentPullRequest',
    'acme/site',
    1,
    { body: 'please add a test', author: 'ann' },
  ]);
  assert.is(Object(comment?.[4]).key, 'k');
  assert.equal(merge, [
    'mergePullRequest',
    'acme/site',
    1,
    { author: 'ann', head: 'a'.repeat(40) },
    undefined,
  ]);
});

test.run();
