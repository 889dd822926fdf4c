import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Invariant, phaseWord } from '../../../../src/domain/invariants/invariant.ts';
import { stepMonitor } from '../../../../src/domain/invariants/monitor.ts';
import { parseInvariant } from '../../../../src/domain/invariants/parseInvariant.ts';
import { type Place, movesFrom } from '../../../../src/authoring/workflows/invariants/moves.ts';
import {
  type PhaseMap,
  phaseMap,
} from '../../../../src/authoring/workflows/invariants/phaseMap.ts';
import { phase, SteppedJob, workflow } from '../../../support/charts/jobSteps.ts';

const test = suite('invariants: the proof covers the chart of jobs');

/** Of an act that never happens: it only remembers, in the proof as in the job. */
const { invariant } = parseInvariant({
  id: 'remembers',
  never: 'phase(nowhere)',
  unless:
    'push since person and approved(pr) since push and merge and approved(plan) since phase(plan) and person since phase(code) and phase(code) since phase(report) and complete',
});
const RULE = invariant as Invariant;

const TABLE = workflow(
  [
    phase('plan', { interactive_checkpoint: true }),
    phase('code'),
    phase('wait', { agent: null }),
    phase('report'),
  ],
  { invariants: [RULE] },
);
const MAP = phaseMap(TABLE) as PhaseMap;
const NAMES = TABLE.phases.map(({ name }) => name);

interface Node {
  place: Place;
  monitor: number;
}

const keyOf = ({ place, monitor }: Node): string => JSON.stringify([place, monitor]);

/** What one move of the proof leads to. */
const after = ({ place, monitor }: Node): Node[] =>
  movesFrom(MAP, place).map(({ facts, act, begins, to }) => {
    const begun = begins === undefined ? [] : [phaseWord(NAMES[begins] ?? '')];
    const ended = act === 'complete' ? ['complete'] : [];
    const all = [...facts, ...ended, ...begun];
    return { place: to, monitor: all.reduce((one, fact) => stepMonitor(RULE, one, fact), monitor) };
  });

/** Moves of the proof that one event of a job may stand for. */
const MOST_MOVES = 6;

/** Where the proof can be when the job has come to this. */
function following(before: readonly Node[], phaseNow: string, monitor: number): Node[] {
  const known = new Map(before.map((node) => [keyOf(node), node]));
  let edge = before;
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    edge = edge.flatMap(after).filter((node) => {
      if (known.has(keyOf(node))) return false;
      known.set(keyOf(node), node);
      return true;
    });
  }
  return [...known.values()].filter(
    (node) =>
      NAMES[node.place.phase] === phaseNow &&
      node.monitor === monitor &&
      !['rerun', 'goto', 'approve', 'wake'].includes(node.place.stage),
  );
}

const DOES: readonly ((job: SteppedJob, next: () => number) => unknown)[] = [
  (job) => job.end(),
  (job) => job.end('error', 'boom'),
  (job) => job.approve(),
  (job) => job.resume(),
  (job) => job.resume('reject'),
  (job) => job.message(),
  (job) => job.createPr(1),
  (job) => job.prEvent('approved'),
  (job) => job.prEvent('merged'),
  (job) => job.awaitEvent(),
  (job) => job.awaitEvent({ resumePhase: 'report' }),
  (job, next) => job.goto(NAMES[next() % NAMES.length] ?? ''),
  (job, next) => job.rerun(NAMES[next() % NAMES.length] ?? ''),
];

/** The same numbers for the same seed. */
const random = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 8;
  };
};

const WALKS = 20;
const STEPS = 30;

test('whatever a job does, the proof has a way there with the same bits', () => {
  const lost: string[] = [];
  let steps = 0;
  for (let seed = 1; seed <= WALKS; seed++) {
    const next = random(seed);
    const job = new SteppedJob(TABLE);
    const said: string[] = [];
    job.run();
    const start: Place = { stage: 'work', phase: 0, approved: 0, opened: false };
    let nodes: Node[] = [{ place: start, monitor: job.context.monitors?.job[0] ?? 0 }];
    for (let step = 0; step < STEPS && nodes.length > 0; step++) {
      const what = next() % DOES.length;
      DOES[what]?.(job, next);
      job.run();
      said.push(`${what}→${job.at}`);
      steps += 1;
      const { approvals, monitors } = job.context;
      nodes = following(nodes, approvals.at ?? '', monitors?.job[0] ?? 0);
    }
    if (nodes.length === 0) lost.push(`${seed}: ${said.join(' ')}`);
  }
  assert.equal(lost.slice(0, 3), []);
  assert.ok(steps > WALKS * 20);
});

test.run();
