import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import { ClientError } from '../../../src/api/client/problem.ts';
import { routes } from '../../../src/contract/routes/routes.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { JOB_ID, toJob, createSummary } from '../../support/http/fakeFacade.ts';
import { openSurface, type Surface, TOKEN } from '../../support/http/httpSurface.ts';

const test = suite('client');

const createTestClient = ({ url }: Surface, token: string | null = TOKEN) =>
  createClient({ baseUrl: url, token });

/** What a promise rejects with. */
const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (thrown) {
    return thrown;
  }
  return assert.unreachable('it was not rejected');
};

test('every route has a method with the same name (HTTP-1)', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
  assert.equal(
    routes
      .map(({ name }) => name)
      .filter((name) => typeof Reflect.get(client, name) !== 'function'),
    [],
  );
});

test('commands reach the runner with their parameters and the token, if one is required (HTTP-1)', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const client = createTestClient(surface);
  const body = { type: 'job', workflowPath: 'workflows/job.md', params: { a: 1 } };
  assert.is((await client.createJob(body)).jobId, JOB_ID);
  assert.is((await client.resume(JOB_ID, { eventKey: 'approve' })).seq, 2);
  await client.cancel(JOB_ID, { reason: 'r' });
  await client.pause(JOB_ID);
  await client.message(JOB_ID, { message: 'm' });
  await client.rerun(JOB_ID, 'code review');
  await client.removeInsight(JOB_ID, 'i1');
  await client.whatIf(JOB_ID, { type: 'cancel', reason: 'r' });
  await client.approvePullRequest('acme/site', 1);
  await client.commentPullRequest('acme/site', 1, { author: 'ann', body: 'b' });
  await client.mergePullRequest('acme/site', 1, { author: 'ann' });
  assert.equal(surface.runner.calls, [
    ['createJob', body, undefined],
    ['resume', JOB_ID, { eventKey: 'approve' }, undefined],
    ['cancel', JOB_ID, { reason: 'r' }, undefined],
    ['pause', JOB_ID, undefined],
    ['message', JOB_ID, { message: 'm' }, undefined],
    ['rerun', JOB_ID, 'code review', undefined],
    ['removeInsight', JOB_ID, 'i1'],
    ['whatIf', JOB_ID, { type: 'cancel', reason: 'r' }],
    ['approvePullRequest', 'acme/site', 1, {}, undefined],
    ['commentPullRequest', 'acme/site', 1, { author: 'ann', body: 'b' }, undefined],
    ['mergePullRequest', 'acme/site', 1, { author: 'ann' }, undefined],
  ]);
});

test('an idempotency key is sent with a command', async () => {
  await using surface = await openSurface();
  await createTestClient(surface).pause(JOB_ID, {}, { idempotencyKey: 'once' });
  assert.is(Object(surface.runner.calls[0]?.[2]).key, 'once');
});

test('reads come back as the runner gave them (HTTP-1, HTTP-2)', async () => {
  await using surface = await openSurface();
  const client = createTestClient(surface);
  assert.equal(await client.jobs({ limit: 1, status: 'queued' }), {
    jobs: [createSummary(JOB_ID)],
    total: 1,
  });
  assert.equal(surface.runner.calls.at(-1), ['jobs', { limit: 1, status: 'queued', offset: 0 }]);
  assert.equal(await client.job(JOB_ID), toJob(createSummary(JOB_ID)));
  assert.is((await client.health()).mode, 'local');
  assert.equal(await client.workflows(), []);
  assert.is((await client.insights(JOB_ID))[0]?.id, 'i1');
  assert.equal((await client.why(JOB_ID)).waitsFor, ['a free slot']);
  assert.is((await client.machine(JOB_ID)).chart, 'job');
  assert.equal(
    (await client.journal(JOB_ID, { after: 1 })).map(({ seq }) => seq),
    [2, 3],
  );
  assert.is((await client.forgeRepos())[0]?.slug, 'acme/site');
  assert.is((await client.pullRequests('acme/site'))[0]?.number, 1);
  assert.equal((await client.pullRequest('acme/site', 1)).thread, []);
  assert.is(await client.pullRequestDiff('acme/site', 1), 'diff --git a/x b/x\n');
  assert.is((await client.openapi()).openapi, '3.1.0');
});

test('an artefact comes as text or as bytes (HTTP-4)', async () => {
  await using surface = await openSurface();
  const dir = mkdtempSync(join(tmpdir(), 'svc-client-'));
  try {
    const path = join(dir, 'plan');
    writeFileSync(path, '# Plän');
    surface.runner.artefactFile = {
      ...surface.runner.artefactFile,
      path,
      size: 7,
      sha256: sha256(readFileSync(path)),
    };
    assert.is(await createTestClient(surface).artefact(JOB_ID, 'plan'), '# Plän');
    assert.equal(
      Buffer.from(await createTestClient(surface).artefactBytes(JOB_ID, 'plan')),
      Buffer.from('# Plän'),
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a refusal is a ClientError with status, code and the whole problem (HTTP-1)', async () => {
  await using surface = await openSurface();
  surface.runner.failure = new SvcError('not-possible-now', 'It is working.', {
    data: { accepts: ['job.pause'] },
  });
  const error = await rejection(
    createTestClient(surface).resume(JOB_ID, { eventKey: 'manual-resume' }),
  );
  assert.instance(error, ClientError);
  const { status, code, message, problem } = error as ClientError;
  assert.equal(status, 409);
  assert.equal(code, 'not-possible-now');
  assert.equal(message, 'It is working.');
  assert.equal(problem.accepts, ['job.pause']);
});

test('a wrong token is a 401, and is not in the error', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const error = await rejection(createTestClient(surface, 'not-the-token').health());
  assert.is((error as ClientError).status, 401);
  assert.not.match(`${(error as ClientError).stack} ${JSON.stringify(error)}`, /not-the-token/);
});

test('no answer is SvcError unreachable, with what to do', async () => {
  const surface = await openSurface();
  await surface.close();
  const error = await rejection(createTestClient(surface).health());
  assert.instance(error, SvcError);
  assert.is((error as SvcError).code, 'unreachable');
  assert.is(
    (error as SvcError).message,
    `No runner answers at ${surface.url}. Start one with \`svc start\`, or name another one with --url.`,
  );
});

test('another server on the port is distinguished from a runner', async () => {
  const fetch = async () =>
    new Response('<h1>nginx</h1>', { status: 502, statusText: 'Bad Gateway' });
  const error = await rejection(createClient({ baseUrl: 'http://x/', fetch }).health());
  assert.equal((error as ClientError).status, 502);
  assert.equal((error as ClientError).code, 'unknown');
});

test('a server that answers 200 with something else than a runner is named, and breaks nothing', async () => {
  for (const answer of ['<html>Log in</html>', '{"models":[]}', 'null']) {
    const client = createClient({ baseUrl: 'http://x', fetch: async () => new Response(answer) });
    const refusal = await rejection(client.jobs());
    assert.ok(refusal instanceof SvcError, answer);
    assert.is(refusal.code, 'unreachable');
  }
});

test.run();
