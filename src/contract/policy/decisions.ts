import type { Caller } from '../schema/runner/caller.ts';
import type {
  DecisionEntry,
  DecisionReplay,
  DecisionsQuery,
  LabelDecisionBody,
  ReplayDecisionBody,
} from '../schema/policy/decisionEntry.ts';
import type { TrackRecord, TrackRecordQuery } from '../schema/policy/trackRecord.ts';

/** What the decision layer has answered, and what people make of it. */
export interface Decisions {
  /** A page of them, the newest first. Throws SvcError `bad-argument` for a time that is none. */
  decisions(query: DecisionsQuery): { decisions: DecisionEntry[]; total: number };
  /** Throws `not-found`. */
  labelDecision(body: LabelDecisionBody, by: Caller): Promise<DecisionEntry>;
  /** Makes the digest again, and asks again where that is wanted. Throws `not-found`, `not-possible-now` for a record without a digest. */
  replayDecision(body: ReplayDecisionBody): Promise<DecisionReplay>;
  /** Throws `bad-argument` for a time that is none. */
  trackRecord(query: TrackRecordQuery): Promise<TrackRecord>;
}
