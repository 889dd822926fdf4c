import type { RatingFacts } from '../../../../machines/index.ts';
import type { ChangedFiles } from '../../../contract/schema/policy/decision.ts';

export interface SeenToolCall {
  name: string;
  /** The target of the call, as the agent wrote it. */
  target: string;
  ok: boolean;
}

/** Everything in a digest, from committed rows. Lists are in chronological order. */
export interface DigestInput extends Omit<RatingFacts, 'at'> {
  tookMs: number;
  /** null = unknown. */
  tokens: number | null;
  /** null = the job has no checkout, or it is unknown. */
  changed: ChangedFiles | null;
  artefacts: readonly { kind: string; title: string }[];
  itemUpdates: number;
  calls: readonly SeenToolCall[];
  people: readonly { author: string; text: string }[];
  claims: readonly string[];
  /** Earlier visits of the phase that were flagged or looked stuck. */
  history: readonly { visit: number; flag: string }[];
}
