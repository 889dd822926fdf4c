import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CampaignStartCommand from '../../cli/commands/campaign/start.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import {
  fakeJob,
  type FakeRunner,
  fakeRunner,
  logEvent,
  stateEvent,
} from '../support/http/fakeRunner.ts';

const test = suite<{ home: string; file: string; runner: FakeRunner }>('svc campaign start');

const created = {
  jobId: 'shop-campaign-1',
  status: 'queued',
  streamUrl: '/jobs/shop-campaign-1/stream',
};
const job = fakeJob({ id: 'shop-campaign-1', type: 'campaign', status: 'complete' });

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-campaign-'));
  context.file = join(context.home, 'split.md');
  context.runner = await fakeRunner({
    'POST /jobs': [201, created],
    'GET /jobs/shop-campaign-1': [200, job],
    'GET /jobs/shop-campaign-1/stream': {
      stream: [
        logEvent('dispatched api'),
        stateEvent('complete', { ended: true }),
        ['bye', { reason: 'ended' }],
      ],
    },
  });
});
test.after.each(async ({ home, runner }) => {
  await runner.close();
  await rm(home, { recursive: true, force: true });
});

const TEXT = `---
title: Split the shop
repo: shop
maxParallelSubRuns: 2
sub-runs:
  - { name: api, description: The api }
  - { name: web, dependsOn: [api] }
  - { name: docs, dependsOn: [api], params: { lane: docs } }
  - { name: release, dependsOn: [web, docs] }
---
Each part in its own package.
`;
const BODY = {
  type: 'campaign',
  workflowPath: 'workflows/campaign.md',
  params: { repoSlug: 'shop', description: 'Split the shop\n\nEach part in its own package.' },
  subRuns: [
    { name: 'api', description: 'The api' },
    { name: 'web', description: 'web', dependsOn: ['api'] },
    { name: 'docs', description: 'docs', dependsOn: ['api'], params: { lane: 'docs' } },
    { name: 'release', description: 'release', dependsOn: ['web', 'docs'] },
  ],
  coordinator: { maxParallelSubRuns: 2 },
};
const HEAD = 'job     shop-campaign-1\nstatus  queued\nstream  /jobs/shop-campaign-1/stream\n';

test('one file becomes one job, which is followed to its end (CLI-3)', async ({
  home,
  file,
  runner,
}) => {
  await writeFile(file, TEXT);
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
  const { code, out, err } = await line.run(CampaignStartCommand, [file]);
  assert.equal(code, 0);
  assert.equal(
    out.replace(/\d\d:\d\d:\d\d/g, 'TIME'),
    `${HEAD}TIME coding | dispatched api\nTIME = complete\n`,
  );
  assert.equal(err, '');
  assert.equal(
    runner.seen.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]),
    [['/jobs', BODY]],
  );
});

test('the same flags as svc job: --no-stream, --wait, --timeout, --json (CLI-6)', async ({
  home,
  file,
  runner,
}) => {
  await writeFile(file, TEXT);
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url }, TEXT);
  assert.equal(await line.run(CampaignStartCommand, [file, '--no-stream']), {
    code: 0,
    out: HEAD,
    err: '',
  });
  const waited = await line.run(CampaignStartCommand, ['-', '--wait', '--json', '--no-stream']);
  assert.equal(JSON.parse(waited.out), {
    ...created,
    status: 'complete',
    outcome: 'complete',
    job,
  });
  const before = runner.seen.length;
  assert.is((await line.run(CampaignStartCommand, [file, '--wait', '--timeout', 'soon'])).code, 2);
  assert.is(runner.seen.length, before, 'a flag that is wrong starts nothing');
});

test('--dry-run draws the graph and needs no runner; with --json it is what would be sent (CLI-3)', async ({
  home,
  file,
}) => {
  await writeFile(file, TEXT);
  const line = new CommandLine({ SVC_HOME: home });
  const { code, out, err } = await line.run(CampaignStartCommand, [file, '--dry-run']);
  assert.equal(code, 0);
  assert.equal(err, '');
  assert.is(
    `\n${out}`,
    `
○    api      pending
├─○  web      pending
○ │  docs     pending
○─╯  release  pending

○ pending
`,
  );
  assert.equal(
    JSON.parse((await line.run(CampaignStartCommand, [file, '--dry-run', '--json'])).out),
    BODY,
  );
});

test('every mistake at once with file, line and column, and nothing is sent: 2 (CLI-3)', async ({
  home,
  file,
  runner,
}) => {
  await writeFile(
    file,
    TEXT.replace('[web, docs]', '[wbe, docs]').replace(
      'dependsOn: [api] }',
      'dependsOn: [release] }',
    ),
  );
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
  const { code, err } = await line.run(CampaignStartCommand, [file]);
  assert.is(code, 2);
  assert.is(
    err,
    `Error: ${file} cannot be started as a campaign: 1 error. Nothing was started.
  ${file}:9:34  release waits for "wbe", which does not exist. Did you mean web?
`,
  );
  await writeFile(file, TEXT.replace('dependsOn: [api] }', 'dependsOn: [release] }'));
  const cycle = await line.run(CampaignStartCommand, [file, '--json']);
  assert.equal(cycle.code, 2);
  assert.equal(JSON.parse(cycle.out).error.errors, [
    {
      pointer: `${file}:7:30`,
      message:
        'These sub-runs wait for each other: web -> release -> web. Remove one of these names from dependsOn.',
    },
  ]);
  assert.equal(runner.seen, []);
});

test('a file that is not there: 3; one that is too large is a finding: 2', async ({
  home,
  file,
  runner,
}) => {
  const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
  assert.is((await line.run(CampaignStartCommand, [file])).code, 3);
  await writeFile(file, 'x'.repeat(300_000));
  const { code, err } = await line.run(CampaignStartCommand, [file]);
  assert.is(code, 2);
  assert.match(err, `${file}:1:1  The file has more than 256 KiB (262144 bytes).`);
});

test.run();
