import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CancelCommand from '../../cli/commands/cancel.ts';
import JobCommand from '../../cli/commands/job.ts';
import JobsCommand from '../../cli/commands/jobs.ts';
import MessageCommand from '../../cli/commands/message.ts';
import PauseCommand from '../../cli/commands/pause.ts';
import RerunCommand from '../../cli/commands/rerun.ts';
import ResumeCommand from '../../cli/commands/resume.ts';
import StatusCommand from '../../cli/commands/status.ts';
import WhyCommand from '../../cli/commands/why.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeApproval, fakeJob, fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('commands');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

/**
 * Runs one command against a runner that knows the routes; gives back what it wrote and what it
 * asked for.
 */
async function run(
  home: string,
  routes: Record<string, Reply>,
  command: Parameters<CommandLine['run']>[0],
  argv: string[],
  input = '',
) {
  const runner = await fakeRunner(routes);
  try {
    const result = await new CommandLine({ SVC_HOME: home, SVC_URL: runner.url }, input).run(
      command,
      argv,
    );
    return {
      ...result,
      asked: runner.seen.map(({ method, path, body }) => ({ method, path, body })),
    };
  } finally {
    await runner.close();
  }
}

const reply = { jobId: 'shop-job-1', status: 'coding', phase: 'coding', state: ['queued'], seq: 7 };

test('svc job posts what the flags say and prints id, status and stream (CLI-1)', async ({
  home,
}) => {
  const created = { jobId: 'shop-job-1', status: 'queued', streamUrl: '/jobs/shop-job-1/stream' };
  const argv = [
    '--repo',
    'shop',
    '--reviewers',
    'ana, ben',
    '--description',
    '-',
    '--approve',
    'planning',
    '--approve',
    'testing',
  ];
  const more = [
    '--param',
    'language=go',
    '--param',
    'retries=3',
    '--no-interactive',
    '--no-stream',
  ];
  const { asked, ...result } = await run(
    home,
    { 'POST /jobs': [201, created] },
    JobCommand,
    [...argv, ...more],
    'Add a\nhealth check\n',
  );
  assert.equal(result, {
    code: 0,
    out: 'job     shop-job-1\nstatus  queued\nstream  /jobs/shop-job-1/stream\n',
    err: '',
  });
  assert.equal(asked, [
    {
      method: 'POST',
      path: '/jobs',
      body: {
        type: 'job',
        workflowPath: 'workflows/job.md',
        params: {
          language: 'go',
          retries: 3,
          repoSlug: 'shop',
          description: 'Add a\nhealth check',
          reviewers: ['ana', 'ben'],
          serviceName: 'shop',
          interactive: false,
          autoApprove: ['planning', 'testing'],
        },
      },
    },
  ]);
});

test('svc job --json prints one document and follows nothing (CLI-6)', async ({ home }) => {
  const created = { jobId: 'shop-job-1', status: 'queued', streamUrl: '/jobs/shop-job-1/stream' };
  const { asked, ...result } = await run(home, { 'POST /jobs': [201, created] }, JobCommand, [
    '--jira-ticket',
    'SHOP-1',
    '--json',
  ]);
  assert.equal(result.code, 0);
  assert.equal(JSON.parse(result.out), { ...created, outcome: null, job: null });
  assert.equal(result.err, '');
  assert.equal(
    asked.map(({ body }) => body),
    [{ type: 'job', workflowPath: 'workflows/job.md', params: { jiraTicketId: 'SHOP-1' } }],
  );
});

test('repository, reviewers and description are required together, and nothing is asked of the runner without them (CLI-1)', async ({
  home,
}) => {
  const missing = await run(home, {}, JobCommand, ['--repo', 'shop']);
  assert.equal(missing, {
    code: 2,
    out: '',
    err: 'Error: --reviewers and --description are missing. Give --repo, --reviewers and --description, or --jira-ticket alone.\n',
    asked: [],
  });
  const empty = await run(
    home,
    {},
    JobCommand,
    ['--repo', 'shop', '--reviewers', 'ana', '--description', '-'],
    ' \n',
  );
  assert.equal(empty.code, 2);
  assert.equal(
    empty.err,
    'Error: --description is empty. Give the text, or - and the text on standard input.\n',
  );
  const timeout = await run(home, {}, JobCommand, [
    '--jira-ticket',
    'S-1',
    '--wait',
    '--timeout',
    'soon',
  ]);
  assert.equal(timeout.code, 2);
  assert.equal(
    timeout.err,
    'Error: "soon" is not a duration. Write a number and a unit: 90s, 30m or 2h, at most 24d.\n',
  );
  const param = await run(home, {}, JobCommand, ['--jira-ticket', 'S-1', '--param', 'x']);
  assert.equal(param.code, 2);
  assert.equal(
    param.err,
    'Error: --param is "x", but must be a name, "=" and a value, such as --param language=go.\n',
  );
});

test('svc jobs prints a table, and how many it does not show goes to standard error (CLI-1)', async ({
  home,
}) => {
  const jobs = [
    fakeJob(),
    fakeJob({
      id: 'docs-job-2',
      status: 'awaiting-plan-approval',
      phase: 'planning',
      parked: { kind: 'approval', since: '2026-01-01T11:00:00.000Z', reason: 'plan' },
      description: 'Rewrite\nthe \u001B[31mguide\u0007',
      updatedAt: '2026-01-01T09:00:00.000Z',
    }),
  ];
  const { asked, ...result } = await run(
    home,
    { 'GET /jobs': [200, jobs, { 'x-total-count': '60' }] },
    JobsCommand,
    ['--status', 'coding', '--type', 'job', '--limit', '2'],
  );
  assert.equal(result, {
    code: 0,
    out: `ID          STATUS                             PHASE     UPDATED   DESCRIPTION
shop-job-1  coding:cart                        coding    30 s ago  Add a health check
docs-job-2  awaiting-plan-approval (approval)  planning  3 h ago   Rewrite the guide
`,
    err: '2 of 60 jobs; more: --offset 2\n',
  });
  assert.equal(asked, [
    { method: 'GET', path: '/jobs?type=job&status=coding&limit=2', body: null },
  ]);
  const none = await run(home, { 'GET /jobs': [200, []] }, JobsCommand, []);
  assert.equal(none.code, 0);
  assert.equal(none.out, '');
  assert.equal(none.err, 'No jobs yet. Start one with svc job.\n');
  assert.is((await run(home, { 'GET /jobs': [200, []] }, JobsCommand, ['--json'])).out, '[]\n');
});

test('svc jobs --needs-me lists what needs a person, the longest wait first, and why (CLI-1)', async ({
  home,
}) => {
  const since = '2026-01-01T11:00:00.000Z';
  const job = fakeJob({
    id: 'docs-job-2',
    needs: { group: 'decide', ask: 'approval', since },
    parked: { kind: 'approval', since, reason: 'phase planning waits for approval' },
    since,
    reason: 'phase planning waits for approval',
    description: 'Rewrite the guide',
  });
  const args = ['--needs-me', '--search', 'the guide', '--repo', 'docs'];
  const { asked, ...result } = await run(home, { 'GET /jobs': [200, [job]] }, JobsCommand, args);
  assert.equal(result, {
    code: 0,
    out: `ID          NEEDS     SINCE    WHY                                DESCRIPTION
docs-job-2  approval  1 h ago  phase planning waits for approval  Rewrite the guide
`,
    err: '',
  });
  assert.is(asked[0]?.path, '/jobs?q=the+guide&repo=docs&needs=me&sort=since&limit=50');
  const none = await run(home, { 'GET /jobs': [200, []] }, JobsCommand, ['--needs-me']);
  assert.is(none.err, 'No job needs you.\n');
  const proposals = await run(
    home,
    { 'GET /jobs': [200, []], 'GET /proposals': [200, [{ id: 'p1' }, { id: 'p2' }]] },
    JobsCommand,
    ['--needs-me'],
  );
  assert.is(
    proposals.err,
    'No job needs you.\n2 proposals wait for you: svc proposals --needs-me\n',
  );
});

test('svc status does not call tokens that sessions did not report 0', async ({ home }) => {
  const job = fakeJob({ unreported: 2 });
  const { out } = await run(
    home,
    { 'GET /jobs/shop-job-1': [200, job], 'GET /health': [200, { cloud: null }] },
    StatusCommand,
    ['--job', 'shop-job-1'],
  );
  assert.match(out, 'tokens      not reported\n');
});

test('svc status names the cost of such sessions unpriced, beside what is known', async ({
  home,
}) => {
  const costLine = async (usd: number | null) => {
    const cost = { usd, unpriced: 2, tokens: 0, unreported: 2 };
    const job = fakeJob({ unreported: 2, cost });
    const { out } = await run(
      home,
      { 'GET /jobs/shop-job-1': [200, job], 'GET /health': [200, { cloud: null }] },
      StatusCommand,
      ['--job', 'shop-job-1'],
    );
    return /^cost +(.*)$/m.exec(out)?.[1];
  };
  assert.is(await costLine(null), 'unpriced');
  assert.is(await costLine(1.5), '$1.50 + unpriced');
});

test('svc status tells where the job is and what it waits for (CLI-1)', async ({ home }) => {
  const job = fakeJob({
    parked: {
      kind: 'approval',
      since: '2026-01-01T11:50:00.000Z',
      reason: 'the plan must be approved',
    },
    approval: fakeApproval(),
    workItems: [{ id: 'cart', title: 'Cart', status: 'in-progress', loopCount: 1, prIds: [] }],
    tokenUsage: [
      {
        phase: 'planning',
        visit: 1,
        session: 1,
        usage: { inputTokens: 10, outputTokens: 4, cachedInputTokens: 0 },
      },
    ],
  });
  const { code, out } = await run(
    home,
    { 'GET /jobs/shop-job-1': [200, job], 'GET /health': [200, { cloud: null }] },
    StatusCommand,
    ['--job', 'shop-job-1'],
  );
  assert.is(code, 0);
  assert.match(out, /^job {9}shop-job-1\nstatus {6}coding:cart\nphase {7}coding \(visit 2\)\n/);
  assert.match(out, /waits {7}the plan must be approved, since \S+ \S+ \(10 min ago\)\n/);
  assert.match(
    out,
    'approval    phase planning; approve with: svc resume shop-job-1 --event approve\n',
  );
  assert.match(out, 'tokens      10 in, 4 out\n');
  assert.match(
    out,
    '\nWORK ITEMS\nID    STATUS       LOOPS  TITLE\ncart  in-progress  1      Cart\n',
  );
  const json = await run(
    home,
    { 'GET /jobs/shop-job-1': [200, job], 'GET /health': [200, { cloud: null }] },
    StatusCommand,
    ['--job', 'shop-job-1', '--json'],
  );
  assert.equal(JSON.parse(json.out), job);
});

const approving = (job = fakeJob({ approval: fakeApproval() })): Record<string, Reply> => ({
  'GET /jobs/shop-job-1': [200, job],
  'GET /jobs/shop-job-1/artifacts/a1/content': [200, '# Plan\n\nA cart.\n'],
  'POST /jobs/shop-job-1/resume': [200, reply],
});

const APPROVED = `Phase planning waits for approval. What is approved:

PLAN
  # Plan

  A cart.

WORK ITEMS
ID    STATUS   TITLE
cart  pending  Cart

WHAT FOLLOWS
  phase coding of workflows/job.md

SHOWN
  abc

`;

test('svc resume approves what the job shows at that moment (CLI-1, JOB-5)', async ({ home }) => {
  const { asked, ...result } = await run(home, approving(), ResumeCommand, [
    '--job',
    'shop-job-1',
    '--no-stream',
  ]);
  assert.equal(result, { code: 0, out: 'shop-job-1: coding (phase coding)\n', err: APPROVED });
  assert.equal(asked.at(-1), {
    method: 'POST',
    path: '/jobs/shop-job-1/resume',
    body: { eventKey: 'manual-resume', shown: 'abc' },
  });
  const routes = approving();
  const approval = await run(home, routes, ResumeCommand, [
    '--job',
    'shop-job-1',
    '--event',
    'approve',
    '--shown',
    'old',
    '--json',
  ]);
  assert.equal(approval.asked, [
    {
      method: 'POST',
      path: '/jobs/shop-job-1/resume',
      body: { eventKey: 'approve', shown: 'old' },
    },
  ]);
  const nothing = await run(
    home,
    { ...routes, 'GET /jobs/shop-job-1': [200, fakeJob()] },
    ResumeCommand,
    ['--job', 'shop-job-1', '--no-stream'],
  );
  assert.equal(nothing.asked.at(-1)?.body, { eventKey: 'manual-resume' });
});

test('svc resume asks at a terminal, and does nothing without a yes (CLI-1, JOB-5)', async ({
  home,
}) => {
  for (const [answer, isSent] of [
    ['y', true],
    ['', false],
  ] as const) {
    const runner = await fakeRunner(approving());
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    line.answers = [answer];
    const { code, err } = await line.run(ResumeCommand, ['--job', 'shop-job-1', '--no-stream']);
    await runner.close();
    assert.is(
      err,
      `${APPROVED}Approve all of this? [y/N] ${isSent ? '' : 'Nothing was approved.\n'}`,
    );
    assert.equal(code, isSent ? 0 : 1);
    assert.equal(
      runner.seen.some(({ method }) => method === 'POST'),
      isSent,
    );
  }
});

test('svc resume prints whole sub-runs, and says when no plan was posted (CLI-1, JOB-5)', async ({
  home,
}) => {
  const covers = { ...fakeApproval().covers, plan: null, workItems: [], subRuns: ['api'] };
  const approval = fakeApproval({
    artefactId: null,
    covers: { ...covers, follows: { workflowPath: 'workflows/job.md', phase: null } },
  });
  const api = {
    name: 'api',
    description: 'Make it.\nTest it.',
    params: { lane: 'job' },
    dependsOn: ['model'],
    trackerRef: 'SHOP-1',
    jobId: null,
    status: 'pending' as const,
    startedAt: null,
    completedAt: null,
    attempt: 1,
    reason: null,
  };
  const job = fakeJob({ approval, subRuns: [api] });
  const { err } = await run(home, approving(job), ResumeCommand, [
    '--job',
    'shop-job-1',
    '--no-stream',
  ]);
  assert.is(
    err,
    `Phase planning waits for approval. What is approved:

PLAN
  none was posted

SUB-RUNS (1)
  api
    Make it.
    Test it.
    depends on model
    ticket SHOP-1
    params {"lane":"job"}

WHAT FOLLOWS
  the job completes

SHOWN
  abc

`,
  );
});

const atRest = (id: string, kind: 'developer' | 'approval') =>
  fakeJob({ id, parked: { kind, since: '2026-01-01T00:00:00.000Z', reason: 'waits' } });

test('svc resume --all resumes every job in that rest, and approves none (JOB-9)', async ({
  home,
}) => {
  const routes: Record<string, Reply> = {
    'GET /jobs?limit=500&offset=0&is=waiting%2Cneeds-you': [
      200,
      [atRest('b', 'developer'), atRest('plan', 'approval'), atRest('a', 'developer')],
    ],
    'POST /jobs/a/resume': [200, reply],
    'POST /jobs/b/resume': [
      409,
      { title: 'Not possible now', status: 409, code: 'not-possible-now', detail: 'b moved on.' },
    ],
  };
  const { asked, ...result } = await run(home, routes, ResumeCommand, [
    '--all',
    'developer',
    '--yes',
  ]);
  assert.equal(
    asked.filter(({ method }) => method === 'POST'),
    ['a', 'b'].map((id) => ({
      method: 'POST',
      path: `/jobs/${id}/resume`,
      body: { eventKey: 'resume-all' },
    })),
  );
  assert.equal(result.code, 1);
  assert.equal(result.out, '1 of 2 jobs continue.\n');
  assert.match(result.err, 'b moved on.\n');
  const unasked = await run(home, routes, ResumeCommand, ['--all', 'developer']);
  assert.equal(unasked.code, 2);
  assert.equal(
    unasked.asked.filter(({ method }) => method === 'POST'),
    [],
  );
});

test('svc resume asks for one of --job and --all, and takes only one (CLI-1)', async ({ home }) => {
  assert.equal(await run(home, {}, ResumeCommand, []), {
    code: 2,
    out: '',
    err: 'Error: Name what to resume: one job with svc resume <job>, or every job in a state with svc resume --all <developer|flagged|quota|budget|outage|paused|until|stop-all|failed>.\n',
    asked: [],
  });
  assert.equal(await run(home, {}, ResumeCommand, ['--job', 'a', '--all', 'failed']), {
    code: 2,
    out: '',
    err: 'Error: A job and --all cannot be combined. Give one.\n',
    asked: [],
  });
});

test('svc resume --event reject sends nothing that was shown (CLI-1, JOB-5)', async ({ home }) => {
  const { asked } = await run(home, approving(), ResumeCommand, [
    '--job',
    'shop-job-1',
    '--event',
    'reject',
    '--no-stream',
  ]);
  assert.equal(asked, [
    { method: 'POST', path: '/jobs/shop-job-1/resume', body: { eventKey: 'reject' } },
  ]);
});

test('cancel, pause, rerun and message say what the job is afterwards (CLI-1, JOB-9)', async ({
  home,
}) => {
  const cases: [Parameters<CommandLine['run']>[0], string[], string, unknown][] = [
    [CancelCommand, ['--yes', '--reason', 'not needed'], '/cancel', { reason: 'not needed' }],
    [CancelCommand, ['-y'], '/cancel', {}],
    [PauseCommand, [], '/pause', {}],
    [RerunCommand, ['--phase', 'a b'], '/phases/a%20b/rerun', {}],
    [MessageCommand, ['Use the client'], '/message', { message: 'Use the client' }],
    [MessageCommand, ['-'], '/message', { message: 'from stdin' }],
  ];
  for (const [command, argv, path, body] of cases) {
    const routes: Record<string, Reply> = { [`POST /jobs/shop-job-1${path}`]: [200, reply] };
    const { asked, ...result } = await run(
      home,
      routes,
      command,
      ['--job', 'shop-job-1', ...argv],
      'from stdin\n',
    );
    assert.equal(result, { code: 0, out: 'shop-job-1: coding (phase coding)\n', err: '' }, path);
    assert.equal(asked, [{ method: 'POST', path: `/jobs/shop-job-1${path}`, body }]);
  }
  const receipt = { ...reply, receipt: { id: 'm1', state: 'queued' } };
  const { out } = await run(
    home,
    { 'POST /jobs/shop-job-1/message': [200, receipt] },
    MessageCommand,
    ['--job', 'shop-job-1', 'x'],
  );
  assert.is(out, 'shop-job-1: coding (phase coding, message m1 queued)\n');
});

test('svc cancel is refused within the session of an agent (CLI-1, TOOL-11)', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home, SVC_SESSION_DIR: '/tmp/session' });
  const { code, err } = await line.run(CancelCommand, ['shop-job-1', '--yes']);
  assert.is(code, 4);
  assert.match(err, 'cancel jobs');
});

test('svc cancel asks at a terminal, and does what a script says without --yes (CLI-1, CLI-6)', async ({
  home,
}) => {
  const routes: Record<string, Reply> = {
    'GET /jobs/shop-job-1': [200, fakeJob()],
    'POST /jobs/shop-job-1/cancel': [200, reply],
  };
  const script = await run(home, routes, CancelCommand, ['shop-job-1']);
  assert.equal(script.code, 0);
  assert.equal(script.err, '');
  assert.equal(
    script.asked.map(({ method, path }) => [method, path]),
    [['POST', '/jobs/shop-job-1/cancel']],
  );

  const runner = await fakeRunner(routes);
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
  try {
    line.answers = ['n', 'y'];
    const no = await line.run(CancelCommand, ['shop-job-1']);
    assert.equal(no.code, 1);
    assert.equal(no.out, '');
    assert.match(no.err, 'Cancel this job for good? [y/N] Nothing was done.\n');
    assert.is((await line.run(CancelCommand, ['shop-job-1'])).code, 0);
    assert.equal(
      runner.seen.map(({ method }) => method),
      ['GET', 'GET', 'POST'],
    );
  } finally {
    await runner.close();
  }
});

test('svc why says in words what it waits for, the commands that move it and what blocks them', async ({
  home,
}) => {
  const why = {
    id: 'shop-job-1',
    state: ['parked.event'],
    since: Date.UTC(2026, 0, 1, 11),
    waitsFor: ['for an event on one of its pull requests'],
    waysOut: [
      {
        event: 'forge.event',
        from: 'forge',
        target: 'queued',
        open: 'depends',
        guards: [{ name: 'wakes', says: 'the event is awaited', value: 'depends' }],
      },
      { event: 'forge.event', from: 'forge', target: null, open: 'depends', guards: [] },
      { event: 'job.resume', from: 'developer', target: 'queued', open: true, guards: [] },
      {
        event: 'job.resume',
        from: 'developer',
        target: 'parked.event',
        open: false,
        guards: [{ name: 'no', says: 'never shown', value: false }],
      },
      { event: 'job.resume', from: 'developer', target: 'queued', open: true, guards: [] },
      {
        event: 'job.rerun',
        from: 'developer',
        target: 'queued',
        open: false,
        guards: [{ name: 'known', says: 'the workflow has the phase', value: false }],
      },
    ],
    pendingEffects: [{ effectId: 'shop-job-1/3/0', type: 'session.open', attempt: 2 }],
    timers: [{ name: 'quota', due: Date.UTC(2026, 0, 1, 12, 5) }],
  };
  const { code, out } = await run(home, { 'GET /jobs/shop-job-1/why': [200, why] }, WhyCommand, [
    '--job',
    'shop-job-1',
  ]);
  assert.is(code, 0);
  assert.is(
    out.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME'),
    `shop-job-1 is waiting for an event, since TIME (1 h ago)

It waits
  for an event on one of its pull requests

Running now
  the agent, attempt 2

Timers
  end of the wait for the quota, due TIME (in 5 min)

What you can do
  svc resume shop-job-1  continue

Other events it waits for
  an event of a pull request or a ticket that it waits for

Not possible now
  svc rerun shop-job-1 <phase>: only if the workflow has the phase
`,
  );
});

test('svc why says first why a job is parked, where what it waits for does not (CLI-1)', async ({
  home,
}) => {
  const reason =
    'No progress: the job has repeated these phases 3 times (coding → review → coding).';
  const runWhy = async (state: string, waitsFor: string[]) => {
    const more = { waysOut: [], pendingEffects: [], timers: [] };
    const why = { id: 'shop-job-1', state: [state], since: 0, reason, waitsFor, ...more };
    const args = ['--job', 'shop-job-1'];
    return (await run(home, { 'GET /jobs/shop-job-1/why': [200, why] }, WhyCommand, args)).out;
  };
  const developer = await runWhy('parked.developer', ['for a developer: resume, or a message']);
  assert.is(developer.split('\n')[1], reason);
  const budget = await runWhy('parked.budget', ['for a budget', reason]);
  assert.is(budget.split(reason).length, 2, 'it is written once');
  assert.not.match(await runWhy('parked.quota', ['for the account']), reason);
});

test('the token of the home is only sent to this machine, SVC_TOKEN to any address', async ({
  home,
}) => {
  const token = 'a'.repeat(43);
  await writeFile(join(home, 'runner.token'), token);
  const runner = await fakeRunner({ 'GET /jobs': [200, []] });
  try {
    await new CommandLine({ SVC_HOME: home }).run(JobsCommand, ['--url', `${runner.url}/`]);
    await new CommandLine({
      SVC_HOME: home,
      SVC_TOKEN: 'of-another-runner',
      SVC_URL: 'http://127.0.0.1:9',
    }).run(JobsCommand, ['--url', runner.url]);
    await writeFile(
      join(home, 'runner.json'),
      JSON.stringify({ url: runner.url, pid: 1, startedAt: '2026-01-01T00:00:00.000Z' }),
    );
    await new CommandLine({ SVC_HOME: home }).run(JobsCommand, []);
    assert.equal(
      runner.seen.map(({ authorization }) => authorization),
      [`Bearer ${token}`, 'Bearer of-another-runner', `Bearer ${token}`],
    );
  } finally {
    await runner.close();
  }
});

test.run();
