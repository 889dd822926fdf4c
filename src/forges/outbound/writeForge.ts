import { describeOutsideValue } from '../../base/json/describeOutsideValue.ts';
import { toWholeNumber } from '../../base/json/untrusted.ts';
import type { JobAnswer, JobPorts } from '../../../machines/index.ts';
import type { EffectOutcome, Port } from '../../kernel/port.ts';
import { isLastingError, SvcError, type ErrorCode } from '../../base/errors/errors.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { ProviderEvent, PrMapping } from '../../contract/schema/forge/pr.ts';
import type { TokenPlace } from '../../git/findSecrets.ts';
import { runAsCaller, type Caller } from '../../providers/account/caller.ts';
import type {
  ForgeActor,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
} from '../../contract/forge/forge.ts';

/**
 * Waits before a write to a forge or tracker that does not answer is sent again, ms: 41 seconds in
 * all, less than the minute after which agents give up a call of a tool.
 */
const WRITE_RETRY_MS: readonly number[] = [100, 1_000, 5_000, 10_000, 25_000];

/** The waits of the kernel for writes that met an outage; undefined = those of every effect. */
export const pickWriteRetries = (
  type: string,
  code: string | undefined,
): readonly number[] | undefined =>
  type === 'forge.write' && code === 'unreachable' ? WRITE_RETRY_MS : undefined;

export interface WriteForgeDeps {
  /** Null = there is no forge of this id. */
  write<K extends ForgeOperation>(
    forge: string,
    operation: K,
    args: ForgeOperations[K],
    actor: ForgeActor,
    caller: Caller,
  ): Promise<ForgeChange> | null;
  /** Whether the job may do this write now; `args` are the arguments to do it with. */
  leave(
    jobId: string,
    forge: string,
    operation: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<{ problem: string | null; args: Record<string, unknown> }>;
  /**
   * Takes known secrets out of what the forge says, since it becomes part of the journal; default:
   * as it is.
   */
  screen(text: string): string;
  /**
   * Searches the branch that the write brings to the forge for secrets, then calls `write` with the
   * arguments to use and the tokens that the new commits seem to hold. Throws SvcError.
   */
  screenWrite<T>(
    forge: string,
    operation: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    write: (args: Record<string, unknown>, tokens: readonly TokenPlace[]) => Promise<T>,
    jobId: string,
  ): Promise<T>;
  author(jobId: string): string;
  place(jobId: string): { phase: string };
  /** The job that owns a pull request; null = none. */
  findOwner(pr: Pick<PrMapping, 'forge' | 'repo' | 'number'>): string | null;
  /** The owners of the pull requests, as sends; the job that acts is left out. */
  buildSends(events: readonly ProviderEvent[], actor: string): NonNullable<EffectOutcome['sends']>;
}

/**
 * Answers for the agent that another attempt now would not change, although they may not last. No
 * write throws `cannot-run` or `workflow-invalid`, which are about the start of a job.
 */
const UNCHANGED_BY_RETRY = new Set<ErrorCode>([
  'conflict',
  'forbidden',
  'rate-limited',
  'undecided',
]);

/** An error that is an answer for the agent; everything else is worth another attempt. */
const isAnswerForAgent = (error: unknown): error is SvcError =>
  isLastingError(error) || (error instanceof SvcError && UNCHANGED_BY_RETRY.has(error.code));

/**
 * `forge.write`: one write to a forge. The effect id is the operation's id, so a repeat after a
 * crash finds what was done; the forge's rows, the answer and the events for other jobs are one
 * commit. When it is unknown whether the write was done, the job escalates.
 */
export const writeForge =
  ({
    write,
    leave,
    screenWrite: screened,
    author,
    place,
    findOwner,
    buildSends,
    screen,
  }: WriteForgeDeps): Port<JobPorts['forge.write'], Tables> =>
  async ({ key, forge, operation, args, at }, { actorId, effectId, signal }) => {
    const answer = (
      wrote: Omit<Extract<JobAnswer, { type: 'forge.wrote' }>, 'type' | 'key' | 'operation'>,
    ) => ({
      type: 'forge.wrote' as const,
      key,
      operation,
      ...wrote,
    });
    /** `more`: the forge's status, or its reason against a merge. */
    const fail = (code: string, error: string, more: { status?: number; reason?: string } = {}) =>
      answer({ ok: false, pr: null, result: { error: screen(error), code, ...more } });
    const { phase } = place(actorId);
    const caller: Caller = { jobId: actorId, phase, signal };
    try {
      const actor = { author: author(actorId), at, operationId: effectId };
      const permission = await leave(actorId, forge, operation, args);
      if (permission.problem !== null) return { events: [fail('forbidden', permission.problem)] };
      // The tool server has validated the arguments against the operation's schema.
      const send = (checkedArgs: Record<string, unknown>) =>
        write(
          forge,
          operation as ForgeOperation,
          checkedArgs as ForgeOperations[ForgeOperation],
          actor,
          caller,
        );
      const change = await runAsCaller(caller, async () =>
        screened(
          forge,
          operation,
          permission.args,
          signal,
          async (checkedArgs) => send(checkedArgs),
          actorId,
        ),
      );
      if (!change) return { events: [fail('not-found', `Unknown forge ${forge}.`)] };
      if (change.pr !== null && (toWholeNumber(change.pr.number) ?? 0) === 0) {
        const error = `${forge} has answered with a pull request that has no number (${describeOutsideValue(change.pr.number)}). Whether it was carried out is unknown: check at ${forge}`;
        return { events: [fail('undecided', error)] };
      }
      const owner = operation === 'create_pr' && change.pr ? findOwner(change.pr) : null;
      // Another call opened it and has not committed its rows yet: the next attempt can tell who
      // owns it. Where the owner is known, the rows only bring the pull request up to date.
      if (
        operation === 'create_pr' &&
        owner === null &&
        change.result.existing === true &&
        change.rows.some(({ table }) => table === 'forge_prs')
      ) {
        throw new Error(`${change.pr?.prId} is currently being opened by another call`);
      }
      // The branches have an open pull request already; taking it over would leave its job waiting
      // for ever.
      if (change.pr && owner !== null && owner !== actorId) {
        const error = `${change.pr.prId} for these branches belongs to ${owner}: use a branch of this job's own`;
        return { events: [fail('conflict', error)], rows: change.rows };
      }
      return {
        events: [answer({ ok: true, pr: change.pr, result: change.result })],
        sends: buildSends(change.events, actorId),
        rows: change.rows,
      };
    } catch (error) {
      if (!isAnswerForAgent(error)) throw error;
      const { status, reason } = error.data;
      const more = {
        ...(typeof status === 'number' ? { status } : {}),
        ...(typeof reason === 'string' ? { reason } : {}),
      };
      return { events: [fail(error.code, error.message, more)] };
    }
  };
