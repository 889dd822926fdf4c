import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SubRunView } from '../../../src/contract/schema/job/campaign.ts';
import {
  listSubRunActions,
  buildCampaignGraph,
  buildCampaignLook,
  countSubRunStatuses,
  wrapFirstLines,
  describeSubRunBox,
} from '../../../ui/campaign/buildCampaignGraph.ts';
import { parseParamsPatch } from '../../../ui/campaign/paramsFields.ts';
import { describeSubRunEffects } from '../../../ui/campaign/describeSubRunEffects.ts';

const test = suite('ui campaign: graph');

const subRun = (
  name: string,
  status: SubRunView['status'],
  dependsOn: string[] = [],
): SubRunView => ({
  name,
  status,
  dependsOn,
  description: `do ${name}`,
  params: {},
  trackerRef: null,
  jobId: null,
  jobStatus: null,
  startedAt: null,
  completedAt: null,
  attempt: 1,
  reason: null,
  waitsFor: null,
  canUnskip: false,
  tokens: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  unreported: 0,
});

const SUB_RUNS = [
  subRun('a', 'complete'),
  subRun('b', 'failed', ['a']),
  subRun('c', 'pending', ['a', 'b', 'gone']),
];

test('each sub-run is a box, each dependency that exists a line from what comes first (UI-3)', () => {
  const { nodes, edges } = buildCampaignGraph(SUB_RUNS);
  assert.equal(
    nodes.map(({ id, tags, rows }) => [id, ...tags, ...rows.map(({ text }) => text)]),
    [
      ['a', 'complete', 'do a'],
      ['b', 'failed', 'do b'],
      ['c', 'pending', 'do c'],
    ],
  );
  assert.equal(
    edges.map(({ id }) => id),
    ['a->b', 'a->c', 'b->c'],
  );
});

test('the critical path is marked, box by box and line by line, and what an action would change', () => {
  const look = buildCampaignLook(
    { subRuns: SUB_RUNS, criticalPath: ['a', 'b', 'c'] },
    { kind: 'box', id: 'b' },
    ['c'],
  );
  assert.equal(Object.fromEntries(look.boxes), {
    a: 'tone-good critical',
    b: 'tone-bad critical',
    c: 'tone-waiting critical predicted',
  });
  assert.equal(Object.fromEntries(look.edges), {
    'a->b': 'critical near',
    'b->c': 'critical near',
  });
});

test('actions are offered where they have an effect; the runner has the last word', () => {
  assert.equal(listSubRunActions({ status: 'pending' }, 'dispatching'), ['skip', 'cancel']);
  assert.equal(listSubRunActions({ status: 'dispatched' }, 'dispatching'), ['cancel', 'skip']);
  assert.equal(listSubRunActions({ status: 'failed' }, 'settled'), ['rerun', 'skip']);
  assert.equal(listSubRunActions({ status: 'complete' }, 'halted'), ['rerun']);
  assert.equal(listSubRunActions({ status: 'skipped' }, 'halted'), ['rerun']);
  assert.equal(listSubRunActions({ status: 'skipped', canUnskip: true }, 'halted'), [
    'unskip',
    'rerun',
  ]);
  assert.equal(listSubRunActions({ status: 'escalated' }, 'halted'), ['rerun', 'skip', 'cancel']);
});

test('each change is a sentence of its own, and so is no change', () => {
  const changes = [{ name: 'c', from: 'pending' as const, to: 'ready' as const, reason: null }];
  assert.equal(
    describeSubRunEffects({ state: 'dispatching', changes, starts: ['c'], stops: ['b'] }),
    [
      'c: pending → ready',
      'a job is started for c',
      'the job of b is stopped',
      'the campaign continues',
    ],
  );
  assert.equal(describeSubRunEffects({ state: 'halted', changes: [], starts: [], stops: [] }), [
    'no sub-run would change',
    'the campaign stays halted',
  ]);
});

test('counts follow the life of a sub-run; long descriptions are cut between words', () => {
  assert.equal(countSubRunStatuses(SUB_RUNS), [
    { status: 'complete', count: 1 },
    { status: 'pending', count: 1 },
    { status: 'failed', count: 1 },
  ]);
  assert.equal(wrapFirstLines('one two three four five', 9, 2), ['one two', 'three …']);
  assert.equal(wrapFirstLines('short', 9, 2), ['short']);
  assert.equal(wrapFirstLines('', 9, 2), []);
  assert.equal(wrapFirstLines('abcdefghijkl', 9, 2), ['abcdefgh…']);
});

test('params to change are an object, an empty text changes none, all else is refused with a reason', () => {
  assert.equal(parseParamsPatch(' '), { patch: {} });
  assert.equal(parseParamsPatch('{"lane":"job"}'), { patch: { lane: 'job' } });
  assert.equal(parseParamsPatch('3'), {
    wrong: 'Params must be an object, such as { "baseBranch": "main" }.',
  });
  assert.match(Object(parseParamsPatch('{')).wrong, /^Not valid JSON: /);
});

test('screen readers say status, dependencies, and what it waits for', () => {
  assert.is(
    describeSubRunBox({ ...subRun('c', 'pending', ['a', 'b']), waitsFor: 'for b (failed)' }),
    'Sub-run c, pending, depends on a and b. Waiting for b (failed)',
  );
});

test.run();
