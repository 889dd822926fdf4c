import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import AuditCommand from '../../cli/commands/audit.ts';
import ConfigSetCommand from '../../cli/commands/config/set.ts';
import type { RecordedAct } from '../../src/contract/schema/runner/audit.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('svc audit');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-audit-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const ACT: RecordedAct = {
  n: 7,
  at: '2026-11-30T08:00:00.000Z',
  via: 'team',
  person: 'Ada',
  address: '127.0.0.1',
  action: 'resume',
  target: { eventKey: 'approve' },
  jobId: 'svc-job-1',
  failed: 'conflict',
};

async function run(home: string, argv: string[]) {
  const runner = await fakeRunner({ 'GET /audit': [200, [ACT], { 'X-Total-Count': '9' }] });
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    return { ...(await line.run(AuditCommand, argv)), path: runner.seen[0]?.path };
  } finally {
    await runner.close();
  }
}

test('an entry says who, from where, what, on which job and how it ended', async ({ home }) => {
  const { out, err } = await run(home, []);
  for (const part of ['Ada (team)', '127.0.0.1', 'resume', 'svc-job-1', 'eventKey=approve'])
    assert.match(out, part);
  assert.match(out, 'failed: conflict');
  assert.match(err, '1 of 9 entries; more: --offset 1');
});

test('filters and pages are sent', async ({ home }) => {
  const { path } = await run(home, [
    '--since',
    '2026-01-01',
    '--job',
    'svc-job-1',
    '--action',
    'resume',
    '--limit',
    '1',
    '--offset',
    '2',
  ]);
  const query = new URL(`http://x${path}`).searchParams;
  assert.equal(Object.fromEntries(query), {
    limit: '1',
    offset: '2',
    since: '2026-01-01T00:00:00.000Z',
    job: 'svc-job-1',
    action: 'resume',
  });
});

test('--json is the list of entries', async ({ home }) => {
  assert.equal(JSON.parse((await run(home, ['--json'])).out), [ACT]);
});

test('without a runner, a change of the configuration is noted by its keys', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home }, 'a-secret\n');
  await line.run(ConfigSetCommand, ['decision.apiKey', '-']);
  const [name = ''] = await readdir(join(home, 'audit.offline'));
  const note = JSON.parse(await readFile(join(home, 'audit.offline', name), 'utf8'));
  assert.is(note.action, 'updateConfig');
  assert.equal(note.target, { keys: 'decision.apiKey' });
});

test.run();
