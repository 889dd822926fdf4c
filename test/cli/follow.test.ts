import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import JobCommand from '../../cli/commands/job.ts';
import LogsCommand from '../../cli/commands/logs.ts';
import ResumeCommand from '../../cli/commands/resume.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import {
  fakeJob,
  type FakeRunner,
  fakeRunner,
  logEvent,
  type StreamEvent,
  stateEvent,
} from '../support/http/fakeRunner.ts';

/** The time of the command line's clock, and a moment before and after it. */
const BEFORE = '2026-01-01T11:59:00.000Z';
const AFTER = '2026-01-01T12:00:01.000Z';

const test = suite<{ home: string }>('following a job');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-follow-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const created = { jobId: 'shop-job-1', status: 'queued', streamUrl: '/jobs/shop-job-1/stream' };
const TICKET = ['--jira-ticket', 'SHOP-1'];
const LOGS = ['--job', 'shop-job-1'];
const BYE: StreamEvent = ['bye', { reason: 'ended' }];
const HEAD = 'job     shop-job-1\nstatus  queued\nstream  /jobs/shop-job-1/stream\n';

async function withRunner(
  home: string,
  stream: readonly StreamEvent[],
  use: (line: CommandLine, runner: FakeRunner) => Promise<void>,
) {
  const runner = await fakeRunner({
    'POST /jobs': [201, created],
    'GET /jobs/shop-job-1': [200, fakeJob()],
    'POST /jobs/shop-job-1/resume': [
      200,
      { jobId: 'shop-job-1', status: 'coding', phase: 'coding', state: ['queued'], seq: 7 },
    ],
    'GET /jobs/shop-job-1/stream': { stream },
  });
  try {
    await use(new CommandLine({ SVC_HOME: home, SVC_URL: runner.url }), runner);
  } finally {
    await runner.close();
  }
}

/** Times of the day depend on the machine's time zone. */
const plain = (text: string): string => text.replace(/\b\d\d:\d\d:\d\d\b/g, 'TIME');

const createEndFrame = (status: string): StreamEvent =>
  stateEvent(status, { ended: true, state: [`ended.${status}`] });
const parked = (kind: string): StreamEvent =>
  stateEvent('awaiting', { parked: { kind, since: BEFORE, reason: `waits: ${kind}` } });

const OUTCOMES: [outcome: string, code: number, said: string, stream: StreamEvent[]][] = [
  ['complete', 0, '', [stateEvent('coding'), createEndFrame('complete'), BYE]],
  ['failed', 6, '', [createEndFrame('failed'), BYE]],
  ['escalated', 6, '', [createEndFrame('escalated'), BYE]],
  ['cancelled', 6, '', [createEndFrame('cancelled'), BYE]],
  ...['approval', 'developer', 'paused', 'halted', 'event'].map(
    (kind): [string, number, string, StreamEvent[]] => [
      'waiting',
      7,
      'The job waits for a person. See why: svc why --job shop-job-1\n',
      [parked(kind), null],
    ],
  ),
  ['complete', 0, '', [parked('subRuns'), createEndFrame('complete'), BYE]],
  [
    'complete',
    9,
    'The campaign is complete, but not every sub-run succeeded. See which: svc campaign show --job shop-job-1\n',
    [
      stateEvent('complete', {
        ended: true,
        state: ['ended.complete'],
        incomplete: 'complete, 1 sub-run failed',
      }),
      BYE,
    ],
  ],
];
for (const [outcome, code, message, stream] of OUTCOMES) {
  const kinds = stream
    .map((event) =>
      event === null
        ? 'open'
        : JSON.stringify(event[1]).match(/waits: \w+|"reason":"ended"|"status":"\w+"/)?.[0],
    )
    .join(' ');
  test(`svc job --wait: ${kinds} is ${outcome}, exit code ${code}, with and without --json (CLI-6)`, async ({
    home,
  }) => {
    await withRunner(home, stream, async (line) => {
      const text = await line.run(JobCommand, [...TICKET, '--wait']);
      assert.equal(text.code, code);
      assert.equal(text.err, message);
      const json = await line.run(JobCommand, [...TICKET, '--wait', '--json', '--no-stream']);
      assert.equal(json.code, code);
      assert.equal(JSON.parse(json.out), {
        ...created,
        status: fakeJob().status,
        outcome,
        job: fakeJob(),
      });
      assert.equal(json.err, '');
    });
  });
}

test('svc job follows the log until the job ends; its end is the exit code (CLI-1)', async ({
  home,
}) => {
  const stream = [
    stateEvent('planning'),
    stateEvent('planning'),
    logEvent('\u001B[31mhello\u001B[0m'),
    parked('approval'),
    logEvent('approved'),
    stateEvent('awaiting'),
    createEndFrame('failed'),
    BYE,
  ];
  await withRunner(home, stream, async (line) => {
    const { code, out, err } = await line.run(JobCommand, TICKET);
    assert.equal(code, 6);
    assert.equal(err, '');
    assert.is(
      plain(out),
      `${HEAD}TIME = planning\nTIME coding | hello\nTIME = awaiting - waits: approval\nTIME coding | approved\nTIME = failed\n`,
    );
  });
});

test('with --wait --json the log is talk: standard output holds one document (CLI-6)', async ({
  home,
}) => {
  await withRunner(home, [logEvent('hello'), createEndFrame('complete'), BYE], async (line) => {
    const { out, err } = await line.run(JobCommand, [...TICKET, '--wait', '--json']);
    assert.is(JSON.parse(out).outcome, 'complete');
    assert.is(plain(err), 'TIME coding | hello\nTIME = complete\n');
  });
});

test('--timeout ends the waiting with 8 and leaves the job alone (CLI-6)', async ({ home }) => {
  await withRunner(home, [logEvent('hello'), null], async (line, runner) => {
    const running = line.run(JobCommand, [...TICKET, '--wait', '--timeout', '30m']);
    await line.written('hello');
    line.clock.advance(30 * 60_000 - 1);
    line.clock.advance(1);
    const { code, err } = await running;
    assert.equal(code, 8);
    assert.equal(err, 'Timed out. The job continues. Follow it again: svc logs --job shop-job-1\n');
    assert.equal(
      runner.seen.filter(({ method }) => method === 'POST').map(({ path }) => path),
      ['/jobs'],
    );
  });
});

test('Ctrl-C detaches: exit code 130, how to follow again, and the job continues (CLI-1)', async ({
  home,
}) => {
  await withRunner(home, [logEvent('hello'), null], async (line, runner) => {
    for (const [command, argv] of [
      [LogsCommand, LOGS],
      [JobCommand, TICKET],
    ] as const) {
      const running = line.run(command, [...argv]);
      await line.written('hello');
      line.pressCtrlC();
      const { code, err } = await running;
      assert.equal(code, 130);
      assert.equal(
        err,
        'Detached. The job continues. Follow it again: svc logs --job shop-job-1\n',
      );
    }
    assert.not(runner.seen.some(({ path }) => path.endsWith('/cancel') || path.endsWith('/pause')));
  });
});

const PAST = [1, 2, 3].map((n) => logEvent(`old ${n}`, BEFORE));
const TAILS: [argv: string[], shown: string][] = [
  [[], 'old 1, old 2, old 3, new'],
  [['--tail', '2'], 'old 2, old 3, new'],
  [['--tail', '9'], 'old 1, old 2, old 3, new'],
  [['--tail', '0'], 'new'],
];
for (const [argv, expected] of TAILS) {
  test(`svc logs ${argv.join(' ')} shows ${expected} (CLI-1)`, async ({ home }) => {
    await withRunner(home, [...PAST, logEvent('new', AFTER), BYE], async (line) => {
      const { code, out } = await line.run(LogsCommand, [...LOGS, ...argv]);
      assert.equal(code, 0);
      assert.equal(
        plain(out),
        expected
          .split(', ')
          .map((text) => `TIME coding | ${text}\n`)
          .join(''),
      );
    });
  });
}

test('the last lines of the past are shown though nothing new comes', async ({ home }) => {
  await withRunner(home, [...PAST, BYE], async (line) => {
    assert.is(
      plain((await line.run(LogsCommand, [...LOGS, '--tail', '1'])).out),
      'TIME coding | old 3\n',
    );
  });
  await withRunner(home, [...PAST, ['usage', {}], null], async (line) => {
    const running = line.run(LogsCommand, [...LOGS, '--tail', '1']);
    while (!line.clock.isDueWithin(250)) await new Promise(setImmediate);
    line.clock.advance(250);
    await line.written('old 3');
    line.pressCtrlC();
    assert.is((await running).code, 130);
  });
});

test('svc logs --json is one frame a line (CLI-6)', async ({ home }) => {
  await withRunner(home, [logEvent('hello'), ['usage', { inputTokens: 1 }], BYE], async (line) => {
    const { out } = await line.run(LogsCommand, [...LOGS, '--json']);
    assert.equal(
      out
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text)),
      [
        {
          n: 1,
          kind: 'log',
          data: { at: BEFORE, phase: 'coding', visit: 1, from: 'agent', tag: null, line: 'hello' },
        },
        { n: 2, kind: 'usage', data: { inputTokens: 1 } },
      ],
    );
  });
});

test('svc resume follows what comes from then on (CLI-1)', async ({ home }) => {
  const stream = [
    ...PAST,
    createEndFrame('failed'),
    logEvent('again', AFTER),
    stateEvent('complete', { at: AFTER, ended: true }),
    BYE,
  ];
  await withRunner(home, stream, async (line) => {
    const { code, out } = await line.run(ResumeCommand, LOGS);
    assert.equal(code, 0);
    assert.equal(
      plain(out),
      'shop-job-1: coding (phase coding)\nTIME coding | again\nTIME = complete\n',
    );
  });
});

test('svc resume ends with 7 when the job waits for a person again, and not for what it waited for before', async ({
  home,
}) => {
  const waits = { at: AFTER, parked: { kind: 'event', since: AFTER, reason: 'for a review' } };
  const stream = [parked('approval'), stateEvent('awaiting-review', waits), null];
  await withRunner(home, stream, async (line) => {
    const { code, err } = await line.run(ResumeCommand, LOGS);
    assert.equal(code, 7);
    assert.match(err, /The job waits for a person\. See why: svc why --job shop-job-1/);
  });
});

test.run();
