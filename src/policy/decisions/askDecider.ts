import { joinIntoOneLine } from '../../base/text/clip.ts';
import type { DecidesQuestions, DecisionQuestion } from '../../contract/policy/decider.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { DecisionSite } from '../../contract/schema/policy/decision.ts';
import type { DecisionUsage } from './reply/parseDecisionUsage.ts';
import { readReply, UnusableReply, type ReadReply } from './reply/readReply.ts';
import type { JobContext } from '../../../machines/index.ts';

export interface DecisionCall {
  place: Pick<JobContext, 'visit' | 'phase' | 'workflowPath'> & { jobId: string };
  provider: string;
  model: string;
  usage: DecisionUsage;
}

export type DeciderOutcome<Site extends DecisionSite = 'overseer'> =
  | (ReadReply<Site> & { ms: number })
  /** No answer; `skipped`: why, for people. `usage`: of an unusable reply. */
  | { skipped: string; usage?: DecisionUsage; ms: number };

export interface AskDeciderOptions {
  clock: Clock;
  /** Removes known secrets from a provider's text. */
  screen(text: string): string;
  /** Aborted when the runner stops; ends the wait. */
  signal: AbortSignal;
}

/** Longest text of a skip, characters. */
const MAX_SKIP_CHARS = 300;

const toSkipSentence = (text: string): string => {
  const line = joinIntoOneLine(text).slice(0, MAX_SKIP_CHARS);
  return /[.!?]$/.test(line) ? line : `${line}.`;
};

/**
 * Asks a decider once. Never rejects and keeps to the question's time, whatever the decider does: a
 * late or malformed answer, or one of another model, is a skip with its reason.
 */
export async function askDecider<Site extends DecisionSite>(
  decider: DecidesQuestions,
  question: DecisionQuestion & { site: Site },
  { clock, screen, signal }: AskDeciderOptions,
): Promise<DeciderOutcome<Site>> {
  const began = clock.now();
  const over = new AbortController();
  const ms = () => clock.now() - began;
  let end: (outcome: DeciderOutcome<Site>) => void = () => {};
  const ending = new Promise<DeciderOutcome<Site>>((resolve) => {
    end = resolve;
  });
  const skip = (why: string, usage?: DecisionUsage) =>
    end({ skipped: toSkipSentence(screen(why)), ...(usage ? { usage } : {}), ms: ms() });
  const stopTimer = clock.at(began + question.deadlineMs, () => {
    skip(`The provider did not answer within ${question.deadlineMs} ms.`);
    over.abort();
  });
  const stop = () => {
    skip('The runner stopped before the provider had answered.');
    over.abort();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  Promise.resolve()
    .then(() => decider.decide(question, over.signal))
    .then((reply) => end({ ...readReply(question, reply), ms: ms() }))
    .catch((error: unknown) =>
      skip(toErrorMessage(error), error instanceof UnusableReply ? error.usage : undefined),
    );
  const outcome = await ending;
  stopTimer();
  signal.removeEventListener('abort', stop);
  return outcome;
}
