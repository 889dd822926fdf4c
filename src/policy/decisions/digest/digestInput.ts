import type { RatingFacts } from '../../../../machines/index.ts';
import type { ChangedFiles } from '../../../contract/schema/policy/decision.ts';

/** A finished call of a tool, as the job's log has it. */
export interface SeenToolCall {
  name: string;
  /** What it was called for; the agent has written it. */
  target: string;
  ok: boolean;
}

/**
 * Everything that a digest is made of, from committed rows. Lists are in the order in which things
 * happened.
 */
export interface DigestInput extends Omit<RatingFacts, 'at'> {
  /** How long the visit took, ms. */
  tookMs: number;
  /** null = it is not known what models have used. */
  tokens: number | null;
  /** null = the job has no checkout, or it is not known. */
  changed: ChangedFiles | null;
  artefacts: readonly { kind: string; title: string }[];
  /** How often the visit has changed the work items. */
  itemUpdates: number;
  calls: readonly SeenToolCall[];
  people: readonly { author: string; text: string }[];
  /** The agent's last lines. */
  claims: readonly string[];
  /** Earlier visits of the phase that were flagged or looked stuck. */
  history: readonly { visit: number; flag: string }[];
}
