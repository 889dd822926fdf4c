import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toDispatcherId } from '../../machines/index.ts';
import { listSubRunSpecs } from '../../src/jobs/views/listSubRunSpecs.ts';
import { contextIn } from '../support/agents/campaignAgents.ts';
import { CampaignPlay, FIRST, SECOND } from '../support/charts/campaignPlay.ts';
import { takeSample } from '../support/crash/crashMatrix.ts';
import { inLongLane } from '../support/longLane.ts';

const test = suite('campaigns: a crash at every point of the demo');

/** All of a campaign that a crash must not change. */
const campaign = ({ world: { store } }: CampaignPlay, id: string) => {
  const journal = store.durable.journal(id, 0, 1_000).filter(({ note }) => !note);
  const count = (type: string): number => journal.filter(({ event }) => event.type === type).length;
  const specs = listSubRunSpecs(store.rows, id);
  const insights = (jobId: string) =>
    store.rows.all('insights', { job_id: jobId }).map(({ text }) => text);
  return {
    rows: specs.map(({ name, status, attempt, reason, params }) => [
      name,
      status,
      attempt,
      reason,
      params,
    ]),
    learned: Object.fromEntries(
      specs.map(({ name, jobId }) => [name, jobId === null ? [] : insights(jobId).length]),
    ),
    parent: store.durable.actor(id)?.index.label,
    dispatcher: store.durable.actor(toDispatcherId(id))?.index.label,
    notices: {
      halted: count('subRuns.halted'),
      goOn: count('subRuns.goOn'),
      settled: count('subRuns.settled'),
    },
    visits: store.rows
      .all('phase_visits', { job_id: id }, { order: 'visit' })
      .map(({ phase }) => phase),
    summary: insights(id),
  };
};

const outcome = (play: CampaignPlay) => {
  const { store } = play.world;
  const jobs = store.actors
    .list({ chart: 'job', limit: 100, offset: 0 })
    .rows.map(({ id }) => contextIn(store, id));
  return {
    first: campaign(play, FIRST),
    second: campaign(play, SECOND),
    /** Every job that there is, with its pull requests. */
    jobs: jobs
      .flatMap(({ subRunOf, prs }) =>
        subRunOf ? [`${subRunOf.name} ${subRunOf.attempt}: ${prs.map(({ state }) => state)}`] : [],
      )
      .toSorted(),
    left: [...store.durable.listPendingEffects(), ...store.durable.listPendingMail()].length,
    damaged: store.integrity(),
  };
};

/** Every how many of the points is played; 1 with `npm run test:campaigns`. */
const EVERY = process.argv.includes('--all') ? 1 : inLongLane ? 4 : 10;

const dir = mkdtempSync(join(tmpdir(), 'svc-campaign-'));
const clean = new CampaignPlay({ countFile: join(dir, 'points') });
let points: string[] = [];

test.after(() => rmSync(dir, { recursive: true }));

test('without a crash: a failure halts the first until it is rerun with a param, another is skipped; the second continues without it', async () => {
  await clean.toTheEnd();
  points = readFileSync(join(dir, 'points'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\d+ /, ''));
  const skipped = 'skipped by developer: another team writes the usage';
  const language = 'Rhymes are a matter of the language: params.language has to name it.';
  assert.equal(outcome(clean), {
    first: {
      rows: [
        ['words', 'complete', 1, null, {}],
        ['count', 'complete', 1, null, {}],
        ['longest', 'complete', 2, null, { tie: 'first' }],
        ['report', 'complete', 1, null, {}],
        ['usage', 'skipped', 1, skipped, {}],
      ],
      learned: { words: 2, count: 1, longest: 1, report: 0, usage: [] },
      parent: 'complete',
      dispatcher: 'settled',
      notices: { halted: 1, goOn: 1, settled: 1 },
      visits: ['planning', 'awaiting-sub-runs', 'aggregating'],
      summary: ['All sub-runs have ended: 4 complete, 1 skipped.'],
    },
    second: {
      rows: [
        ['lines', 'complete', 1, null, {}],
        ['rhymes', 'escalated', 1, language, {}],
        ['poem', 'skipped', 1, 'waits for rhymes, which escalated', {}],
      ],
      learned: { lines: 0, rhymes: 0, poem: [] },
      parent: 'complete',
      dispatcher: 'settled',
      notices: { halted: 0, goOn: 0, settled: 1 },
      visits: ['awaiting-sub-runs', 'aggregating'],
      summary: [
        'All sub-runs have ended: 1 complete, 1 escalated, 1 skipped. Not done: rhymes (escalated), poem (skipped). sub_run_status says why.',
      ],
    },
    jobs: [
      'count 1: merged',
      'lines 1: merged',
      'longest 1: ',
      'longest 2: merged',
      'report 1: merged',
      'rhymes 1: ',
      'words 1: merged',
    ],
    left: 0,
    damaged: [],
  });
  for (const part of [
    'subRuns.finalize',
    'parent.parked',
    'subRun.prepared',
    'subRun.ended',
    'subRuns.halted',
    'subRuns.skip',
  ]) {
    assert.ok(
      points.some((point) => point.includes(part)),
      `${part} is among the points`,
    );
  }
  for (const part of [
    'subRuns.rerun',
    'subRuns.goOn',
    'subRuns.settled',
    'effect:subRun.dispatch',
    'effect:forge.write',
  ]) {
    assert.ok(
      points.some((point) => point.includes(part)),
      `${part} is among the points`,
    );
  }
});

// Some points: `npm run test:campaigns` plays all of them.
test('dead at commits and effects, before them and after them: nothing is lost, nothing is done twice (SUB-7)', async () => {
  assert.ok(points.length > 200, `only ${points.length} points`);
  const expected = outcome(clean);
  for (const point of takeSample(points, EVERY)) {
    const play = new CampaignPlay({ dieAt: point });
    await play.toTheEnd().catch((error: unknown) => {
      throw new Error(`dead at ${point}: ${error}`, { cause: error });
    });
    assert.is(play.deaths, 1, `it died at ${point}`);
    assert.equal(outcome(play), expected, `dead at ${point}`);
    play.world.store.close();
  }
  console.log(`\nnote: ${takeSample(points, EVERY).length} of ${points.length} points`);
});

test.run();
