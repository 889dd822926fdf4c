import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { JOB_ID } from '../../../support/http/fakeFacade.ts';
import {
  ask,
  openSurface,
  post,
  problemIn,
  WITH_TOKEN,
} from '../../../support/http/httpSurface.ts';

const test = suite('http problems');

const JSON_TYPE = { 'Content-Type': 'application/json' };
const send = (body: string, headers: Record<string, string> = JSON_TYPE) => ({
  method: 'POST',
  headers,
  body,
});

test('a problem document has the members of RFC 9457, a code and the request id (HTTP-1)', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, '/jobs/svc-job-1', { headers: { 'X-Request-Id': 'mine-1' } });
  assert.is(answer.headers['content-type'], 'application/problem+json');
  assert.is(answer.headers['x-request-id'], 'mine-1');
  assert.is(answer.headers['x-svc-version'], '0.2.0');
  assert.equal(answer.json, {
    type: 'urn:svc:problem:not-found',
    title: 'Not found',
    status: 404,
    detail: 'Job svc-job-1 does not exist.',
    code: 'not-found',
    requestId: 'mine-1',
  });
});

test('400: a body that is not JSON says where, and does not repeat the text (HTTP-1)', async () => {
  await using surface = await openSurface();
  const readDetail = async (body: string) => {
    const { status, code, detail } = problemIn(await ask(surface, '/jobs', send(body)));
    assert.equal(status, 400, body);
    assert.equal(code, 'malformed', body);
    return String(detail);
  };
  assert.is(
    await readDetail('{"type": secret}'),
    'The body is not JSON: line 1, column 10: a value is expected here.',
  );
  assert.is(
    await readDetail('{\n  "type": "job",\n}'),
    'The body is not JSON: line 3, column 1: a name in double quotes is expected here.',
  );
  assert.is(
    await readDetail('{"type"'),
    'The body is not JSON: line 1, column 8: the text ends where ":" is expected.',
  );
  assert.is(
    await readDetail('{"a": "b'),
    'The body is not JSON: line 1, column 7: this string is not closed, or contains a raw control character or an invalid escape.',
  );
  assert.is(await readDetail('"text"'), 'The body must be a JSON object.');
  assert.is(await readDetail(''), 'The body is empty; a JSON object is required.');
  assert.is(
    await readDetail('{"__proto__": {}}'),
    'The names "__proto__" and "constructor.prototype" are not allowed in a body.',
  );
  assert.is(
    await readDetail(`{"params": ${'['.repeat(100)}${']'.repeat(100)}}`),
    'The body is nested deeper than 64 levels.',
  );
  assert.equal(surface.runner.calls, []);
});

test('404: an address that is not there, an unknown id, and ids that no job can have (HTTP-1)', async () => {
  await using surface = await openSurface();
  const paths = [
    '/nothing',
    '/jobs/svc-job-9',
    '/jobs/..%2F..%2Fetc%2Fpasswd',
    '/jobs/../../etc/passwd',
    '/jobs/%2e%2e/insights',
    '/jobs/%zz',
    '/jobs/UPPER',
    `/jobs/${'a'.repeat(129)}`,
    `/jobs/${JOB_ID}/artifacts/..%2F..%2Fstate.db/content`,
    `/jobs/${JOB_ID}/artifacts/%2e%2e/content`,
    `/jobs/${JOB_ID}/artifacts/a%00b/content`,
    '/forges/local/repos/..%2F..%2Fetc/prs',
    '/forges/local/repos/acme%2Fsite/prs/0',
    '/forges/local/repos/acme%2Fsite/prs/1e3',
    '/JOBS',
  ];
  for (const path of paths) {
    const { status, code } = problemIn(await ask(surface, path));
    assert.equal(status, 404, path);
    assert.equal(code, 'not-found', path);
  }
  assert.equal(surface.runner.calls, [['job', 'svc-job-9']]);
});

test('405 names the methods that the address takes (HTTP-1)', async () => {
  await using surface = await openSurface();
  const deleted = await ask(surface, '/jobs', { method: 'DELETE' });
  assert.equal(deleted.status, 405);
  assert.equal(Object(deleted.json).code, 'method-not-allowed');
  assert.equal(deleted.headers.allow, 'GET, HEAD, POST');
  const options = await ask(surface, '/health', { method: 'OPTIONS' });
  assert.equal(options.status, 405);
  assert.equal(options.headers.allow, 'GET, HEAD');
});

test('409 gives the state and the events that it accepts (HTTP-1)', async () => {
  await using surface = await openSurface();
  surface.runner.failure = new SvcError(
    'not-possible-now',
    'The job is working; it takes pause, cancel and message.',
    {
      data: {
        state: ['working.inSession'],
        accepts: ['job.pause', 'job.cancel', 'job.message'],
        status: 'cannot be overwritten',
      },
    },
  );
  const answer = await post(surface, `/jobs/${JOB_ID}/resume`, { eventKey: 'manual-resume' });
  const { state, accepts, code, status } = Object(answer.json);
  assert.equal(answer.status, 409);
  assert.equal(status, 409);
  assert.equal(code, 'not-possible-now');
  assert.equal(state, ['working.inSession']);
  assert.equal(accepts, ['job.pause', 'job.cancel', 'job.message']);
});

test('413: a body over 1 MiB is refused, whole, in pieces or compressed (HTTP-1)', async () => {
  await using surface = await openSurface();
  const large = JSON.stringify({ message: 'x'.repeat(1024 * 1024) });
  const path = `/jobs/${JOB_ID}/message`;
  assert.equal(problemIn(await ask(surface, path, send(large))).code, 'too-large');
  const response = await fetch(`${surface.url}${path}`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...WITH_TOKEN, 'Content-Encoding': 'gzip' },
    body: gzipSync(large),
  });
  assert.is(response.status, 413);
  const pieces = new ReadableStream({
    start(controller) {
      for (let at = 0; at < large.length; at += 65_536)
        controller.enqueue(Buffer.from(large.slice(at, at + 65_536)));
      controller.close();
    },
  });
  const chunked = await fetch(`${surface.url}${path}`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...WITH_TOKEN },
    body: pieces,
    duplex: 'half',
  } as RequestInit);
  assert.is(chunked.status, 413);
  assert.equal(surface.runner.calls, []);
});

test('415: only JSON changes anything; forms and plain text can be sent by any page (HTTP-1)', async () => {
  await using surface = await openSurface();
  const body = JSON.stringify({ type: 'job', workflowPath: 'workflows/job.md', params: {} });
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'text/json',
  ]) {
    assert.equal(
      problemIn(await ask(surface, '/jobs', send(body, { 'Content-Type': type }))).code,
      'unsupported-type',
      type,
    );
  }
  assert.is((await ask(surface, '/jobs', send(body, {}))).status, 415);
  assert.is((await ask(surface, '/jobs', { method: 'POST' })).status, 415);
  assert.is(
    (
      await ask(surface, `/jobs/${JOB_ID}/insights/i1`, {
        method: 'DELETE',
        headers: { 'Content-Type': 'text/plain', 'Content-Length': '1' },
        body: 'x',
      })
    ).status,
    415,
  );
  assert.is(
    (await ask(surface, '/jobs', send(body, { ...JSON_TYPE, 'Content-Encoding': 'rot13' }))).status,
    415,
  );
  assert.equal(surface.runner.calls, []);
  assert.is(
    (await ask(surface, '/jobs', send(body, { 'Content-Type': 'Application/JSON; charset=utf-8' })))
      .status,
    201,
  );
});

test('422 names every wrong field by its JSON pointer, and what was meant (HTTP-1)', async () => {
  await using surface = await openSurface();
  const answer = await post(surface, '/jobs', {
    type: 'Job!',
    workflowPaht: 'x',
    params: [],
    'a/b': 1,
  });
  assert.is(answer.status, 422);
  const { code, errors, detail } = Object(answer.json);
  assert.is(code, 'invalid');
  assert.equal(errors, [
    { pointer: '/workflowPath', message: 'is missing' },
    { pointer: '/workflowPaht', message: 'is not known here; did you mean "workflowPath"?' },
    {
      pointer: '/a~1b',
      message: 'is not known here; known are type, workflowPath, params, subRuns, coordinator',
    },
    { pointer: '/type', message: 'must match pattern "^[a-z0-9-]+$"' },
    { pointer: '/params', message: 'must be object' },
  ]);
  assert.is(
    detail,
    'The body is not valid: /workflowPath is missing; /workflowPaht is not known here; did you mean "workflowPath"?; /a~1b is not known here; known are type, workflowPath, params, subRuns, coordinator; and 2 more.',
  );
  const list = await post(surface, `/jobs/${JOB_ID}/pause`, []);
  assert.equal(Object(list.json).errors, [{ pointer: '', message: 'must be object' }]);
  assert.equal(surface.runner.calls, []);
});

test('422 of the runner carries its field errors and data (HTTP-1)', async () => {
  await using surface = await openSurface();
  const diagnostics = [{ file: 'workflows/job.md', line: 3, column: 1, code: 'no-phases' }];
  surface.runner.failure = new SvcError('workflow-invalid', 'workflows/job.md has mistakes.', {
    errors: [{ pointer: 'workflows/job.md:3:1', message: 'phases is missing' }],
    data: { diagnostics },
  });
  const answer = await post(surface, '/jobs', {
    type: 'job',
    workflowPath: 'workflows/job.md',
    params: {},
  });
  const { code, errors } = Object(answer.json);
  assert.equal(answer.status, 422);
  assert.equal(code, 'workflow-invalid');
  assert.equal(errors, [{ pointer: 'workflows/job.md:3:1', message: 'phases is missing' }]);
  assert.equal(Object(answer.json).diagnostics, diagnostics);
});

test('500 shows nothing of an unknown error but the request id under which it is logged (HTTP-1)', async () => {
  await using surface = await openSurface();
  const secret = new Error('password=hunter2 at /home/me');
  surface.runner.failure = secret;
  const answer = await ask(surface, '/health', { headers: { 'X-Request-Id': 'r500' } });
  assert.equal(problemIn(answer), {
    status: 500,
    code: 'internal',
    detail: "Internal error. See the runner's log for this request ID.",
  });
  assert.not.match(answer.text, /hunter2|\/home\/me/);
  assert.equal(
    surface.logged.map(([level, { requestId, err }]) => [level, requestId, err === secret]),
    [['error', 'r500', true]],
  );
});

test('503 says why and when to come back (HTTP-1)', async () => {
  await using surface = await openSurface();
  surface.runner.failure = new SvcError('stopping', 'The runner is stopping.');
  const answer = await ask(surface, '/health');
  assert.equal(answer.status, 503);
  assert.equal(Object(answer.json).code, 'stopping');
  assert.equal(Object(answer.json).reason, 'stopping');
  assert.equal(answer.headers['retry-after'], '1');
});

test('HEAD of a problem has its status and no body', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, '/jobs/svc-job-9', { method: 'HEAD' });
  assert.equal(answer.status, 404);
  assert.equal(answer.text, '');
});

test.run();
