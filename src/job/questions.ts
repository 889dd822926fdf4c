import {
  awaitedNames,
  fallbackText,
  fallsBack,
  followedBy,
  jobChart,
  type JobContext,
  liveCharts,
  prProblems,
  waitProblems,
  WAITS_FOR_EVENT,
} from '../../machines/index.ts';
import type { ActorState, DurableChart } from '../durable/chart.ts';
import type { Kernel } from '../durable/contract.ts';
import type { Why } from '../durable/questions.ts';
import { leafPaths } from '../domain/leafPaths.ts';
import type { ActorRow } from '../durable/writer.ts';
import { SvcError } from '../lib/errors.ts';
import type { ResolvedOverlay } from '../workplace/jobOverlays.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { repoOfParams } from '../providers/forges.ts';
import type { Circle } from '../schema/circle.ts';
import type { JobSummary } from '../schema/job.ts';
import type { Machine } from '../schema/machine.ts';
import type { OpenStore } from '../durable/sqlite/openStore.ts';
import { type AgentText, workflowMachine } from '../authoring/workflows/workflowMachine.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { Blobs } from '../workplace/blobs.ts';
import type { Runner } from '../contract/runner.ts';
import { artefactsOf, assertContent, insightsOf } from '../views/jobRows.ts';
import type { DiskWatch } from './diskWatch.ts';
import { heldNews } from './heldNews.ts';
import { machineView } from './machineView.ts';
import { openArrows } from './openArrows.ts';
import { chartEventOf } from './personNames.ts';
import { whyGuardrail } from './guardrails/whyGuardrail.ts';
import { whyQuota } from './quota/whyQuota.ts';
import { alsoSpent } from './raise.ts';
import { refusedCalls } from './refusedCalls.ts';
import { asSvcErrors, seqOrThrow, svcErrorOf } from './refusals.ts';
import type { ProviderUse } from './providerUse.ts';
import type { Slots } from './slots.ts';
import type { LastOutputs } from '../views/lastOutputs.ts';
import type { Streams } from '../views/streams.ts';

type Questions = Pick<
  Runner,
  | 'insights'
  | 'removeInsight'
  | 'artefact'
  | 'why'
  | 'whatIf'
  | 'machine'
  | 'machines'
  | 'journal'
  | 'lastFrame'
  | 'subscribe'
>;

export interface QuestionsDeps {
  kernel: Kernel;
  store: Pick<OpenStore, 'durable' | 'rows'>;
  /** All that run here. */
  charts: readonly DurableChart[];
  workplace: Pick<Workplace, 'overlay'>;
  streams: Streams;
  slots: Slots;
  disk: Pick<DiskWatch, 'reason'>;
  budgets: Pick<Budgets, 'problemsOf'>;
  providerUse: Pick<ProviderUse, 'withMissing'>;
  blobs: Blobs;
  /** The tickets and pull requests of the params whose comments reach svc. */
  heard(params: JobContext['params']): string[];
  lastOutputs: Pick<LastOutputs, 'memberOf'>;
  /** All throw SvcError `not-found`. */
  assertJob(jobId: string): void;
  stateOf(jobId: string): ActorState<JobContext>;
  rowOf(jobId: string): ActorRow;
  summary(jobId: string): JobSummary;
}

/** What can be asked of one job, and what it has put out. */
export const createQuestions = (deps: QuestionsDeps): Questions => {
  const { kernel, store, charts, workplace, streams, slots, providerUse, blobs, heard } = deps;
  const { assertJob, stateOf, rowOf, budgets, disk } = deps;
  const drawn = new Map<string, Machine>();
  /** The charts do not change while the runner runs. */
  const machineOf = (chart: Parameters<typeof machineView>[0]): Machine => {
    const known = drawn.get(chart.id) ?? machineView(chart);
    drawn.set(chart.id, known);
    return known;
  };
  const asked = <T>(jobId: string, ask: () => T): T => {
    stateOf(jobId);
    try {
      return ask();
    } catch (error) {
      throw svcErrorOf(jobId, error);
    }
  };
  return {
    // What a job has put out is read without its state, which may be unreadable.
    insights(id) {
      assertJob(id);
      return insightsOf(store.rows, id);
    },
    async removeInsight(id, insightId) {
      if (!insightsOf(store.rows, stateOf(id).id).some((insight) => insight.id === insightId)) {
        throw new SvcError('not-found', `${id} has no insight ${insightId}.`);
      }
      const result = await asSvcErrors(id, () =>
        kernel.send(id, { type: 'insight.remove', id: insightId }),
      );
      seqOrThrow(id, 'removing an insight', result);
    },
    artefact(id, artefactId) {
      assertJob(id);
      const found = artefactsOf(store.rows, id).find((artefact) => artefact.id === artefactId);
      if (!found) throw new SvcError('not-found', `${id} has no artefact ${artefactId}.`);
      assertContent(found);
      const { mime, size, title, sha256 } = found;
      return { path: blobs.path(sha256), mime, size, title, sha256 };
    },
    why: (id) =>
      asked(id, () => {
        const { context } = stateOf(id);
        const why = withNames(withSlots(kernel.why(id), slots, disk.reason), context, heard);
        const known = withOutage(whyQuota(kernel, why, context.parked), context.parked);
        const others = alsoSpent(context, budgets.problemsOf(context));
        const held = heldNews(store.rows, context);
        const problems = problemsOfWait(context);
        const whole = { ...known, waitsFor: [...known.waitsFor, ...problems, ...others, ...held] };
        const summary = deps.summary(id);
        const reason = context.parked?.reason ?? (summary.ended ? summary.reason : null);
        const said = { reason, ...providerUse.withMissing(withFallback(whole, context)) };
        const refused = refusedCalls(store.rows, id);
        const output = deps.lastOutputs.memberOf(summary);
        return whyGuardrail(store.rows, { ...said, refused, ...output }, context.parked);
      }),
    whatIf: (id, event) => asked(id, () => kernel.whatIf(id, chartEventOf(event))),
    async machine(id) {
      const now = asked(id, () => {
        const { value, context } = stateOf(id);
        const { waysOut } = kernel.why(id);
        const state = leafPaths(value);
        const machine = machineOf(jobChart);
        const accepts = waysOut.filter(({ open }) => open !== false).map(({ event }) => event);
        return {
          context,
          machine,
          state,
          accepts: [...new Set(accepts)],
          open: openArrows(machine.definition, state, waysOut),
        };
      });
      const { context, machine, ...standing } = now;
      const { workflowPath: file, workflow: table, phase, params } = context;
      // A repository that cannot be read now does not hide the state of the job: only its
      // instructions are unknown then.
      const agentText = await workplace
        .overlay(repoOfParams(params))
        .then(agentTextOf, () => undefined);
      return {
        ...machine,
        ...standing,
        workflow: workflowMachine(
          file,
          { label: file, description: '' },
          table,
          agentText,
          stepsOf(context.parked?.circle),
        ),
        phase,
      };
    },
    async machines() {
      const { overlay } = await workplace.overlay(null);
      const agentText = agentTextOf({ overlay });
      const workflows = overlay.workflows().workflows.flatMap(({ workflowPath }) => {
        const { file, meta, table } = overlay.workflow(workflowPath);
        return table ? workflowMachine(file, meta, table, agentText) : [];
      });
      return [...[...charts, ...liveCharts].map(machineOf), ...workflows];
    },
    journal(id, after, limit) {
      assertJob(id);
      return store.durable.journal(id, after, limit);
    },
    lastFrame: (id) => {
      assertJob(id);
      return rowOf(id).frameSeq;
    },
    subscribe(id, after, sink) {
      assertJob(id);
      return streams.subscribe(id, after, sink);
    },
  };
};

const agentTextOf =
  ({ overlay }: Pick<ResolvedOverlay, 'overlay'>): AgentText =>
  (path) =>
    overlay.has(path) ? overlay.agent(path).body : undefined;

/** The steps of a lap, which an agent may have taken against its instructions. */
const stepsOf = (circle: Circle | undefined): (readonly [string, string])[] =>
  (circle?.phases ?? []).map((phase, n, lap) => [lap.at(n - 1) ?? phase, phase] as const);

/** The pull requests and tickets by name, where the chart says that it is some of them. */
const withNames = (why: Why, context: JobContext, heard: QuestionsDeps['heard']): Why => {
  const { awaited, prs, params } = context;
  if (awaited === null || !why.waitsFor.includes(WAITS_FOR_EVENT)) return why;
  const { kinds } = awaited;
  const named = awaitedNames(awaited, prs, followedBy(params, { kinds, heard: heard(params) }));
  if (named === null) return why;
  return { ...why, waitsFor: why.waitsFor.map((one) => (one === WAITS_FOR_EVENT ? named : one)) };
};

/** Why what it waits for may not come, and what is wrong with its pull requests. */
const problemsOfWait = ({ awaited, parked, prs }: JobContext): string[] =>
  awaited !== null && parked?.kind === 'event' ? waitProblems(awaited, prs) : prProblems(prs);

/** What could not be reached, which only the error of the last attempt says. */
const withOutage = (why: Why, parked: JobContext['parked']): Why =>
  parked?.kind === 'outage' || parked?.kind === 'budget'
    ? { ...why, waitsFor: [...why.waitsFor, parked.reason] }
    : why;

/** With which model it works in the place of another. */
const withFallback = (why: Why, { fallback, next, workflow, phase: name }: JobContext): Why => {
  const phase = workflow.phases.find((one) => one.name === name);
  const rests =
    (next !== null && !next.sameVisit) || why.state.some((path) => path.startsWith('ended'));
  return phase && !rests && fallsBack(phase, fallback)
    ? { ...why, waitsFor: [...why.waitsFor, `this visit uses ${fallbackText(fallback)}`] }
    : why;
};

/**
 * A queued job waits for a slot; who has the slots, and why none is given (`shut`), is the runner's
 * knowledge, not the chart's.
 */
const withSlots = (why: Why, slots: Slots, shut: string | null): Why => {
  if (!why.state.includes('queued')) return why;
  if (shut !== null) return { ...why, waitsFor: [shut] };
  const { used, limit } = slots.use();
  return {
    ...why,
    waitsFor: [...why.waitsFor, `${used} of ${limit} slots are in use (runner.maxConcurrentJobs)`],
  };
};
