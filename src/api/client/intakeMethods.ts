import type { InvestigationBody } from '../../contract/schema/planning/investigationBody.ts';
import type {
  IntakeBody,
  Investigation,
  InvestigationList,
  InvestigationsQuery,
} from '../../contract/schema/planning/intake.ts';
import type {
  CitationsBody,
  CitationsReply,
  EvidenceText,
  IntakeStreamQuery,
  PinnedLines,
  PinnedLinesQuery,
  StoppedTurn,
} from '../../contract/schema/planning/intakeReplies.ts';
import type { createTransport } from './transport.ts';

/** What the client asks about plan-mode chats. */
export function createIntakeMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  const session = (id: string) => `/intake/sessions/${encodeURIComponent(id)}`;
  return {
    /** The raw reply of a turn; `converse` reads it. */
    intakeStream: (body: IntakeBody, signal?: AbortSignal) =>
      open('POST', '/intake/stream', signal ? { body, signal } : { body }),
    /** The raw reply of a turn that runs; `watchTurn` reads it. */
    watchInvestigation: (
      id: string,
      {
        lastEventId,
        signal,
        ...query
      }: IntakeStreamQuery & { lastEventId?: string; signal?: AbortSignal } = {},
    ) =>
      open('GET', `${session(id)}/stream`, {
        query,
        ...(lastEventId === undefined ? {} : { lastEventId }),
        ...(signal ? { signal } : {}),
      }),
    investigations: (query: InvestigationsQuery = {}) =>
      json<InvestigationList>('GET', '/intake/sessions', { query }),
    investigation: (id: string) => json<Investigation>('GET', session(id)),
    saveInvestigation: (id: string, body: InvestigationBody) =>
      json<Investigation | null>('PUT', session(id), { body }),
    async removeInvestigation(id: string): Promise<void> {
      await open('DELETE', session(id));
    },
    stopInvestigation: (id: string) =>
      json<StoppedTurn>('POST', `${session(id)}/stop`, { body: {} }),
    checkCitations: (id: string, body: CitationsBody = {}) =>
      json<CitationsReply>('POST', `${session(id)}/citations`, { body }),
    pinnedLines: (id: string, query: PinnedLinesQuery) =>
      json<PinnedLines>('GET', `${session(id)}/file`, { query }),
    pinNewest: (id: string) => json<Investigation>('POST', `${session(id)}/pin`, { body: {} }),
    evidenceText: (id: string, evidence: string) =>
      json<EvidenceText>('GET', `${session(id)}/evidence/${encodeURIComponent(evidence)}`),
  };
}
