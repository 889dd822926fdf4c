import type { Executor, SessionEvent, SessionResult } from '../../contract/session/executor.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import type { PhaseModel } from '../../contract/schema/runner/settings.ts';
import type { Usage } from '../../contract/schema/session/usage.ts';
import { type Ledger, UNKNOWN_BILLING } from '../../policy/usage/ledger.ts';
import type { UsageRecorder } from '../../policy/usage/usageRecorder.ts';

interface OpenedSession {
  ref: SessionRef;
  job: Pick<Job, 'repoSlug'>;
  workflowPath: string;
  llm: PhaseModel;
  executor: Pick<Executor, 'billing'>;
}

export class SessionUsage {
  readonly #recorder: UsageRecorder;
  #hasAnswered = false;

  constructor(ledger: Ledger, { ref, job, workflowPath, llm, executor }: OpenedSession) {
    const { jobId, phase, visit, session } = ref;
    const billing = executor.billing?.({ llm, command: null }) ?? UNKNOWN_BILLING;
    this.#recorder = ledger.open(
      {
        subject: jobId,
        root: ledger.findRoot(jobId),
        visit,
        session,
        phase,
        workflow: workflowPath,
        repository: job.repoSlug,
        provider: llm.provider,
      },
      { ...billing, model: llm.model ?? billing.model },
    );
  }

  /** A promise for a usage event: resolves when that is committed. */
  take(event: SessionEvent): Promise<void> | undefined {
    if (event.type === 'usage') return this.#recorder.take(event);
    this.#hasAnswered ||= isOfAgent(event);
    return undefined;
  }

  /**
   * At the end of a session: its sum, including runs that a crash interrupted, and the rows for the
   * commit of its end.
   */
  async end({
    usage,
    stopReason,
  }: SessionResult): Promise<{ usage: Usage | null; rows: RowChange[] }> {
    await this.#recorder.awaitWritten();
    const hasAnswered = this.#hasAnswered || stopReason === 'end_turn';
    const rows = this.#recorder.endRows({ usage, hasAnswered });
    const isComplete = usage !== null && !this.#recorder.isContinued;
    return { rows, usage: isComplete ? usage : this.#recorder.whole() };
  }
}

/** Output or actions of the agent, not the outcome of its input. */
const isOfAgent = (event: SessionEvent): boolean =>
  event.type === 'token' ||
  event.type === 'thinking' ||
  event.type === 'tool' ||
  (event.type === 'log' && event.stream !== 'control');
