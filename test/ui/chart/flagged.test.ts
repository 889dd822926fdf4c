import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeBox } from '../../../ui/chart/describeChart.ts';
import {
  listFlaggedPhases,
  findVisitFlag,
  withPhaseFlags,
} from '../../../ui/chart/flaggedPhases.ts';
import { buildChartLook } from '../../../ui/chart/buildChartLook.ts';
import { buildMachineGraph } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { group, leaf } from '../../support/charts/chartNodes.ts';

const test = suite('ui chart: flagged phases');

const RATING = { goal: 0.2, unmet: null, unmetConfidence: null, seriousness: 0, stuck: 0 };
const createFlaggedVisit = (phase: string, visit: number, flag: string | null) => ({
  phase,
  visit,
  flag,
  rating: RATING as never,
});
const skipped = (phase: string, visit: number) => ({ phase, visit, flag: null, rating: null });

const ROOT = group('', 'coding', [leaf('coding'), leaf('review')]);
const GRAPH = buildMachineGraph(ROOT, { allEffects: false, bundled: false });
const listTags = (flagged: readonly string[]) =>
  withPhaseFlags(GRAPH, flagged).nodes.flatMap(({ id, tags }) =>
    tags.length > 0 ? [[id, tags]] : [],
  );

test('a phase whose newest rating flags it is flagged (UI-5)', () => {
  assert.equal(
    listFlaggedPhases([
      createFlaggedVisit('coding', 1, null),
      createFlaggedVisit('coding', 3, 'off track'),
    ]),
    ['coding'],
  );
});

test('a later visit that is rated well takes the mark away (UI-5)', () => {
  assert.equal(
    listFlaggedPhases([
      createFlaggedVisit('coding', 1, 'off track'),
      createFlaggedVisit('coding', 3, null),
    ]),
    [],
  );
});

test('a later visit that was not rated leaves it (UI-5)', () => {
  assert.equal(
    listFlaggedPhases([createFlaggedVisit('coding', 1, 'off track'), skipped('coding', 3)]),
    ['coding'],
  );
});

test('the flag of the visit that the job is in has its reason (UI-5)', () => {
  assert.equal(findVisitFlag([createFlaggedVisit('coding', 3, 'off track')], 3), {
    phase: 'coding',
    why: 'off track',
  });
});

test('a visit that follows has none (UI-5)', () => {
  assert.is(findVisitFlag([createFlaggedVisit('coding', 3, 'off track')], 4), undefined);
});

test('its box has a word for it, and no other (UI-5)', () => {
  assert.equal(listTags(['coding']), [['coding', ['flagged']]]);
});

test('it has a look of its own (UI-5)', () => {
  const standing = { state: [], open: [], predicted: [], selected: null, flagged: ['coding'] };
  assert.is(buildChartLook(ROOT, GRAPH, standing).boxes.get('coding'), 'flagged');
});

test('readers of the screen are given it (UI-5)', () => {
  assert.match(describeBox(leaf('coding'), true, true), /^State coding, current, flagged/);
});

test.run();
