import type { Kernel } from '../durable/contract.ts';
import type { Refusal } from '../durable/questions.ts';
import { SvcError } from '../lib/errors.ts';
import type { Job } from '../schema/job.ts';
import type { JobPort, ToolReceipt } from '../schema/jobPort.ts';
import type { Forge } from '../scm/forge.ts';
import type { RowReader } from '../store/rowReader.ts';
import type { BlobStore } from './blobs.ts';
import { asSvcErrors } from './refusals.ts';

/** What a job port is made of; the overlay and the checkout come from the effect that runs the session. */
export interface JobPortDeps {
  kernel: Kernel;
  rows: RowReader;
  blobs: BlobStore;
  forge: Forge;
  job(id: string): Job;
}

export interface SessionScope {
  jobId: string;
  visit: number;
  session: number;
  phase: string;
  jobDir: string;
  cloneRepo: JobPort['cloneRepo'];
  workflow: JobPort['workflow'];
  memory: JobPort['memory'];
  log: JobPort['log'];
  /** Aborted when the session is over: calls that still wait for an answer end then. */
  signal: AbortSignal;
}

interface ToolAnswerRow {
  ok: number;
  result: string;
}

/** The job as one session's tools may use it. Every event carries the session's fence, so a late call changes nothing. */
export const createJobPort = (deps: JobPortDeps, scope: SessionScope): JobPort => {
  const { kernel, rows } = deps;
  const { jobId, visit, session, phase } = scope;

  const send = async (event: { type: string }, key: string): Promise<ToolReceipt> => {
    const result = await asSvcErrors(jobId, () =>
      kernel.send(jobId, { ...event, visit, session }, { source: 'tool', externalId: key }),
    );
    return result.accepted ? { ok: true, duplicate: result.duplicate } : { ok: false, message: refusalText(result.refusal) };
  };

  const recorded = (key: string) => {
    const row = rows.one<ToolAnswerRow>('tool_answers', { job_id: jobId, key });
    return row && { ok: row.ok === 1, result: JSON.parse(row.result) as Record<string, unknown> };
  };

  return {
    jobId,
    visit,
    session,
    phase,
    jobDir: scope.jobDir,
    job: () => deps.job(jobId),
    send,
    async forgeWrite(operation, args, key) {
      const before = recorded(key);
      if (before) return before;
      const answered = nextAnswer(kernel, jobId, key, scope.signal);
      // Without this a refused send would leave a rejection that nobody handles when the session ends.
      answered.catch(() => undefined);
      const receipt = await send({ type: 'tool.forge_write', key, forge: deps.forge.id, operation, args } as { type: string }, key);
      if (!receipt.ok) return { ok: false, result: { error: receipt.message } };
      // The answer may have been committed before we began to listen (a repeat of a call of the session before a crash).
      const already = recorded(key);
      if (already) return already;
      await answered;
      const after = recorded(key);
      if (!after) throw new SvcError('internal', `${operation} was answered but its answer is not stored (${key})`);
      return after;
    },
    async forgeRead(operation, { repo, number }) {
      if (operation === 'get_pr_comments') return { comments: deps.forge.comments(repo, number) };
      return { ...(await deps.forge.pullRequest(repo, number)) };
    },
    cloneRepo: scope.cloneRepo,
    log: scope.log,
    storeBytes: (bytes) => deps.blobs.put(bytes),
    artefacts: () => deps.job(jobId).artefacts,
    insights: () => deps.job(jobId).insights,
    workflow: scope.workflow,
    memory: scope.memory,
  };
};

const refusalText = ({ guards, state }: Refusal): string =>
  guards.length > 0
    ? `Refused: it would need that ${guards.map(({ says }) => says).join(' and that ')}.`
    : `Refused: the job is ${state.join(' and ')}, so this phase is over. End your turn now.`;

/** Resolves when the job's journal has the forge's answer for `key`; rejects when the session is over first. */
const nextAnswer = (kernel: Kernel, jobId: string, key: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = () => {
      unsubscribe();
      signal.removeEventListener('abort', over);
    };
    const over = () => {
      done();
      reject(new SvcError('stopping', 'The session is over; the answer of this call is kept for the session that follows.'));
    };
    const unsubscribe = kernel.onCommit(({ steps }) => {
      const answer = steps.some(
        ({ id, journal: { event } }) =>
          id === jobId && (event.type === 'forge.wrote' || event.type === 'effect.givenUp') && rowsHave(event, key),
      );
      if (answer) {
        done();
        resolve();
      }
    });
    if (signal.aborted) over();
    else signal.addEventListener('abort', over, { once: true });
  });

/** `effect.givenUp` does not carry the key, so any of them makes us look. */
const rowsHave = (event: { type: string; key?: unknown }, key: string): boolean => event.type !== 'forge.wrote' || event.key === key;
