import {
  toDispatcherId,
  type Graph,
  type JobContext,
  readMark,
  toSubRunStatus,
  type SubRunsContext,
} from '../../../machines/index.ts';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { CommitNotice } from '../../../src/kernel/contract.ts';
import type { ActorRow, Batch } from '../../../src/kernel/writer.ts';
import { compareSubRunGraphs } from '../../../src/sessions/subRuns/subRunCommands.ts';
import { listSubRunSpecs } from '../../../src/jobs/views/listSubRunSpecs.ts';
import type { SubRunsState } from '../../../src/contract/schema/job/subRun.ts';
import type { CampaignWorld, Foreseen, SimulatedSubRun } from './campaignWorld.ts';

/**
 * A sentence that is true of a campaign whatever happens to it; the function says what makes it
 * false.
 */
interface Truth<Args extends unknown[] = []> {
  sentence: string;
  broken(world: CampaignWorld, ...args: Args): string[];
}

/** A step of the dispatcher, its states as they are known before and after. */
interface Step {
  before: ActorState<SubRunsContext> | undefined;
  after: ActorState<SubRunsContext>;
  event: { type: string; name?: unknown };
  /** No other step of the dispatcher is in its commit: what the rows say is of this one. */
  alone: boolean;
}

const RUNNING = 'dboxk';
const OPEN = 'prwdboxk';
const FREE = 'cs';
const NOTHING_BEGINS = [
  'collecting',
  'finalized',
  'held',
  'halted',
  'reopened',
  'closing',
  'closed',
];

const mark = (graph: Graph, n: number): string =>
  n < graph.names.length ? readMark(graph, n) : '';
const listBegunSubRuns = ({ before, after }: Step): number[] =>
  after.context.graph.names.flatMap((_, n) => {
    const was = before ? mark(before.context.graph, n) : '';
    const again = before && before.context.graph.attempts[n] !== after.context.graph.attempts[n];
    return mark(after.context.graph, n) === 'd' && (again || !RUNNING.includes(was) || was === '')
      ? [n]
      : [];
  });

const parseContext = (row: ActorRow | undefined): SubRunsContext | undefined =>
  row && (JSON.parse(row.snapshot) as { context: SubRunsContext }).context;

const dispatcherRow = ({ store, parentId }: CampaignWorld): ActorRow | undefined =>
  parentId === null ? undefined : store.durable.actor(toDispatcherId(parentId));

const lives = ({ ended }: SimulatedSubRun): boolean => !ended;

/** Known after every step of the dispatcher. */
export const AFTER_EVERY_STEP: readonly Truth<[Step]>[] = [
  {
    sentence:
      'no sub-run begins before all that it waits for is complete or was skipped by a person',
    broken: (_world, step) => {
      if (step.event.type === 'subRun.reopened') return [];
      const { graph } = step.after.context;
      return listBegunSubRuns(step).flatMap((n) =>
        (graph.dependsOn[n] ?? [])
          .filter((name) => !FREE.includes(mark(graph, graph.names.indexOf(name))))
          .map(
            (name) =>
              `${graph.names[n]} begins, ${name} is ${mark(graph, graph.names.indexOf(name))}`,
          ),
      );
    },
  },
  {
    sentence:
      'the job of a sub-run starts only while all that it waits for is complete or was skipped by a person',
    broken: (_world, { before, after, event }) => {
      const { graph } = after.context;
      const n = graph.names.indexOf(String(event.name));
      if (
        event.type !== 'subRun.prepared' ||
        !before ||
        mark(before.context.graph, n) !== 'd' ||
        mark(graph, n) !== 'b'
      )
        return [];
      return (graph.dependsOn[n] ?? [])
        .filter((name) => !FREE.includes(mark(graph, graph.names.indexOf(name))))
        .map(
          (name) => `${event.name} starts, ${name} is ${mark(graph, graph.names.indexOf(name))}`,
        );
    },
  },
  {
    sentence: 'a sub-run starts only while the parent waits and no decision is open',
    broken: (_world, step) => {
      const state = String(step.after.value);
      const names =
        step.event.type === 'subRun.reopened'
          ? []
          : listBegunSubRuns(step).map((n) => step.after.context.graph.names[n]);
      return NOTHING_BEGINS.includes(state) && names.length > 0 ? [`${names} in ${state}`] : [];
    },
  },
  {
    sentence: 'a campaign is halted only by an undecided failure under halt-on-failure',
    broken: (_world, { after }) => {
      const { graph, policy } = after.context;
      const right = policy === 'halt-on-failure' && /[fe]/.test(graph.marks);
      return after.value !== 'halted' || right ? [] : [`${policy}, ${graph.marks}`];
    },
  },
  {
    sentence:
      'every sub-run has ended when the parent is notified, and their jobs as well except those that were reopened',
    broken: (world, { before, after }) => {
      if (!['settled', 'closed'].includes(String(after.value)) || before?.value === after.value)
        return [];
      const { graph } = after.context;
      const open = graph.names.filter((_, n) => OPEN.includes(mark(graph, n)));
      const running = [...world.subRuns]
        .filter(([, job]) => lives(job) && !job.reopened)
        .map(([id]) => id);
      return open.length + running.length === 0 ? [] : [`${open} are open, ${running} run`];
    },
  },
  {
    sentence: 'the parent continues only when no failure is left that a person has to decide about',
    broken: (_world, { after }) => {
      const { graph, policy } = after.context;
      const open = policy === 'halt-on-failure' && /[fe]/.test(graph.marks);
      return after.value !== 'settled' || !open || after.seq === 0 ? [] : [graph.marks];
    },
  },
  {
    sentence: 'what a command was said to do is what it does',
    broken: (world, { before, after, event, alone }) => {
      if (!before) return [];
      const forecast = world.foreseen.findLast(
        ({ seq, type, name }) => seq === before.seq && type === event.type && name === event.name,
      );
      if (!forecast) return [];
      world.counts.foreseen += 1;
      return differs(world, forecast, before, after, alone);
    },
  },
];

function differs(
  { store, parentId }: CampaignWorld,
  { type, name, said }: Foreseen,
  before: ActorState<SubRunsContext>,
  after: ActorState<SubRunsContext>,
  alone: boolean,
): string[] {
  if (said.refused !== null)
    return [`${type} ${name} was said to be refused (${said.refused}) and is taken`];
  const specs = new Map(
    listSubRunSpecs(store.rows, parentId ?? '').map((spec) => [spec.name, spec.reason]),
  );
  const findReason = (of: string): string | null => {
    if (alone) return specs.get(of) ?? null;
    return said.changes.find((change) => change.name === of)?.reason ?? null;
  };
  const actual = compareSubRunGraphs(
    before.context.graph,
    after.context.graph,
    after.value as SubRunsState,
    findReason,
  );
  const { refused: _, ...foreseen } = said;
  return JSON.stringify(actual) === JSON.stringify(foreseen)
    ? []
    : [`${type} ${name}: said ${JSON.stringify(foreseen)}, done ${JSON.stringify(actual)}`];
}

/** Known after every commit. */
export const AFTER_EVERY_COMMIT: readonly Truth<[Batch]>[] = [
  {
    sentence:
      'never more sub-runs than the cap have a live job; those that a person has continued do not count',
    broken: (world) => {
      const cap = parseContext(dispatcherRow(world))?.cap ?? 0;
      const running = [...world.subRuns.values()].filter(
        (job) => lives(job) && !job.reopened,
      ).length;
      return running <= cap ? [] : [`${running} of ${cap}`];
    },
  },
  {
    sentence: 'the rows say the same as the graph',
    broken: (world) => {
      const context = parseContext(dispatcherRow(world));
      if (!context) return [];
      const { names, dependsOn, attempts } = context.graph;
      const graph = names.map((name, n) => [
        name,
        toSubRunStatus(readMark(context.graph, n)),
        attempts[n],
        dependsOn[n],
      ]);
      const rows = listSubRunSpecs(world.store.rows, context.parentJobId).map((spec) => [
        spec.name,
        spec.status,
        spec.attempt,
        spec.dependsOn,
      ]);
      return JSON.stringify(graph) === JSON.stringify(rows)
        ? []
        : [`graph ${JSON.stringify(graph)}, rows ${JSON.stringify(rows)}`];
    },
  },
  {
    sentence:
      'every sub-run that ended without being complete says why, and no other does but one that is being stopped',
    broken: (world) =>
      listSubRunSpecs(world.store.rows, world.parentId ?? '').flatMap(
        ({ name, status, reason, startedAt, completedAt }) => {
          const isEnded = ['complete', 'failed', 'escalated', 'skipped'].includes(status);
          const right =
            isEnded === (completedAt !== null) &&
            (!isEnded || (reason !== null && reason !== '') === (status !== 'complete')) &&
            (status === 'pending' || status === 'ready'
              ? reason === null && startedAt === null
              : true);
          return right
            ? []
            : [`${name} is ${status}, reason ${reason}, ${startedAt} to ${completedAt}`];
        },
      ),
  },
  {
    sentence: 'a run of a sub-run has one job, and its row names it',
    broken: (world) => {
      const jobs = new Map<string, string>();
      const twice = [...world.subRuns].flatMap(([id, { name, attempt }]) => {
        const key = `${name} ${attempt}`;
        const other = jobs.get(key);
        jobs.set(key, id);
        return other === undefined ? [] : [`${key}: ${other} and ${id}`];
      });
      const wrong = listSubRunSpecs(world.store.rows, world.parentId ?? '').flatMap(
        ({ name, attempt, jobId }) => {
          const job = jobs.get(`${name} ${attempt}`) ?? null;
          return job === jobId
            ? []
            : [`${name} ${attempt}: the row says ${jobId}, the job is ${job}`];
        },
      );
      return [...twice, ...wrong];
    },
  },
  {
    sentence: 'no event makes a chart throw',
    broken: (_world, { journal }) =>
      journal
        .filter(({ event }) => event.type === 'kernel.chartError')
        .map(({ actor, event }) => `${actor}: ${JSON.stringify(event)}`),
  },
];

/** Known when the storm is over and everything has come to rest. */
export const AT_THE_END: readonly Truth[] = [
  {
    sentence: 'everything comes to an end: the parent, its sub-runs and their jobs',
    broken: (world) => {
      const parent = world.store.durable.actor(world.parentId ?? '');
      const jobs = [...world.subRuns].filter(([, job]) => lives(job)).map(([id]) => id);
      const graph = parseContext(dispatcherRow(world))?.graph;
      const open = graph?.names.filter((_, n) => OPEN.includes(mark(graph, n))) ?? [];
      const state = dispatcherRow(world)?.index.label ?? 'none';
      const problems = [
        ...(parent?.index.activity === 'ended' ? [] : [`the parent is ${parent?.index.label}`]),
        ...jobs.map((id) => `${id} is ${world.store.durable.actor(id)?.index.label}`),
        ...open.map((name) => `${name} is open in ${state}`),
      ];
      return problems;
    },
  },
  {
    sentence: 'the parent is notified once a round that all have ended',
    broken: (world) => {
      const id = world.parentId ?? '';
      const reported = world.store.durable
        .journal(id, 0, 100_000)
        .filter(({ event }) => event.type === 'subRuns.settled').length;
      const rows = world.store.durable
        .journal(toDispatcherId(id), 0, 100_000)
        .filter(({ note }) => !note);
      const rounds = rows.filter(
        ({ path, effects }) =>
          path.at(-1) === 'settled' && effects.some(({ type }) => type === 'actor.send'),
      ).length;
      return reported === rounds ? [] : [`${rounds} rounds, notified ${reported} times`];
    },
  },
  {
    sentence: 'the parent continues once a round, unless a person has moved it',
    broken: (world) => {
      const id = world.parentId ?? '';
      if (world.parentMoved) return [];
      const rows = world.store.durable.journal(toDispatcherId(id), 0, 100_000);
      const rounds = rows.filter(
        ({ path, effects }) =>
          path.at(-1) === 'settled' && effects.some(({ type }) => type === 'actor.send'),
      ).length;
      const visits = world.store.rows.count('phase_visits', { job_id: id, phase: 'aggregating' });
      // A second visit of the same round comes of a message, a failure that a person resumes, or a
      // pause.
      return visits >= rounds ? [] : [`${rounds} rounds, ${visits} visits of aggregating`];
    },
  },
  {
    sentence: 'nothing is left undone: no effect, no letter',
    broken: ({ store }) => [
      ...store.durable.listPendingEffects().map(({ effectId, type }) => `${type} ${effectId}`),
      ...store.durable.listPendingMail().map(({ id, to }) => `letter ${id} to ${to}`),
    ],
  },
];

const judge = <Args extends unknown[]>(
  world: CampaignWorld,
  truths: readonly Truth<Args>[],
  ...args: Args
): void => {
  for (const { sentence, broken } of truths) {
    for (const what of broken(world, ...args)) world.breaks(`${sentence}: ${what}`);
  }
};

/** Looks at what a commit has written. */
export function afterCommit(world: CampaignWorld, batch: Batch): void {
  world.counts.commits += 1;
  let concerned = false;
  for (const { id, chart, snapshot, index } of batch.actors) {
    if (chart === 'subRuns') {
      concerned = true;
      continue;
    }
    const known = world.subRuns.get(id);
    const isEnded = index.activity === 'ended';
    if (known) {
      if (known.ended && !isEnded) {
        known.reopened = true;
        world.counts.reopened += 1;
      }
      known.ended = isEnded;
      continue;
    }
    const { subRunOf } = (JSON.parse(snapshot) as { context: JobContext }).context;
    if (subRunOf === null) {
      world.parentId ??= id;
      continue;
    }
    concerned = true;
    world.subRuns.set(id, { ...subRunOf, ended: isEnded, reopened: false });
  }
  concerned ||= batch.journal.some(({ note }) => note);
  if (concerned) judge(world, AFTER_EVERY_COMMIT, batch);
}

/** Looks at what the dispatcher has done. */
export function afterSteps(world: CampaignWorld, steps: CommitNotice['steps']): void {
  const own = steps.filter(({ after }) => after.chart === 'subRuns');
  for (const { before, after, journal } of own) {
    const step: Step = {
      before: before as ActorState<SubRunsContext> | undefined,
      after: after as ActorState<SubRunsContext>,
      event: journal.event,
      alone: own.length === 1,
    };
    const was = String(before?.value);
    const is = String(after.value);
    if (is === 'settled' && was !== is) world.counts.rounds += 1;
    if (is === 'halted' && was !== is) world.counts.halts += 1;
    world.note(
      `${journal.event.type} ${journal.event.name ?? ''}: ${is}, ${step.after.context.graph.marks}`,
    );
    judge(world, AFTER_EVERY_STEP, step);
  }
}

export const atTheEnd = (world: CampaignWorld): void => judge(world, AT_THE_END);
