import type {
  DecisionEntry,
  DecisionReplay,
  DecisionsQuery,
  LabelDecisionBody,
  ReplayDecisionBody,
} from '../../contract/schema/policy/decisionEntry.ts';
import type { TrackRecord, TrackRecordQuery } from '../../contract/schema/policy/trackRecord.ts';
import type { createTransport } from './transport.ts';

/** What the decision layer has answered, and what people make of it. */
export function createDecisionMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  return {
    /** A page, the newest first, and how many there are in all. */
    async decisions(
      query: DecisionsQuery = {},
    ): Promise<{ decisions: DecisionEntry[]; total: number }> {
      const response = await open('GET', '/decisions', { query });
      const decisions: DecisionEntry[] = await response.json();
      const total = response.headers.get('X-Total-Count') ?? decisions.length;
      return { decisions, total: Number(total) };
    },
    trackRecord: (query: TrackRecordQuery = {}) =>
      json<TrackRecord>('GET', '/decisions/track-record', { query }),
    labelDecision: (body: LabelDecisionBody) =>
      json<DecisionEntry>('POST', '/decisions/label', { body }),
    replayDecision: (body: ReplayDecisionBody) =>
      json<DecisionReplay>('POST', '/decisions/replay', { body }),
  };
}
