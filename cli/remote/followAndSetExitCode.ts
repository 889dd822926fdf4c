import type { Client } from '../../src/api/client/client.ts';
import type { Io } from '../io.ts';
import { toExitCode, type Outcome } from '../deriveOutcome.ts';
import { tailJob, type TailOptions } from './tailJob.ts';

export interface FollowOptions
  extends Pick<TailOptions, 'since' | 'past' | 'untilOutcome' | 'timeoutMs' | 'toOutcome'> {
  client: Client;
  jobId: string;
  io: Io;
  /** The log goes to standard error, because standard output is one JSON document. */
  asTalk: boolean;
}

const LAST_WORDS: Readonly<Partial<Record<Outcome, string>>> = {
  detached: 'Detached. The job continues.',
  timeout: 'Timed out. The job continues.',
  waiting: 'The job waits for a person.',
  incomplete: 'The campaign is complete, but not every sub-run succeeded.',
};

const NEXT = {
  waiting: 'See why: svc why --job ',
  incomplete: 'See which: svc campaign show --job ',
  other: 'Follow it again: svc logs --job ',
} as const;

/** The next step for a person once the job is no longer followed. */
export function describeNextStep(outcome: Outcome | null, jobId: string): string {
  const lastWords = outcome === null ? undefined : LAST_WORDS[outcome];
  if (lastWords === undefined) return '';
  return `${lastWords} ${NEXT[outcome === 'waiting' || outcome === 'incomplete' ? outcome : 'other']}${jobId}\n`;
}

export async function followAndSetExitCode(options: FollowOptions): Promise<Outcome | null> {
  const { io, jobId, asTalk } = options;
  const show = (text: string) => (asTalk ? io.err(text) : io.out(text));
  const outcome = await tailJob({ ...options, show, json: false });
  io.err(describeNextStep(outcome, jobId));
  if (outcome !== null) io.exitWith(toExitCode(outcome));
  return outcome;
}
