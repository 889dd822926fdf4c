import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Invariant, toPhaseWord } from '../../../../src/base/invariants/invariant.ts';
import { advanceMonitor } from '../../../../src/base/invariants/monitor.ts';
import { parseInvariant } from '../../../../src/base/invariants/parseInvariant.ts';
import {
  type MoveKind,
  type JobPlace,
  listMoves,
} from '../../../../src/workflows/definition/invariants/moves.ts';
import {
  type PhaseMap,
  buildPhaseMap,
} from '../../../../src/workflows/definition/invariants/buildPhaseMap.ts';
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
const MAP = buildPhaseMap(TABLE) as PhaseMap;
const NAMES = TABLE.phases.map(({ name }) => name);

interface Node {
  place: JobPlace;
  monitor: number;
}

const toNodeKey = ({ place, monitor }: Node): string => JSON.stringify([place, monitor]);

/** What one move of the proof leads to. */
const after = ({ place, monitor }: Node, kinds: ReadonlySet<MoveKind>): Node[] =>
  listMoves(MAP, place)
    .filter(({ does }) => kinds.has(does))
    .map(({ facts, act, begins, to }) => {
      const beginWords = begins === undefined ? [] : [toPhaseWord(NAMES[begins] ?? '')];
      const endWords = act === 'complete' ? ['complete'] : [];
      const all = [...facts, ...endWords, ...beginWords];
      return {
        place: to,
        monitor: all.reduce((one, fact) => advanceMonitor(RULE, one, fact), monitor),
      };
    });

/** Moves of the proof that one event of a job may stand for. */
const MOST_MOVES = 6;

/** Where the proof can be when the job has come to this. */
function following(
  before: readonly Node[],
  kinds: ReadonlySet<MoveKind>,
  phaseNow: string,
  monitor: number,
): Node[] {
  const known = new Map(before.map((node) => [toNodeKey(node), node]));
  let edge = before;
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    edge = edge
      .flatMap((node) => after(node, kinds))
      .filter((node) => {
        if (known.has(toNodeKey(node))) return false;
        known.set(toNodeKey(node), node);
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

/** A phase without an agent is over as soon as it has begun, after whatever has led to it. */
const ALSO: readonly MoveKind[] = ['end', 'gate'];

/** What a job does, and the moves that may stand for it: no other one may take their place. */
const DOES: readonly (readonly [
  (job: SteppedJob, next: () => number) => unknown,
  readonly MoveKind[],
])[] = [
  // What goto_phase has named begins with the end of the turn.
  [(job) => job.end(), ['goto', 'choose']],
  [(job) => job.end('error', 'boom'), ['error']],
  [(job) => job.approve(), ['approve', 'choose']],
  [(job) => job.resume(), ['resume', 'message', 'event', 'choose', 'approve']],
  [(job) => job.resume('reject'), ['reject', 'resume']],
  [(job) => job.message(), ['message']],
  [(job) => job.createPr(1), ['open-pr', 'push']],
  [(job) => job.prEvent('approved'), ['event']],
  [(job) => job.prEvent('merged'), ['event']],
  [(job) => job.awaitEvent(), ['await']],
  [(job) => job.awaitEvent({ resumePhase: 'report' }), ['await']],
  [(job, next) => job.goto(NAMES[next() % NAMES.length] ?? ''), ['goto', 'choose']],
  [(job, next) => job.rerun(NAMES[next() % NAMES.length] ?? ''), ['rerun', 'choose']],
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
/** Until one shows that a move is missing: some are needed seldom. */
const MOST_WALKS = 120;
const STEPS = 30;

/** The walks that the proof cannot follow once it lacks a kind of move, and how many steps it took. */
function walk(without: MoveKind | null): { lost: string[]; steps: number } {
  const lost: string[] = [];
  let steps = 0;
  for (let seed = 1; seed <= (without === null ? WALKS : MOST_WALKS); seed++) {
    const next = random(seed);
    const job = new SteppedJob(TABLE);
    const trail: string[] = [];
    job.run();
    const start: JobPlace = { stage: 'work', phase: 0, approved: 0, opened: false };
    let nodes: Node[] = [{ place: start, monitor: job.context.monitors?.job[0] ?? 0 }];
    for (let step = 0; step < STEPS && nodes.length > 0; step++) {
      const what = next() % DOES.length;
      const [act, kinds] = DOES[what] ?? [() => undefined, []];
      act(job, next);
      job.run();
      trail.push(`${what}→${job.at}`);
      steps += 1;
      const { approvals, monitors } = job.context;
      const moveKinds = new Set([...kinds, ...ALSO].filter((kind) => kind !== without));
      nodes = following(nodes, moveKinds, approvals.at ?? '', monitors?.job[0] ?? 0);
    }
    if (nodes.length === 0) {
      lost.push(`${seed}: ${trail.join(' ')}`);
      if (without !== null) break;
    }
  }
  return { lost, steps };
}

test('whatever a job does, the proof has a way there with the same bits', () => {
  const { lost, steps } = walk(null);
  assert.equal(lost.slice(0, 3), []);
  assert.ok(steps > WALKS * 20);
});

const NEEDED: readonly MoveKind[] = [
  'end',
  'goto',
  'await',
  'error',
  'open-pr',
  'event',
  'message',
  'approve',
  'reject',
  'resume',
  'rerun',
];

for (const kind of NEEDED)
  test(`without the move "${kind}" the proof loses the job`, () => {
    assert.not.equal(walk(kind).lost, []);
  });

test.run();
