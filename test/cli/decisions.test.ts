import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import DecisionsCommand from '../../cli/commands/decisions/index.ts';
import LabelCommand from '../../cli/commands/decisions/label.ts';
import ReplayCommand from '../../cli/commands/decisions/replay.ts';
import ShowCommand from '../../cli/commands/decisions/show.ts';
import TrackRecordCommand from '../../cli/commands/decisions/track-record.ts';
import type {
  DecisionEntry,
  DecisionReplay,
} from '../../src/contract/schema/policy/decisionEntry.ts';
import type { TrackRecord } from '../../src/contract/schema/policy/trackRecord.ts';
import { computeTrackFigures } from '../../src/jobs/views/ratings/computeTrackFigures.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { JOB_ID, RATED_PHASE } from '../support/http/fakeFacade.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('commands decisions');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-decisions-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const FLAGGED: DecisionEntry = {
  ...RATED_PHASE,
  key: 'overseer/3/1',
  rating: { goal: 0.2, unmet: 'The tests pass.', unmetConfidence: 0.9, seriousness: 2, stuck: 0.8 },
  flag: 'the work looks off track: 20 % likely to serve the objective',
  outcome: { verdict: 'bad', why: 'rejected' },
};

const NO_LINES = { tools: [], failures: [], people: [], claims: [], history: [], truncated: [] };
const REPLAY: DecisionReplay = {
  recorded: 'a'.repeat(64),
  rebuilt: 'a'.repeat(64),
  same: true,
  why: null,
  digest: { facts: ['2 files differ from the base.'], ...NO_LINES },
  asked: { provider: 'rules', model: 'decider-2', ms: 12, skipped: null, rating: FLAGGED.rating },
  earlier: RATED_PHASE.rating,
};

const SAME = { site: 'overseer', provider: 'rules', model: 'decider-1.13.0' } as const;
const RECORD: TrackRecord = {
  since: '2026-01-01T00:00:00.000Z',
  mode: 'shadow',
  provider: 'rules',
  model: 'decider-1.13.0',
  missing: ['Of 20 flags it must be known how the work turned out; it is of 1.'],
  ratedBy: [
    computeTrackFigures({ ...SAME, digestVersion: 1, current: true }, [
      { decision: { goal: 0.2, flag: 'off', skipped: null, ms: 40 }, outcome: FLAGGED.outcome },
    ]),
  ],
  pauses: [
    {
      jobId: JOB_ID,
      key: FLAGGED.key,
      at: FLAGGED.at,
      phase: 'coding',
      flag: FLAGGED.flag ?? '',
      paused: false,
      outcome: FLAGGED.outcome,
    },
  ],
  of: 1,
  counted: 1,
};

type Command = Parameters<CommandLine['run']>[0];

async function run(
  home: string,
  command: Command,
  argv: string[],
  { found = [FLAGGED], env = {} }: { found?: DecisionEntry[]; env?: Record<string, string> } = {},
) {
  const runner = await fakeRunner({
    'GET /decisions': [200, found, { 'X-Total-Count': '7' }],
    [`GET /jobs/${JOB_ID}`]: [200, {}],
    'GET /jobs/nope': [
      404,
      { code: 'not-found', title: 'Not found', detail: 'No job nope exists.' },
    ],
    'POST /decisions/label': [200, { ...FLAGGED, outcome: { verdict: 'good', why: 'thumbs' } }],
    'POST /decisions/replay': [200, REPLAY],
    'GET /decisions/track-record': [200, RECORD],
  });
  try {
    const result = await new CommandLine({ SVC_HOME: home, SVC_URL: runner.url, ...env }).run(
      command,
      argv,
    );
    return { ...result, seen: runner.seen };
  } finally {
    await runner.close();
  }
}

test('the list names job, key, flag, outcome and rating in words (UI-5)', async ({ home }) => {
  const { out } = await run(home, DecisionsCommand, []);
  assert.match(out, /overseer\/3\/1 .*coding +flagged +bad: it was rejected +Off track, 20 %/);
});

test('the list sends its filters', async ({ home }) => {
  const { seen } = await run(home, DecisionsCommand, [
    JOB_ID,
    '--verdict',
    'flagged',
    '--no-skipped',
    '--since',
    '7d',
    '--limit',
    '1',
  ]);
  assert.is(
    seen[0]?.path,
    `/decisions?job=${JOB_ID}&verdict=flagged&skipped=false&since=7d&limit=1`,
  );
});

test('a part of the list says how to get more', async ({ home }) => {
  const { err } = await run(home, DecisionsCommand, []);
  assert.match(err, /1 of 7 ratings; more: --offset 1/);
});

test('a rating is shown with what it says beside the percentage, and no scores (UI-5)', async ({
  home,
}) => {
  const { out } = await run(home, ShowCommand, [JOB_ID]);
  assert.match(out, /A requirement looks unmet: The tests pass\./);
  assert.match(out, /The agent may be waiting/);
  assert.not.match(out, /0\.2|0\.8|seriousness/);
});

test('without a key the newest rating of a phase is shown', async ({ home }) => {
  const { seen } = await run(home, ShowCommand, [JOB_ID]);
  assert.is(seen[0]?.path, `/decisions?job=${JOB_ID}&limit=1&site=overseer&skipped=false`);
});

test('a job that was not rated says what lists its ratings', async ({ home }) => {
  const { err, code } = await run(home, ShowCommand, ['--job', JOB_ID, 'overseer/9/1'], {
    found: [],
  });
  assert.match(err, /no rating with the key overseer\/9\/1/);
  assert.is(code, 3);
});

test('a job that does not exist is said to be none', async ({ home }) => {
  const { err } = await run(home, LabelCommand, ['nope', '--good'], { found: [] });
  assert.match(err, /No job nope exists\./);
});

test('a label goes to the rating that was found, with its note', async ({ home }) => {
  const { seen, out } = await run(home, LabelCommand, [JOB_ID, '--good', '--note', 'Fine.']);
  assert.equal(seen[1]?.body, {
    job: JOB_ID,
    key: 'overseer/3/1',
    verdict: 'good',
    note: 'Fine.',
  });
  assert.match(out, /good: a person said so/);
});

test('a label needs a word', async ({ home }) => {
  const { err, code } = await run(home, LabelCommand, [JOB_ID]);
  assert.match(err, /--good or --bad/);
  assert.is(code, 2);
});

test('an agent cannot label', async ({ home }) => {
  const { seen, code } = await run(home, LabelCommand, [JOB_ID, '--good'], {
    env: { SVC_SESSION_DIR: '/session' },
  });
  assert.equal([seen.length, code], [0, 4]);
});

test('a replay shows both hashes, both ratings and the digest', async ({ home }) => {
  const { out, seen } = await run(home, ReplayCommand, [JOB_ID, '--ask']);
  assert.match(out, /the same, byte for byte/);
  assert.match(out, /then +On track, 80 %\nnow +Off track, 20 % \(rules, decider-2, 12 ms\)/);
  assert.match(out, /2 files differ from the base\./);
  assert.equal(seen[1]?.body, { job: JOB_ID, key: 'overseer/3/1', ask: true });
});

test('the track record says what is missing, and what would have been paused (UI-5)', async ({
  home,
}) => {
  const { out } = await run(home, TrackRecordCommand, []);
  assert.match(out, /Mode: Observe/);
  assert.match(out, /Not proven:\n {2}Of 20 flags/);
  assert.match(out, /1 of 1 \(100 %\), at least 27 %/);
  assert.match(out, /coding +no +bad: it was rejected/);
});

test.run();
