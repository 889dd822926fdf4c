import type { SessionResult } from '../../../contract/session/executor.ts';
import type { QuotaHit } from '../../../base/agents/quotaKinds.ts';

export const resolveAgentZone = ({ TZ }: Readonly<Record<string, string>>): string =>
  TZ?.replace(/^:/, '') || new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const createQuotaStop = (
  { kind, window, resetsAt }: QuotaHit,
  error: string | null,
): Pick<SessionResult, 'error' | 'resetsAt' | 'quota'> & { stopReason: 'quota' } => ({
  stopReason: 'quota',
  error,
  resetsAt,
  quota: { kind, window },
});
