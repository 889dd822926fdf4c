import {
  describeCurrentWait,
  describeFallback,
  usesFallback,
  listFollowedNames,
  jobChart,
  liveCharts,
  listPrProblems,
  findWaitProblems,
  WAITS_FOR_EVENT,
  type JobContext,
} from '../../../machines/index.ts';
import type { ActorState, DurableChart } from '../../kernel/chart.ts';
import type { Kernel } from '../../kernel/contract.ts';
import type { Why } from '../../kernel/questions.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import type { ActorRow } from '../../kernel/writer.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { ResolvedOverlay } from '../workspace/jobOverlays.ts';
import type { Workplace } from '../workspace/workplace.ts';
import { readJobRepo } from '../../providers/forges.ts';
import type { DetectedLoop } from '../../contract/schema/session/detectedLoop.ts';
import type { JobSummary } from '../../contract/schema/job/job.ts';
import type { Machine } from '../../contract/schema/workflow/machine.ts';
import type { OpenStore } from '../store/openStore.ts';
import {
  buildWorkflowMachine,
  type AgentText,
} from '../../workflows/definition/buildWorkflowMachine.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Blobs } from '../workspace/blobs.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import { listJobArtefacts, assertContent, listJobInsights } from '../views/jobRows.ts';
import type { DiskWatch } from '../slots/diskWatch.ts';
import { buildMachineView } from './buildMachineView.ts';
import { listOpenArrows } from './listOpenArrows.ts';
import { explainGuardrailWait } from '../../policy/guardrails/explainGuardrailWait.ts';
import { explainQuotaWait } from '../../policy/quota/explainQuotaWait.ts';
import { listOtherSpentBudgets } from '../../policy/budgets/budgetRaise.ts';
import { listRefusedCalls } from './listRefusedCalls.ts';
import { translateKernelErrors, requireAcceptedSeq, toSurfaceError } from '../commands/refusals.ts';
import type { ProviderUse } from './providerUse.ts';
import { addSlotReason } from './addSlotReason.ts';
import type { Slots } from '../slots/slots.ts';
import type { LastOutputs } from '../views/history/lastOutputs.ts';
import type { Streams } from '../views/history/streams.ts';
import { describeHeldNews } from './describeHeldNews.ts';

type AskedEvent = { type: string; [member: string]: unknown };

/**
 * People's names for the chart's events, and values for required members that a question leaves
 * out.
 */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  resume: { eventKey: 'approve' },
  cancel: { reason: null },
  pause: {},
  message: { id: 'what-if', author: 'developer', text: '' },
  rerun: { phase: '' },
};

/**
 * The chart's event that a person asks about: `cancel` and `job.cancel` mean the same, and missing
 * members that a guard reads get a value. Other events are unchanged.
 */
export function toChartEvent(event: AskedEvent): AskedEvent {
  const name = event.type.replace(/^job\./, '');
  const defaults = Object.hasOwn(DEFAULTS, name) ? DEFAULTS[name] : undefined;
  return defaults ? { ...defaults, ...event, type: `job.${name}` } : event;
}

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
  | 'readLastFrame'
  | 'subscribe'
>;

export interface QuestionsDeps {
  kernel: Kernel;
  store: Pick<OpenStore, 'durable' | 'rows'>;
  charts: readonly DurableChart[];
  workplace: Pick<Workplace, 'overlay'>;
  streams: Streams;
  slots: Slots;
  disk: Pick<DiskWatch, 'reason'>;
  budgets: Pick<Budgets, 'findProblems'>;
  providerUse: Pick<ProviderUse, 'withMissing'>;
  blobs: Blobs;
  /** The tickets and pull requests of the params whose comments reach svc. */
  heard(params: JobContext['params']): string[];
  lastOutputs: Pick<LastOutputs, 'toLastOutputMember'>;
  /** All throw SvcError `not-found`. */
  assertJob(jobId: string): void;
  readState(jobId: string): ActorState<JobContext>;
  readRow(jobId: string): ActorRow;
  summary(jobId: string): JobSummary;
}

export const createQuestions = (deps: QuestionsDeps): Questions => {
  const { kernel, store, charts, workplace, streams, slots, providerUse, blobs, heard } = deps;
  const { assertJob, readState, readRow, budgets, disk } = deps;
  const views = new Map<string, Machine>();
  /** Charts do not change while the runner runs. */
  const getMachine = (chart: Parameters<typeof buildMachineView>[0]): Machine => {
    const view = views.get(chart.id) ?? buildMachineView(chart);
    views.set(chart.id, view);
    return view;
  };
  const askAboutJob = <T>(jobId: string, ask: () => T): T => {
    readState(jobId);
    try {
      return ask();
    } catch (error) {
      throw toSurfaceError(jobId, error);
    }
  };
  return {
    // The output of a job is read without its state, which may be unreadable.
    insights(id) {
      assertJob(id);
      return listJobInsights(store.rows, id);
    },
    async removeInsight(id, insightId) {
      if (
        !listJobInsights(store.rows, readState(id).id).some((insight) => insight.id === insightId)
      ) {
        throw new SvcError('not-found', `${id} has no insight ${insightId}.`);
      }
      const result = await translateKernelErrors(id, () =>
        kernel.send(id, { type: 'insight.remove', id: insightId }),
      );
      requireAcceptedSeq(id, 'removing an insight', result);
    },
    async artefact(id, artefactId) {
      assertJob(id);
      const jobArtefact = listJobArtefacts(store.rows, id).find(
        (artefact) => artefact.id === artefactId,
      );
      if (!jobArtefact) throw new SvcError('not-found', `${id} has no artefact ${artefactId}.`);
      assertContent(jobArtefact);
      const { mime, size, title, sha256 } = jobArtefact;
      await blobs.bring(sha256);
      return { path: blobs.path(sha256), mime, size, title, sha256 };
    },
    why: (id) =>
      askAboutJob(id, () => {
        const { context } = readState(id);
        const why = nameAwaitedReferences(
          addSlotReason(kernel.why(id), slots, disk.reason),
          context,
          heard,
        );
        const fullWhy = addOutageReason(
          explainQuotaWait(kernel, why, context.parked),
          context.parked,
        );
        const others = listOtherSpentBudgets(context, budgets.findProblems(context));
        const heldNews = describeHeldNews(store.rows, context);
        const problems = listEventWaitProblems(context);
        const whole = {
          ...fullWhy,
          waitsFor: [...fullWhy.waitsFor, ...problems, ...others, ...heldNews],
        };
        const summary = deps.summary(id);
        const reason = context.parked?.reason ?? (summary.ended ? summary.reason : null);
        const answer = { reason, ...providerUse.withMissing(addFallbackReason(whole, context)) };
        const refusedCalls = listRefusedCalls(store.rows, id);
        const output = deps.lastOutputs.toLastOutputMember(summary);
        return explainGuardrailWait(
          store.rows,
          { ...answer, refused: refusedCalls, ...output },
          context.parked,
        );
      }),
    whatIf: (id, event) => askAboutJob(id, () => kernel.whatIf(id, toChartEvent(event))),
    async machine(id) {
      const now = askAboutJob(id, () => {
        const { value, context } = readState(id);
        const { waysOut } = kernel.why(id);
        const state = listLeafPaths(value);
        const machine = getMachine(jobChart);
        const accepts = waysOut.filter(({ open }) => open !== false).map(({ event }) => event);
        return {
          context,
          machine,
          state,
          accepts: [...new Set(accepts)],
          open: listOpenArrows(machine.definition, state, waysOut),
        };
      });
      const { context, machine, ...standing } = now;
      const { workflowPath: file, workflow: table, phase, params } = context;
      // If the repository cannot be read now, only the job's instructions are unknown, not its
      // state.
      const agentText = await workplace
        .overlay(readJobRepo(params))
        .then(createAgentTextReader, () => undefined);
      return {
        ...machine,
        ...standing,
        workflow: buildWorkflowMachine(
          file,
          { label: file, description: '' },
          table,
          agentText,
          listLoopSteps(context.parked?.circle),
        ),
        phase,
      };
    },
    async machines() {
      const { overlay } = await workplace.overlay(null);
      const agentText = createAgentTextReader({ overlay });
      const workflows = overlay.workflows().workflows.flatMap(({ workflowPath }) => {
        const { file, meta, table } = overlay.workflow(workflowPath);
        return table ? buildWorkflowMachine(file, meta, table, agentText) : [];
      });
      return [...[...charts, ...liveCharts].map(getMachine), ...workflows];
    },
    journal(id, after, limit) {
      assertJob(id);
      return store.durable.journal(id, after, limit);
    },
    readLastFrame: (id) => {
      assertJob(id);
      return readRow(id).frameSeq;
    },
    subscribe(id, after, sink) {
      assertJob(id);
      return streams.subscribe(id, after, sink);
    },
  };
};

const createAgentTextReader =
  ({ overlay }: Pick<ResolvedOverlay, 'overlay'>): AgentText =>
  (path) =>
    overlay.has(path) ? overlay.agent(path).body : undefined;

/** The steps of a loop that an agent may have run into against its instructions. */
const listLoopSteps = (loop: DetectedLoop | undefined): (readonly [string, string])[] =>
  (loop?.phases ?? []).map((phase, n, phases) => [phases.at(n - 1) ?? phase, phase] as const);

/** Names the pull requests and tickets where the chart only says that it waits for some. */
const nameAwaitedReferences = (
  why: Why,
  context: JobContext,
  listHeard: QuestionsDeps['heard'],
): Why => {
  const { awaited, prs, params } = context;
  if (awaited === null || !why.waitsFor.includes(WAITS_FOR_EVENT)) return why;
  const { kinds } = awaited;
  const currentWait = describeCurrentWait(
    awaited,
    prs,
    listFollowedNames(params, { kinds, heard: listHeard(params) }),
  );
  if (currentWait === null) return why;
  return {
    ...why,
    waitsFor: why.waitsFor.map((one) => (one === WAITS_FOR_EVENT ? currentWait : one)),
  };
};

/** Why an awaited event may not come, and problems of the job's pull requests. */
const listEventWaitProblems = ({ awaited, parked, prs }: JobContext): string[] =>
  awaited !== null && parked?.kind === 'event'
    ? findWaitProblems(awaited, prs)
    : listPrProblems(prs);

/** Adds what could not be reached, which only the error of the last attempt says. */
const addOutageReason = (why: Why, parking: JobContext['parked']): Why =>
  parking?.kind === 'outage' || parking?.kind === 'budget'
    ? { ...why, waitsFor: [...why.waitsFor, parking.reason] }
    : why;

const addFallbackReason = (
  why: Why,
  { fallback, next, workflow, phase: name }: JobContext,
): Why => {
  const phase = workflow.phases.find((one) => one.name === name);
  const rests =
    (next !== null && !next.sameVisit) || why.state.some((path) => path.startsWith('ended'));
  return phase && !rests && usesFallback(phase, fallback)
    ? { ...why, waitsFor: [...why.waitsFor, `this visit uses ${describeFallback(fallback)}`] }
    : why;
};
