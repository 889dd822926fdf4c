import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  attackedRunner,
  endAll,
  goesOn,
  readMemory,
  ONE_PHASE,
  parseProblem,
  type Reply,
  send,
} from '../support/attackedRunner.ts';

const test = suite('attacks: requests');

/** What twenty bodies of 10 MB may add to the runner's memory, MiB. */
const MEMORY_FOR_LARGE_BODIES = 60;

const it = await attackedRunner({
  workflow: ONE_PHASE,
  programs: { worker: 'await waitForEver();' },
});
test.after(() => endAll(it));

const readCode = (reply: Reply, what: string): [number, string] => {
  const { status, code } = parseProblem(reply, what);
  return [status, code];
};
const jobCount = async () => Number((await send(it, 'GET', '/jobs')).headers['x-total-count']);
const JOB = {
  type: 'job',
  workflowPath: 'workflows/healthy.md',
  params: { repoSlug: 'repo', description: 'x' },
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(it, 'POST', path, { body: JSON.stringify(body), headers });

test('1 · a foreign Host (DNS rebinding), on every kind of route: 403, nothing is executed, and one line of the log for each', async () => {
  const { id } = await goesOn(it);
  const before = await jobCount();
  const port = new URL(it.runner.url).port;
  const attempts: [method: string, path: string][] = [
    ['GET', '/health'],
    ['GET', '/jobs'],
    ['GET', `/jobs/${id}`],
    ['GET', `/jobs/${id}/stream`],
    ['GET', '/dashboard/'],
    ['GET', '/openapi.json'],
    ['GET', '/login/x'],
    ['GET', '/no-such-address'],
    ['POST', '/mcp/x'],
    ['POST', '/jobs'],
    ['POST', `/jobs/${id}/cancel`],
    ['DELETE', `/jobs/${id}/insights/x`],
  ];
  const logStart = it.runner.said.length;
  for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
    for (const [method, path] of attempts) {
      const body = method === 'POST' ? { body: JSON.stringify(JOB) } : {};
      const reply = await send(it, method, path, { headers: { Host: host }, ...body });
      assert.equal(readCode(reply, `${method} ${path} at ${host}`), [403, 'foreign-host']);
    }
  }
  assert.is(await jobCount(), before);
  const lines = it.runner.said
    .slice(logStart)
    .split('\n')
    .filter((line) => line.includes('foreign-host'));
  assert.is(lines.length, 3 * attempts.length);
  await goesOn(it);
});

test('1 · a foreign Origin, also a `null` one and one of another port: 403 on reading and writing, nothing is executed', async () => {
  const before = await jobCount();
  for (const Origin of [
    'https://evil.example',
    'null',
    'http://127.0.0.1:1',
    `${it.runner.url}.evil.example`,
  ]) {
    assert.equal(readCode(await post('/jobs', JOB, { Origin }), Origin), [403, 'foreign-origin']);
    assert.equal(readCode(await send(it, 'GET', '/jobs', { headers: { Origin } }), Origin), [
      403,
      'foreign-origin',
    ]);
    assert.equal(readCode(await post('/mcp/x', {}, { Origin }), Origin), [403, 'foreign-origin']);
  }
  assert.is(await jobCount(), before);
  await goesOn(it);
});

test('26 · malformed JSON: 400 with line and column', async () => {
  for (const body of [
    '{',
    '{"type": }',
    '{"type":"job",}',
    '[1,',
    'nonsense',
    '"text"',
    '\u0000',
    '{"a":1}{"b":2}',
    `${'['.repeat(50_000)}`,
    '{"__proto__":{"x":1}}',
  ]) {
    const problem = parseProblem(await send(it, 'POST', '/jobs', { body }), body.slice(0, 20));
    assert.equal(problem.status, 400, body.slice(0, 20));
    assert.equal(problem.code, 'malformed', body.slice(0, 20));
  }
  assert.match(
    parseProblem(await send(it, 'POST', '/jobs', { body: '{"type": }' }), '').detail,
    'line 1, column 10',
  );
  await goesOn(it);
});

test('27 · unknown fields and wrong types: 422 with a JSON pointer for each, on every route that takes a body', async () => {
  const { id } = await goesOn(it);
  const attempts: [path: string, body: unknown, pointers: string[]][] = [
    ['/jobs', { ...JOB, extra: 1 }, ['/extra']],
    ['/jobs', { ...JOB, type: 7 }, ['/type']],
    ['/jobs', { ...JOB, params: 'none' }, ['/params']],
    ['/jobs', [], ['']],
    ['/jobs', {}, ['/type', '/workflowPath', '/params']],
    [`/jobs/${id}/resume`, { eventKey: ['approve'] }, ['/eventKey']],
    [`/jobs/${id}/resume`, { eventKey: 'approve', more: true }, ['/more']],
    [`/jobs/${id}/message`, { message: { text: 'x' } }, ['/message']],
    [`/jobs/${id}/message`, { message: 'x'.repeat(40_000) }, ['/message']],
    [`/jobs/${id}/cancel`, { reason: 1 }, ['/reason']],
    [`/jobs/${id}/pause`, { now: true }, ['/now']],
    [`/jobs/${id}/phases/only/rerun`, { now: true }, ['/now']],
    [`/jobs/${id}/what-if`, { event: 'job.pause' }, ['/event']],
    ['/forges/local/repos/repo/prs/1/comment', { body: 5 }, ['/body']],
    ['/forges/local/repos/repo/prs/1/approve', { author: null }, ['/author']],
    ['/forges/local/repos/repo/prs/1/merge', { force: true }, ['/force']],
  ];
  for (const [path, body, pointers] of attempts) {
    const what = `${path} ${JSON.stringify(body).slice(0, 60)}`;
    const { status, code, errors } = parseProblem(await post(path, body), what);
    assert.equal(status, 422, what);
    assert.equal(code, 'invalid', what);
    assert.equal(
      (errors as { pointer: string }[]).map(({ pointer }) => pointer),
      pointers,
      what,
    );
  }
  await goesOn(it);
});

test('28 · bodies of 10 MB, whole and in pieces, twenty at once: 413, and the memory stays flat', async () => {
  const { id } = await goesOn(it);
  const large = JSON.stringify({ message: 'x'.repeat(10 * 1024 * 1024) });
  const before = readMemory(it.runner.pid).now;
  const attempts = Array.from({ length: 20 }, async (_, index) => {
    const headers: Record<string, string> =
      index % 2 === 0
        ? { 'Content-Length': String(large.length) }
        : { 'Transfer-Encoding': 'chunked' };
    return readCode(
      await send(it, 'POST', `/jobs/${id}/message`, { body: large, headers }),
      'a large body',
    );
  });
  for (const answer of await Promise.all(attempts)) assert.equal(answer, [413, 'too-large']);
  const grown = readMemory(it.runner.pid).most - before;
  assert.ok(grown < MEMORY_FOR_LARGE_BODIES, `the runner grew by ${grown.toFixed(0)} MiB`);
  assert.equal(
    readCode(
      await send(it, 'POST', '/mcp/unknown', { body: large }),
      'a large body for a tool server',
    ),
    [404, 'not-found'],
  );
  await goesOn(it);
});

test('29 · unknown ids, and ids that nothing can have: 404 on every route with an id', async () => {
  const { id } = await goesOn(it);
  const names = [
    'none-job-1',
    '..',
    '%2e%2e',
    '..%2F..%2Fstate.db',
    '__proto__',
    'constructor',
    '%00',
    'UPPER',
    'a'.repeat(300),
    '--x',
    '%0d%0aX-Evil:%201',
  ];
  for (const name of names) {
    const gets = [
      `/jobs/${name}`,
      `/jobs/${name}/why`,
      `/jobs/${name}/machine`,
      `/jobs/${name}/journal`,
      `/jobs/${name}/stream`,
      `/jobs/${name}/insights`,
    ];
    for (const path of [
      ...gets,
      `/jobs/${id}/artifacts/${name}/content`,
      `/forges/local/repos/${name}/prs`,
      `/forges/local/repos/repo/prs/${name}`,
    ]) {
      const reply = await send(it, 'GET', path);
      assert.equal(readCode(reply, path), [404, 'not-found']);
      assert.is(reply.headers['x-evil'], undefined);
    }
    const posts = [
      `/jobs/${name}/cancel`,
      `/jobs/${name}/pause`,
      `/forges/local/repos/${name}/prs/1/merge`,
      `/forges/local/repos/repo/prs/${name}/approve`,
    ];
    for (const path of posts)
      assert.equal(readCode(await post(path, {}), path), [404, 'not-found']);
    assert.equal(readCode(await send(it, 'DELETE', `/jobs/${id}/insights/${name}`), name), [
      404,
      'not-found',
    ]);
  }
  assert.equal(
    readCode(
      await post('/jobs', { ...JOB, params: { repoSlug: 'none' } }),
      'an unknown repository',
    ),
    [422, 'invalid'],
  );
  await goesOn(it);
});

test('30 · a command that is not possible now: 409 with the state, what it accepts, and no change', async () => {
  const { id, journalLength } = await goesOn(it);
  const attempts: [path: string, body: unknown][] = [
    ['resume', { eventKey: 'approve' }],
    ['message', { message: 'continue' }],
    ['pause', {}],
    ['cancel', {}],
    ['phases/no-such-phase/rerun', {}],
  ];
  for (const [command, body] of attempts) {
    const problem = parseProblem(await post(`/jobs/${id}/${command}`, body), command);
    assert.equal(problem.status, 409, command);
    assert.equal(problem.code, 'not-possible-now', command);
    assert.equal(problem.state, ['ended.complete'], command);
    assert.ok(Array.isArray(problem.accepts), command);
  }
  const working = await it.job();
  await it.until(working, ({ state }) => state.includes('working.inSession'));
  const problem = parseProblem(
    await post(`/jobs/${working}/resume`, { eventKey: 'approve' }),
    'resume of a working job',
  );
  assert.equal(problem.status, 409);
  assert.equal(problem.code, 'not-possible-now');
  assert.equal(problem.state, ['working.inSession']);
  assert.match(problem.detail, 'Possible now: ');
  await it.client.cancel(working, {});
  await it.until(working, ({ ended }) => ended);
  assert.is((await it.client.job(id)).journalLength, journalLength);
  await goesOn(it);
});

test('10 · an option, a path or a line break as repository: refused before any program is run', async () => {
  const before = await jobCount();
  for (const repoSlug of [
    '--upload-pack=touch x',
    '-x',
    '../repo',
    'repo/../..',
    'a b',
    'repo\n--x',
    '/etc',
    '',
    7,
    ['repo'],
    { $ne: '' },
  ]) {
    const { status, code, errors } = parseProblem(
      await post('/jobs', { ...JOB, params: { repoSlug } }),
      String(repoSlug),
    );
    assert.equal(status, 422, String(repoSlug));
    assert.equal(code, 'invalid', String(repoSlug));
    assert.equal(
      (errors as { pointer: string }[])[0]?.pointer,
      '/params/repoSlug',
      String(repoSlug),
    );
  }
  for (const slug of ['--upload-pack=x', '-x', '..%2Frepo', 'a%20b', 'repo%0A--x']) {
    assert.equal(readCode(await send(it, 'GET', `/forges/local/repos/${slug}/prs/1/diff`), slug), [
      404,
      'not-found',
    ]);
  }
  assert.is(await jobCount(), before);
  await goesOn(it);
});

test.run();
