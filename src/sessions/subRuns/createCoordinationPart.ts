import { isDeepStrictEqual } from 'node:util';
import {
  toDispatcherId,
  findSpecProblem,
  findStrandingSubRuns,
  findApprovalBeyondVisit,
  findParkPhase,
  type JobContext,
  type SubRunsContext,
} from '../../../machines/index.ts';
import type { SessionKey } from '../../contract/session/sessionRef.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { Refusal } from '../../kernel/questions.ts';
import type { ResolvedOverlay } from '../../jobs/workspace/jobOverlays.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { hashSubRunSpec } from '../../base/system/ids/hashSubRunSpec.ts';
import type { AgentJob, ToolEventDraft, ToolReceipt } from '../../contract/job/agentJob.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { SubRunInput, SubRunSpec } from '../../contract/schema/job/subRun.ts';
import { type Forges, type JobRepo, readJobRepo } from '../../providers/forges.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { translateKernelErrors } from '../../jobs/commands/refusals.ts';
import type { Campaigns } from './campaigns.ts';
import { resolveParallelSubRuns } from '../../jobs/subRuns/resolveParallelSubRuns.ts';
import type { RunAdvisor } from '../../jobs/create/refuseToRun.ts';
import { describeSubRunCommandRefusal, captureBeforeSkip } from './subRunCommands.ts';
import { toSubRunParent } from './createSubRunPreparer.ts';
import { buildSubRunParams } from '../../jobs/subRuns/buildSubRunParams.ts';
import { findSubRunProblems } from '../../jobs/subRuns/findSubRunProblems.ts';
import { findSubRunSpec, listSubRunSpecs } from '../../jobs/views/listSubRunSpecs.ts';
import { isRepositoryNamed } from '../../forges/outbound/namedRepository.ts';

/**
 * Whether a person approves the sub-runs finalized in the job's current phase before any of them
 * begins: at the checkpoint of this phase, or at a later unapproved one before parkPhase. Advance
 * approval counts.
 */
export function isPlanApproved(context: JobContext): boolean {
  const { workflow, phase } = context;
  const own = workflow.phases.find(({ name }) => name === phase);
  const parkPhase = findParkPhase(workflow);
  return (
    own?.interactive_checkpoint === true ||
    (parkPhase !== null && findApprovalBeyondVisit(context, parkPhase) !== null)
  );
}

/**
 * The repository of a sub-run, in words, if it is not the parent's and no user has named it; else
 * null.
 */
export function findForeignRepository(
  forges: Forges,
  context: JobContext,
  spec: Pick<SubRunInput, 'description' | 'params' | 'trackerRef'>,
): string | null {
  const repo = readJobRepo(buildSubRunParams(toSubRunParent(context), spec));
  return repo === null || isRepositoryNamed(forges, context, repo) ? null : repo.slug;
}

/** Why an agent cannot send a sub-run to this repository, and who can. */
const describeForeignRepository = (slug: string): string =>
  `works in ${slug}, which is not this job's repository. A person can name it (params.writesTo when the job is created, or writesTo in the workflow's front matter), or approve it with the plan (interactive_checkpoint of the phase that finalizes)`;

export interface CoordinationDeps {
  kernel: KernelUse;
  rows: RowReader;
  forges: Forges;
  settings: Pick<Settings, 'coordination'>;
  campaigns: Campaigns;
  runAdvisor: RunAdvisor;
  overlay(repo: JobRepo | null): Promise<ResolvedOverlay>;
  readState(jobId: string): ActorState<JobContext>;
}

/**
 * Hashes of specs for the parent's chart: a person's approval covers each whole spec, and exactly
 * the checked ones are finalized.
 */
function collectSpecHashes(
  command: Command,
  { approvals }: JobContext,
): { spec?: string; specs?: string | null } {
  if (command?.type === 'subRuns.register')
    return { spec: hashSubRunSpec(command.spec as SubRunInput) };
  return command?.type === 'subRuns.finalize' ? { specs: approvals.subRuns } : {};
}

type CoordinationPart = Pick<
  AgentJob,
  'coordinate' | 'subRunProblems' | 'subRunNotes' | 'campaign'
>;
type Command = Parameters<AgentJob['coordinate']>[1];

const toSubRunInput = ({ description, params, trackerRef }: SubRunSpec) => ({
  description,
  params,
  ...(trackerRef === null ? {} : { trackerRef }),
});

/** The reason with which the job's own chart refuses; for the agent. */
type OwnRefusal = (refusal: Refusal, event: { type: string }) => Promise<string>;

/** The part of a job port that parents' agents use for sub-runs. */
export const createCoordinationPart = (
  deps: CoordinationDeps,
  { jobId, visit, session }: SessionKey,
  ownRefusal: OwnRefusal,
): CoordinationPart => {
  const { kernel, rows, campaigns } = deps;
  const context = () => deps.readState(jobId).context;

  /**
   * Whether it is the work of a sub-run that has begun: a repeated planning phase registers
   * everything again.
   */
  const isKept = ({
    name,
    description,
    dependsOn = [],
    params = {},
    trackerRef,
  }: SubRunInput): boolean => {
    const earlierSpec = findSubRunSpec(rows, jobId, name);
    if (earlierSpec === undefined || earlierSpec.startedAt === null) return false;
    const { description: before, dependsOn: waitsFor, trackerRef: ticket } = earlierSpec;
    const sameParams = Object.entries(params).every(([key, value]) =>
      isDeepStrictEqual(earlierSpec.params[key], value),
    );
    return (
      before === description &&
      ticket === (trackerRef ?? null) &&
      isDeepStrictEqual(waitsFor, dependsOn) &&
      sameParams
    );
  };

  const fillCommand = (command: NonNullable<Command>): { type: string; [key: string]: unknown } => {
    if (command.type === 'subRuns.finalize') {
      const { coordinator } = toSubRunParent(context());
      return {
        ...command,
        cap: resolveParallelSubRuns(deps.settings, coordinator),
        policy: coordinator.failurePolicy,
      };
    }
    if (command.type === 'subRuns.register') {
      return isKept(command.spec as SubRunInput) ? { ...command, kept: true } : command;
    }
    if (command.type === 'subRuns.rerun') {
      const { paramsPatch, ...rest } = command;
      const spec = findSubRunSpec(rows, jobId, String(command.name));
      return {
        ...rest,
        params: paramsPatch === undefined ? null : { ...spec?.params, ...Object(paramsPatch) },
      };
    }
    if (command.type === 'subRuns.skip') {
      const spec = findSubRunSpec(rows, jobId, String(command.name));
      return spec ? { ...command, was: captureBeforeSkip(spec) } : command;
    }
    if (command.type === 'subRuns.cancel') {
      const spec = findSubRunSpec(rows, jobId, String(command.name));
      return { ...command, jobId: spec?.jobId ?? null };
    }
    return command;
  };

  /** Why a rerun cannot move to another repository: no one approves an agent's patch. */
  const foreignRerun = ({ type, name, paramsPatch }: NonNullable<Command>): string | null => {
    const spec = findSubRunSpec(rows, jobId, String(name));
    if (type !== 'subRuns.rerun' || spec === undefined || paramsPatch === undefined) return null;
    const before = toSubRunInput(spec);
    const after = { ...before, params: { ...spec.params, ...Object(paramsPatch) } };
    const parent = toSubRunParent(context());
    if (
      isDeepStrictEqual(
        readJobRepo(buildSubRunParams(parent, before)),
        readJobRepo(buildSubRunParams(parent, after)),
      )
    )
      return null;
    const slug = findForeignRepository(deps.forges, context(), after);
    return slug === null ? null : `${spec.name} ${describeForeignRepository(slug)}`;
  };

  /**
   * Sub-runs that have not begun, in repositories that no user has named and no approved plan
   * covers.
   */
  const foreignSpecs = (): { name: string; message: string }[] =>
    isPlanApproved(context())
      ? []
      : listSubRunSpecs(rows, jobId).flatMap((spec) => {
          const slug =
            spec.startedAt === null
              ? findForeignRepository(deps.forges, context(), toSubRunInput(spec))
              : null;
          return slug === null
            ? []
            : [{ name: spec.name, message: describeForeignRepository(slug) }];
        });

  /** The same when finalizing: something may have been registered during the checks. */
  const foreignAtOnce = ({ type }: NonNullable<Command>): string | null => {
    const [first] = type === 'subRuns.finalize' ? foreignSpecs() : [];
    return first === undefined ? null : `${first.name}: ${first.message}`;
  };

  const refusedByDispatcher = (command: { type: string; [key: string]: unknown }): string => {
    const dispatcher = kernel.state(toDispatcherId(jobId)) as
      | ActorState<SubRunsContext>
      | undefined;
    if (!dispatcher) return 'this job has no sub-runs';
    switch (command.type) {
      case 'subRuns.register':
        return (
          findSpecProblem(dispatcher.context, command.spec as SubRunInput) ??
          `the sub-runs are ${String(dispatcher.value)}`
        );
      case 'subRuns.finalize':
        return `the sub-runs are ${String(dispatcher.value)}, or their graph is incomplete`;
      case 'subRuns.skip':
      case 'subRuns.rerun':
      case 'subRuns.cancel':
        return describeSubRunCommandRefusal(dispatcher, {
          type: command.type,
          name: String(command.name),
          by: 'agent',
        });
      default:
        return `${command.type} is unknown`;
    }
  };

  return {
    async coordinate(event: ToolEventDraft, command: Command, key: string): Promise<ToolReceipt> {
      const refusal = command && (foreignRerun(command) ?? foreignAtOnce(command));
      if (refusal) return { ok: false, message: refusal };
      const own = { ...event, visit, session, ...collectSpecHashes(command, context()) };
      const second = command && fillCommand(command);
      const { sends } = await translateKernelErrors(jobId, () =>
        kernel.submit({
          sends: [
            { to: jobId, event: own, source: 'tool', externalId: key },
            ...(second ? [{ to: toDispatcherId(jobId), event: second }] : []),
          ],
          allOrNothing: true,
        }),
      );
      const [first, other] = sends;
      if (first?.accepted === false)
        return { ok: false, message: await ownRefusal(first.refusal, own) };
      if (first?.duplicate) return { ok: true, duplicate: true };
      if (second && other?.accepted !== true)
        return { ok: false, message: refusedByDispatcher(second) };
      return { ok: true, duplicate: false };
    },
    async subRunProblems() {
      const parent = toSubRunParent(context());
      const specs = listSubRunSpecs(rows, jobId).map(
        ({ name, description, params, dependsOn }) => ({
          name,
          description,
          params,
          dependsOn,
        }),
      );
      const problems = await findSubRunProblems(
        { overlay: deps.overlay, forges: deps.forges, runAdvisor: deps.runAdvisor },
        parent,
        specs,
      );
      return [...problems, ...foreignSpecs()].map(({ name, message }) =>
        name === null ? message : `${name}: ${message}`,
      );
    },
    subRunNotes() {
      const specs = listSubRunSpecs(rows, jobId);
      const { coordinator } = toSubRunParent(context());
      if (coordinator.failurePolicy === 'continue') return [];
      return findStrandingSubRuns({
        names: specs.map(({ name }) => name),
        dependsOn: specs.map(({ dependsOn }) => dependsOn),
      }).map(
        ({ name, strands }) =>
          `if ${name} fails, ${strands.join(', ')} cannot begin until a person decides`,
      );
    },
    campaign() {
      try {
        return campaigns.facade.campaign(jobId);
      } catch (error) {
        if (error instanceof SvcError && error.code === 'not-found') return null;
        throw error;
      }
    },
  };
};
