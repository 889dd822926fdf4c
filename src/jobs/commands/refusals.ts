import { capitalizeFirst } from '../../base/text/capitalizeFirst.ts';
import { createNoSuchJobError } from '../views/createJobStates.ts';
import { KernelError } from '../../kernel/contract.ts';
import { describeStates } from '../../base/jobs/describeStates.ts';
import type { Refusal, SendResult } from '../../kernel/questions.ts';
import { type ErrorCode, SvcError } from '../../base/errors/errors.ts';

/** The commands that people know for these events. */
const listPersonCommands = (accepts: readonly string[]): string[] =>
  accepts.filter((event) => event.startsWith('job.')).map((event) => event.slice('job.'.length));

export interface Causes {
  /** Default: `not-possible-now`. */
  code?: ErrorCode;
  sentences: readonly string[];
  data?: Record<string, unknown>;
}

/**
 * The refusal that a person sees when a job does not take a command now. Without exact `causes`,
 * the guards name the reason.
 */
const createCommandRefusal = (
  jobId: string,
  command: string,
  refusal: Refusal,
  causes: Causes,
): SvcError => {
  const unmet = refusal.guards.map(({ says }) => says);
  const possible = listPersonCommands(refusal.accepts);
  const why =
    causes.sentences.length > 0
      ? `${causes.sentences.join('; ')}.`
      : unmet.length > 0
        ? `This is only possible if ${unmet.join(' and ')}.`
        : possible.length > 0
          ? `Possible now: ${possible.join(', ')}.`
          : 'No command is possible now.';
  return new SvcError(
    causes.code ?? 'not-possible-now',
    `${jobId} ${describeStates(refusal.state)}: ${command} is not possible. ${capitalizeFirst(why)}`,
    {
      data: { state: refusal.state, accepts: refusal.accepts, unmet, ...causes.data },
    },
  );
};

/** The journal row of an accepted command; otherwise throws the refusal. */
export const requireAcceptedSeq = (
  jobId: string,
  command: string,
  result: SendResult | undefined,
  causes: () => Causes = () => ({ sentences: [] }),
): number => {
  if (!result) throw new SvcError('internal', `no answer for ${command} of ${jobId}`);
  if (!result.accepted) throw createCommandRefusal(jobId, command, result.refusal, causes());
  return result.seq;
};

/** Runs a kernel call and translates its errors for the API. */
export const translateKernelErrors = async <T>(
  jobId: string,
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    throw toSurfaceError(jobId, error);
  }
};

const NOT_SAVED = {
  full: 'The state could not be saved: its disk is full. Free some space; the runner continues by itself.',
  other: 'The state could not be saved.',
};

export const toSurfaceError = (jobId: string, error: unknown): unknown => {
  if (!(error instanceof KernelError)) return error;
  const cause = { cause: error };
  switch (error.code) {
    case 'unknown-actor':
      return createNoSuchJobError(jobId, cause);
    case 'commit-failed':
      return new SvcError(
        'store-failed',
        `${NOT_SAVED[error.message.includes('disk is full') ? 'full' : 'other']} Send the request again, with the same Idempotency-Key if it had one; see the log of the runner.`,
        cause,
      );
    case 'stopping':
      return new SvcError(
        'stopping',
        'The runner is stopping; send the request again after it restarts.',
        cause,
      );
    case 'context-too-large':
      return new SvcError('too-large', error.message, cause);
    default:
      return new SvcError('chart-error', error.message, cause);
  }
};
