import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CampaignCancelCommand from '../../cli/commands/campaign/cancel.ts';
import CampaignListCommand from '../../cli/commands/campaign/list.ts';
import CampaignRerunCommand from '../../cli/commands/campaign/rerun.ts';
import CampaignShowCommand from '../../cli/commands/campaign/show.ts';
import CampaignSkipCommand from '../../cli/commands/campaign/skip.ts';
import CampaignUnskipCommand from '../../cli/commands/campaign/unskip.ts';
import type { Campaign, SubRunView } from '../../src/contract/schema/job/campaign.ts';
import type { SubRunReply, SubRunWhatIf } from '../../src/contract/schema/job/subRun.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeJob, fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('campaign commands');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-campaign-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

/**
 * Runs one command against a runner that knows the routes; `answers` = what a person at the
 * terminal types, null = no terminal.
 */
async function run(
  home: string,
  routes: Record<string, Reply>,
  command: Parameters<CommandLine['run']>[0],
  argv: string[],
  answers: string[] | null = null,
) {
  const runner = await fakeRunner(routes);
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    line.answers = answers;
    const result = await line.run(command, argv);
    return {
      ...result,
      asked: runner.seen.map(({ method, path, body }) => ({ method, path, body })),
    };
  } finally {
    await runner.close();
  }
}

const tokens = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
});

const subRun = (name: string, dependsOn: string[], changes: Partial<SubRunView>): SubRunView => ({
  name,
  description: name,
  canUnskip: false,
  params: {},
  dependsOn,
  trackerRef: null,
  jobId: null,
  status: 'pending',
  startedAt: null,
  completedAt: null,
  attempt: 1,
  reason: null,
  waitsFor: null,
  jobStatus: null,
  tokens: tokens(0, 0),
  unreported: 0,
  ...changes,
});

const campaign: Campaign = {
  jobId: 'shop-campaign-1',
  state: 'halted',
  waitsFor: 'for a person to rerun, skip or cancel sub-runs',
  maxParallelSubRuns: 2,
  failurePolicy: 'halt-on-failure',
  subRuns: [
    subRun('schema', [], { status: 'complete' }),
    subRun('api', ['schema'], { status: 'dispatched', waitsFor: 'for its job, which is coding' }),
    subRun('web', ['schema'], { status: 'failed', reason: 'no build', attempt: 2 }),
    subRun('glue', ['api', 'web'], { waitsFor: 'for api (dispatched), web (failed)' }),
  ],
  criticalPath: ['schema', 'web', 'glue'],
  contractDrift: [
    {
      id: 'i1',
      category: 'contract-drift',
      text: 'api.md promises\nv2',
      phase: 'coding',
      at: '2026-01-01T11:00:00.000Z',
      subRun: 'api',
    },
  ],
  tokens: tokens(1200, 300),
  unreported: 0,
};

const JOB = ['--job', 'shop-campaign-1'];
const SHOWN = { 'GET /jobs/shop-campaign-1/sub-runs': [200, campaign] } satisfies Record<
  string,
  Reply
>;

test('svc campaign show does not call tokens that no session has reported 0', async ({ home }) => {
  const printCampaign = (tokensUsed: Campaign['tokens']) =>
    run(
      home,
      {
        'GET /jobs/shop-campaign-1/sub-runs': [
          200,
          { ...campaign, tokens: tokensUsed, unreported: 2 },
        ],
      },
      CampaignShowCommand,
      JOB,
    );
  assert.match((await printCampaign(tokens(0, 0))).out, '\ntokens    not reported\n');
  assert.match(
    (await printCampaign(tokens(5, 3))).out,
    '\ntokens    5 in, 3 out; 2 sessions not reported\n',
  );
});

test('svc campaign show: where it stands, the graph, contract drift (CLI-3, INT-10)', async ({
  home,
}) => {
  const { code, out } = await run(home, SHOWN, CampaignShowCommand, JOB);
  assert.is(code, 0);
  assert.is(
    `\n${out}`,
    `
campaign  shop-campaign-1
state     halted
waits     for a person to rerun, skip or cancel sub-runs
progress  1/4, 1 running, 1 failed
rules     halt-on-failure, at most 2 at once
tokens    1200 in, 300 out
critical  schema -> web -> glue

✔    schema!  complete
├─▶  api      dispatched  waits for its job, which is coding
✖ │  web!     failed      attempt 2; no build
○─╯  glue!    pending     waits for api (dispatched), web (failed)

○ pending  ▶ dispatched  ✔ complete  ✖ failed  ! on the critical path

CONTRACT DRIFT
  api  api.md promises v2
`,
  );
  assert.equal(
    JSON.parse((await run(home, SHOWN, CampaignShowCommand, [...JOB, '--json'])).out),
    campaign,
  );
});

test('a job that coordinates nothing: 3', async ({ home }) => {
  assert.is((await run(home, {}, CampaignShowCommand, JOB)).code, 3);
});

test('svc campaign list: campaigns alone, how far each one is, and those that are still planned (CLI-3)', async ({
  home,
}) => {
  const one = fakeJob({
    id: 'shop-campaign-1',
    type: 'campaign',
    status: 'awaiting-sub-runs',
    parked: { kind: 'subRuns', since: '2026-01-01T11:00:00.000Z', reason: 'sub-runs' },
    description: 'Split the shop',
  });
  const two = fakeJob({
    id: 'docs-campaign-2',
    type: 'campaign',
    status: 'campaign-planning',
    description: 'Translate',
  });
  const routes: Record<string, Reply> = {
    ...SHOWN,
    'GET /jobs': [200, [one, two], { 'x-total-count': '7' }],
  };
  const { asked, ...result } = await run(home, routes, CampaignListCommand, ['--limit', '2']);
  assert.equal(result, {
    code: 0,
    out: `ID               STATUS                        PROGRESS                  CREATED  DESCRIPTION
shop-campaign-1  awaiting-sub-runs (sub-runs)  1/4, 1 running, 1 failed  1 h ago  Split the shop
docs-campaign-2  campaign-planning             -                         1 h ago  Translate
`,
    err: '2 of 7 campaigns; more: --offset 2\n',
  });
  assert.equal(
    asked.map(({ path }) => path),
    [
      '/jobs?coordinates=true&limit=2',
      '/jobs/shop-campaign-1/sub-runs',
      '/jobs/docs-campaign-2/sub-runs',
    ],
  );
  const json = JSON.parse((await run(home, routes, CampaignListCommand, ['--json'])).out);
  assert.equal(
    json.map(({ id, subRuns }: { id: string; subRuns: unknown[] }) => [
      id,
      subRuns.length,
      subRuns[2],
    ]),
    [
      ['shop-campaign-1', 4, { name: 'web', status: 'failed' }],
      ['docs-campaign-2', 0, undefined],
    ],
  );
  const next = await run(home, routes, CampaignListCommand, ['--limit', '2', '--offset', '5']);
  assert.is(next.asked[0]?.path, '/jobs?coordinates=true&limit=2&offset=5');
  assert.is(next.err, '2 of 7 campaigns\n');
  const none = await run(home, { 'GET /jobs': [200, []] }, CampaignListCommand, []);
  assert.equal(none.code, 0);
  assert.equal(none.out, '');
  assert.equal(none.err, 'No campaigns. Start one with svc campaign start <file>.\n');
});

const WHAT_IF: SubRunWhatIf = {
  refused: null,
  state: 'dispatching',
  changes: [
    { name: 'web', from: 'failed', to: 'skipped', reason: 'not needed' },
    { name: 'glue', from: 'pending', to: 'ready', reason: null },
  ],
  starts: ['glue'],
  stops: ['api'],
};
const { refused: _, ...EFFECTS } = WHAT_IF;
const REPLY: SubRunReply = { jobId: 'shop-campaign-1', name: 'web', status: 'skipped', ...EFFECTS };

const createRoutes = (action: string): Record<string, Reply> => ({
  'POST /jobs/shop-campaign-1/sub-runs/web/what-if': [200, WHAT_IF],
  [`POST /jobs/shop-campaign-1/children/web/${action}`]: [200, REPLY],
});
const WEB = [...JOB, '--child', 'web'];

const DONE = `web: skipped
  web: failed -> skipped (not needed)
  glue: pending -> ready
  started: glue
  stopping: api
  the campaign is dispatching
`;
const PREVIEW = `skip web of shop-campaign-1:
  web: failed -> skipped (not needed)
  glue: pending -> ready
  starts: glue
  stops: api
  the campaign will be dispatching
`;

test('unskip undoes a skip, over the path of its own', async ({ home }) => {
  const routes: Record<string, Reply> = {
    'POST /jobs/shop-campaign-1/sub-runs/web/what-if': [200, WHAT_IF],
    'POST /jobs/shop-campaign-1/sub-runs/web/unskip': [200, REPLY],
  };
  const result = await run(home, routes, CampaignUnskipCommand, [...WEB, '--yes'], []);
  assert.equal(result.code, 0);
  assert.equal(
    result.asked.map(({ path }) => path),
    ['/jobs/shop-campaign-1/sub-runs/web/what-if', '/jobs/shop-campaign-1/sub-runs/web/unskip'],
  );
});

test('at a terminal the consequences are shown first, and only a yes does it (CLI-3, SUB-6)', async ({
  home,
}) => {
  const argv = [...WEB, '--reason', 'not needed'];
  const yes = await run(home, createRoutes('skip'), CampaignSkipCommand, argv, ['y']);
  assert.equal(yes.code, 0);
  assert.equal(yes.err, `${PREVIEW}Do it? [y/N] `);
  assert.equal(yes.out, DONE);
  assert.equal(yes.asked, [
    {
      method: 'POST',
      path: '/jobs/shop-campaign-1/sub-runs/web/what-if',
      body: { action: 'skip', reason: 'not needed' },
    },
    {
      method: 'POST',
      path: '/jobs/shop-campaign-1/children/web/skip',
      body: { reason: 'not needed' },
    },
  ]);
  for (const answer of ['', 'n', 'yesterday']) {
    const no = await run(home, createRoutes('skip'), CampaignSkipCommand, argv, [answer]);
    assert.equal(no.code, 1, answer);
    assert.equal(no.err, `${PREVIEW}Do it? [y/N] Nothing was done.\n`, answer);
    assert.equal(no.out, '', answer);
    assert.equal(
      no.asked.map(({ path }) => path),
      ['/jobs/shop-campaign-1/sub-runs/web/what-if'],
    );
  }
});

test('an agent cannot skip, rerun or cancel sub-runs from its session (TOOL-11)', async ({
  home,
}) => {
  const line = new CommandLine({
    SVC_HOME: home,
    SVC_URL: 'http://127.0.0.1:1',
    SVC_SESSION_DIR: '/tmp/session',
  });
  for (const command of [CampaignSkipCommand, CampaignRerunCommand, CampaignCancelCommand])
    assert.is((await line.run(command, [...WEB, '--yes'])).code, 4);
});

test('--yes does it without asking, and so does a script without it; --json is the reply, or the what-if where a person said no (CLI-6)', async ({
  home,
}) => {
  const sure = await run(home, createRoutes('skip'), CampaignSkipCommand, [...WEB, '--yes'], []);
  assert.equal(sure.code, 0);
  assert.equal(sure.err, '');
  assert.equal(sure.out, DONE);
  const script = await run(home, createRoutes('skip'), CampaignSkipCommand, [
    ...WEB,
    '--json',
    '--yes',
  ]);
  assert.equal(script.code, 0);
  assert.equal(script.err, '');
  assert.equal(JSON.parse(script.out), REPLY);
  const bare = await run(home, createRoutes('skip'), CampaignSkipCommand, WEB);
  assert.equal(bare.code, 0);
  assert.equal(bare.err, '');
  assert.equal(bare.out, DONE);
  const no = await run(home, createRoutes('skip'), CampaignSkipCommand, [...WEB, '--json'], ['n']);
  assert.equal(no.code, 1);
  assert.equal(JSON.parse(no.out), WHAT_IF);
});

test('cancel and rerun go to their own addresses; rerun takes params (CLI-3, SUB-6)', async ({
  home,
}) => {
  const cancel = await run(home, createRoutes('cancel'), CampaignCancelCommand, [
    ...WEB,
    '--reason',
    'late',
    '-y',
  ]);
  assert.equal(
    cancel.asked.map(({ path, body }) => [path, body]),
    [
      ['/jobs/shop-campaign-1/sub-runs/web/what-if', { action: 'cancel', reason: 'late' }],
      ['/jobs/shop-campaign-1/children/web/cancel', { reason: 'late' }],
    ],
  );
  const paramsPatch = { retries: 3, branch: 'next' };
  const argv = [...WEB, '--yes', '--param', 'retries=3', '--param', 'branch=next'];
  const rerun = await run(home, createRoutes('rerun'), CampaignRerunCommand, argv);
  assert.equal(
    rerun.asked.map(({ path, body }) => [path, body]),
    [
      ['/jobs/shop-campaign-1/sub-runs/web/what-if', { action: 'rerun', paramsPatch }],
      ['/jobs/shop-campaign-1/children/web/rerun', { paramsPatch }],
    ],
  );
  const bad = await run(home, {}, CampaignRerunCommand, [...WEB, '--param', 'retries']);
  assert.equal(bad.code, 2);
  assert.equal(bad.asked, []);
});

test('a refusal is reported before any question, and nothing is sent: 1', async ({ home }) => {
  const refused: SubRunWhatIf = {
    refused: 'web is complete',
    state: 'settled',
    changes: [],
    starts: [],
    stops: [],
  };
  const routes: Record<string, Reply> = {
    'POST /jobs/shop-campaign-1/sub-runs/web/what-if': [200, refused],
  };
  const result = await run(home, routes, CampaignCancelCommand, WEB, ['y']);
  assert.equal(result.code, 1);
  assert.equal(result.out, '');
  assert.equal(result.err, 'Error: cancel of web is not possible now: web is complete.\n');
  assert.is(result.asked.length, 1);
});

test.run();
