import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnyStateNode } from 'xstate';
import { jobChart } from '../../../machines/index.ts';
import { WAYS_TO_FAIL } from '../../../machines/job/rules/waysToFail.ts';
import { SESSION_FAULTS } from '../../../src/base/errors/sessionFaults.ts';
import { STOP_REASONS } from '../../../src/base/jobs/stopReasons.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('ways to ended.failed');

const PAGE = readFileSync(
  new URL('../../../docs/concepts/parking.md', import.meta.url),
  'utf8',
).replaceAll('\n', ' ');

const nodesUnder = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesUnder),
];

/** Every arrow of the chart to the state, as `<state it leaves> <guard>`. */
const arrowsTo = (target: string): string[] =>
  nodesUnder(jobChart.machine.root).flatMap((node) =>
    [...[...node.transitions.values()].flat(), ...(node.always ?? [])]
      .filter((arrow) => arrow.target?.some(({ path }) => path.join('.') === target))
      .map(({ guard }) => `${node.path.join('.')} ${String(guard)}`),
  );

test('the chart has those of the list and no other', () => {
  const arrows = WAYS_TO_FAIL.flatMap(({ guard, from }) =>
    from.map((state) => `${state} ${guard}`),
  );
  assert.equal([...new Set(arrowsTo('ended.failed'))].sort(), [...new Set(arrows)].sort());
  assert.equal(arrowsTo('ended'), []);
});

test('of the ends of a session only a limit and the exit code of the agent itself are such a way', () => {
  const failing = STOP_REASONS.filter((reason) => {
    const job = new SteppedJob().reach('coding');
    return job.end(reason, 'because', { fault: 'unknown' }).at === 'ended.failed';
  });
  assert.equal(failing, ['limit']);
  const faults = Object.entries(SESSION_FAULTS).filter(([, { leads }]) => leads === 'fail');
  assert.equal(
    faults.map(([fault]) => fault),
    ['own-exit'],
  );
});

test('no answer of a preparation is one', () => {
  const ANSWERS = [
    { type: 'phase.unprepared', visit: 1, message: 'no', diagnostics: [] },
    { type: 'phase.unprepared', visit: 1, message: 'no', diagnostics: [], retry: true },
    { type: 'phase.postponed', visit: 1, disk: 'full' },
    { type: 'effect.givenUp', effect: 'phase.prepare', visit: 1, why: 'port-failed' },
  ];
  for (const answer of ANSWERS) {
    const job = new SteppedJob();
    job.slot();
    job.send({ attempts: 4, error: 'no', session: null, key: null, ...answer });
    assert.is.not(job.at, 'working.preparing');
    assert.is.not(job.at, 'ended.failed');
  }
});

test('the page about parking has all of them, with the reason why they are not parked', () => {
  for (const { guard, cause, why } of WAYS_TO_FAIL)
    for (const text of [guard, cause, why]) assert.ok(PAGE.includes(text), text);
  for (const fault of Object.keys(SESSION_FAULTS)) assert.ok(PAGE.includes(`\`${fault}\``), fault);
});

test.run();
