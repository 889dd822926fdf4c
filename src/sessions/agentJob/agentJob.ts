import { basename } from 'node:path';
import type { JobContext, JobEvent } from '../../../machines/index.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { DurableEvent } from '../../kernel/chart.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { SecretStream } from '../../base/secrets/secretStream.ts';
import type { Refusal } from '../../kernel/questions.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import type { AgentJob, ToolReceipt } from '../../contract/job/agentJob.ts';
import { runAsCaller } from '../../providers/account/caller.ts';
import type { Forge } from '../../contract/forge/forge.ts';
import { resolveForge, readJobRepo } from '../../providers/forges.ts';
import { readTracker } from './readTracker.ts';
import { readRepository } from '../../git/readRepository.ts';
import { readJobTicket, resolveJobTracker, type Trackers } from '../../providers/trackers.ts';
import { copyArtefact, restoreCopies, storeFile } from '../../jobs/workspace/artefactFiles.ts';
import type { Blobs } from '../../jobs/workspace/blobs.ts';
import {
  createCoordinationPart,
  type CoordinationDeps,
} from '../subRuns/createCoordinationPart.ts';
import { listHeardReferences } from '../../forges/inbound/listHeardReferences.ts';
import type { ReadEvidence } from '../../jobs/views/evidence/createEvidence.ts';
import { createArtefactReader } from './createArtefactReader.ts';
import type { ForbiddenCall } from './forbiddenCalls.ts';
import { createJobProposals, type JobProposalsDeps } from './createJobProposals.ts';
import { toRefusedCall } from './toRefusedCall.ts';
import { translateKernelErrors } from '../../jobs/commands/refusals.ts';
import type { WriteAccess } from '../../forges/outbound/writeAccess.ts';
import { SELF_UPDATE } from '../../base/agents/selfUpdate.ts';
import { isOfService } from '../open/lastCall.ts';

/**
 * What the agents of a job may see of ended jobs: only those of its repository, whose files may
 * instruct its agents anyway.
 */
export const createEvidenceReader =
  (read: ReadEvidence, job: () => Pick<Job, 'type' | 'params'>): AgentJob['evidence'] =>
  async (query) => {
    const { type, params } = job();
    if (type !== SELF_UPDATE)
      throw new SvcError(
        'forbidden',
        `Only jobs of type ${SELF_UPDATE} can see other jobs; this one has type ${type}. A person starts one: svc job --workflow self-update.`,
      );
    return read(query, readJobRepo(params)?.slug ?? null);
  };

/** Default number of issues in a search. */
const DEFAULT_FOUND = 20;

/** Dependencies of a job port; the effect that runs the session adds overlay and checkout. */
export interface AgentJobDeps extends CoordinationDeps, JobProposalsDeps {
  blobs: Blobs;
  /** Removes known secrets from the bytes of one file. */
  secretStream(): SecretStream;
  onError(where: string, error: unknown): void;
  trackers: Trackers;
  /** Checked before a write is sent to the job's chart. */
  writeAccess: WriteAccess;
  evidence: ReadEvidence;
  /** Ids of the plugins whose webhooks are accepted. */
  hooked: readonly string[];
}

export interface SessionScope extends SessionRef {
  jobDir: string;
  cloneRepo: AgentJob['cloneRepo'];
  workflow: AgentJob['workflow'];
  memory: AgentJob['memory'];
  log: AgentJob['log'];
  /** Records what an invariant has forbidden, for people. */
  recordForbidden(call: ForbiddenCall): Promise<void>;
  /** Aborted when the session ends, which also ends calls that still wait for an answer. */
  signal: AbortSignal;
}

/**
 * The job as one session's tools may use it. Every event carries the session's fence, so a late
 * call changes nothing.
 */
export const createAgentJob = (deps: AgentJobDeps, scope: SessionScope): AgentJob => {
  const { kernel, rows } = deps;
  const { jobId, visit, session, phase } = scope;

  const whyNot = async (refusal: Refusal, event: { type: string }): Promise<string> => {
    const context = kernel.state(jobId)?.context as JobContext;
    const { why, forbidden } = toRefusedCall(refusal, context, event as JobEvent);
    if (forbidden !== null) await scope.recordForbidden(forbidden);
    return why;
  };

  const send = async (draft: { type: string }, key: string): Promise<ToolReceipt> => {
    const heardReferences =
      draft.type === 'tool.await_event'
        ? { heard: listHeardReferences(deps, deps.job(jobId).params) }
        : {};
    const event = { ...draft, ...heardReferences, visit, session };
    const result = await translateKernelErrors(jobId, () =>
      kernel.send(jobId, event, { source: 'tool', externalId: key }),
    );
    if (result.accepted) return { ok: true, duplicate: result.duplicate };
    return { ok: false, message: await whyNot(result.refusal, event) };
  };

  /**
   * The forge with this id; undefined = that of the job's own repository. Throws SvcError
   * `not-found`.
   */
  const forgeFor = (id: string | undefined): Forge => {
    const { gitProvider, ...params } = deps.job(jobId).params;
    const provider = id ?? (typeof gitProvider === 'string' ? gitProvider : null);
    const forge = deps.forges.findFor(
      readJobRepo({ ...params, gitProvider: provider }) ?? { slug: null, provider },
    );
    if (forge) return forge;
    throw new SvcError(
      'not-found',
      `Unknown forge ${provider}. Configured: ${deps.forges.ids().join(', ')}.`,
    );
  };

  const readRecordedAnswer = (key: string) => {
    const row = rows.one('tool_answers', { job_id: jobId, key });
    return row && { ok: row.ok === 1, result: JSON.parse(row.result) as Record<string, unknown> };
  };

  /**
   * The recorded answer of a write, else the key to write under. A session that continues another
   * one tries again what that was refused or not answered, since the cause may be repaired.
   */
  const findWrite = (key: string) => {
    const answer = readRecordedAnswer(key);
    const isOld = !key.startsWith(`${visit}.${session}/`);
    if (!answer || answer.ok || !isOld || !isOfService(answer.result)) return { key, answer };
    const again = `${key}/${session}`;
    return { key: again, answer: readRecordedAnswer(again) };
  };

  /** One write through the chart and the outbox; `forge` is the id of a forge or tracker. */
  const write = async (
    forge: string,
    operation: string,
    requestArguments: Record<string, unknown>,
    key: string,
  ) => {
    const { problem, args } = await deps.writeAccess(jobId, forge, operation, requestArguments);
    if (problem !== null) throw new SvcError('forbidden', `${problem}. Nothing was done.`);
    const writeEnd = waitForWriteEnd(kernel, jobId, key, scope.signal);
    // Otherwise a refused send would leave an unhandled rejection at the end of the session.
    writeEnd.catch(() => undefined);
    const receipt = await send(
      { type: 'tool.forge_write', key, forge, operation, args } as { type: string },
      key,
    );
    // No answer of the forge, since a repeat after a crash would then get another number.
    if (!receipt.ok) throw new SvcError('not-possible-now', receipt.message);
    // The answer may have been committed before we began to listen, if the session repeats a call
    // after a crash.
    const already = readRecordedAnswer(key);
    if (already) return already;
    await writeEnd;
    const after = readRecordedAnswer(key);
    if (!after)
      throw new SvcError(
        'internal',
        `${operation} was answered, but its answer is not stored (${key})`,
      );
    return after;
  };
  const folders = () => {
    const { repoCheckoutAbsDir: checkout } = deps.job(jobId).params;
    return {
      jobDir: scope.jobDir,
      checkout: typeof checkout === 'string' ? basename(checkout) : null,
    };
  };
  // In the background, since nothing in the session waits for a copy.
  restoreCopies(folders(), deps.job(jobId).artefacts, deps.blobs).catch((error: unknown) =>
    deps.onError('copies of artefacts', error),
  );
  const ticket = () => readJobTicket(deps.job(jobId).params);
  /** The tracker with this id; undefined = the job's own. Throws SvcError `not-found`. */
  const trackerFor = (id: string | undefined) =>
    resolveJobTracker(deps.trackers, id === undefined ? ticket() : { ref: null, provider: id });
  const ticketKey = (givenKey: unknown): string => {
    const key = givenKey ?? ticket().ref;
    if (typeof key === 'string') return key;
    throw new SvcError('bad-argument', 'The job has no ticket of its own: name one in "key".');
  };

  return {
    jobId,
    visit,
    session,
    phase,
    jobDir: scope.jobDir,
    job: () => deps.job(jobId),
    send,
    ...createCoordinationPart(deps, scope, whyNot),
    async forgeWrite(operation, args, givenKey, forge) {
      const { key, answer } = findWrite(givenKey);
      if (answer) return answer;
      return write(
        forgeFor(forge).id,
        operation,
        completeWriteArgs(deps.job(jobId), operation, args),
        key,
      );
    },
    async trackerWrite(operation, args, givenKey, id) {
      const { key, answer } = findWrite(givenKey);
      if (answer) return answer;
      return write(trackerFor(id).id, operation, { ...args, key: ticketKey(args.key) }, key);
    },
    trackerRead: (operation, { key, text = '', limit = DEFAULT_FOUND }, id) =>
      runAsCaller({ jobId, phase }, async () => {
        const tracker = trackerFor(id);
        return readTracker(tracker, operation, { key: () => ticketKey(key), text, limit });
      }),
    forgeRead: (operation, { repo, number }, id) =>
      runAsCaller({ jobId, phase }, async () => {
        const forge = forgeFor(id);
        if (operation === 'get_pr_status') {
          const pr = await forge.pullRequest(repo, number);
          // A remote forge does not know for which work item svc opened it.
          const key = { forge: forge.id, repo: pr.repo, number };
          return { ...pr, workItem: rows.one('pr_mappings', key)?.work_item ?? pr.workItem };
        }
        return { comments: await forge.comments(repo, number) };
      }),
    repoRead: (operation, args) =>
      runAsCaller({ jobId, phase }, async () => {
        const repo = readJobRepo(deps.job(jobId).params);
        if (repo === null)
          throw new SvcError(
            'not-found',
            'This job has no repository: params.repoSlug is not set.',
          );
        const source = await resolveForge(deps.forges, repo).source(repo.slug, { fresh: true });
        if (!source) throw new SvcError('not-found', `Repository ${repo.slug} not found.`);
        return readRepository(source, operation, args);
      }),
    cloneRepo: scope.cloneRepo,
    log: scope.log,
    storeBytes: (bytes) => deps.blobs.put(bytes),
    storeFile: (path) =>
      storeFile(folders(), path, { blobs: deps.blobs, stream: deps.secretStream }),
    copyArtefact: (artefact) => copyArtefact(folders(), artefact, deps.blobs),
    artefacts: () => deps.job(jobId).artefacts,
    artefactText: createArtefactReader(deps, () => deps.job(jobId)),
    insights: () => deps.job(jobId).insights,
    ...createJobProposals(deps, scope),
    evidence: createEvidenceReader(deps.evidence, () => deps.job(jobId)),
    workflow: scope.workflow,
    memory: scope.memory,
  };
};

/** Adds to a write's arguments what only the runner knows. */
const completeWriteArgs = (
  job: Job,
  operation: string,
  args: Record<string, unknown>,
): Record<string, unknown> =>
  operation === 'create_pr'
    ? {
        base: '',
        body: '',
        ...args,
        checkoutDir: job.params.repoCheckoutAbsDir,
        workItem: job.currentWorkItem,
      }
    : args;

/**
 * Resolves when the job's journal has the end of the write with `key`: the forge's answer, or that
 * the write was given up. Rejects if the session ends first.
 */
const waitForWriteEnd = (
  kernel: KernelUse,
  jobId: string,
  key: string,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const cleanUp = () => {
      unsubscribe();
      signal.removeEventListener('abort', over);
    };
    const over = () => {
      cleanUp();
      reject(
        new SvcError(
          'stopping',
          'The session is over; the answer to this call is kept for the next session.',
        ),
      );
    };
    const unsubscribe = kernel.onCommit(({ steps }) => {
      if (steps.some(({ id, journal: { event } }) => id === jobId && isWriteEnd(event, key))) {
        cleanUp();
        resolve();
      }
    });
    if (signal.aborted) over();
    else signal.addEventListener('abort', over, { once: true });
  });

/** Whether an event ends the write with this key; other writes of the job may end at any time. */
const isWriteEnd = ({ type, key: endedKey }: DurableEvent, key: string): boolean =>
  (type === 'forge.wrote' || type === 'effect.givenUp') && endedKey === key;
