import { toIsoTimeOrNull } from '../../base/time/toIsoTime.ts';
import { readQuotaContext, quotaChart } from '../../../machines/index.ts';
import type { CommitNotice } from '../../kernel/contract.ts';

/** For the log: an account takes no sessions. */
export interface QuotaNotice {
  pool: string;
  kind: string;
  window: string | null;
  /** When it is tried again, RFC 3339; null = when a person has settled it. */
  until: string | null;
  text: string;
  /** How its last session ended, if it is failing. */
  error?: string;
}

const TEXTS: Readonly<Record<string, string>> = {
  exhausted: 'an account has reached its limit; its jobs wait and continue by themselves',
  failing: 'sessions of an account fail immediately; its jobs wait, and one of them retries it',
  billing:
    'an account is unpaid, and waiting does not help: pay its bill, then run svc accounts retry',
};

/**
 * A commit's notices about accounts at a limit: once when the limit is met, not again when the
 * probe of its reset meets it a second time. Missing money is reported each time: a person has
 * opened the account in between.
 */
export const collectQuotaNotices = ({
  steps,
}: {
  steps: readonly Pick<CommitNotice['steps'][number], 'before' | 'after'>[];
}): QuotaNotice[] =>
  steps.flatMap(({ before, after }) => {
    const text = after.chart === quotaChart.id ? TEXTS[String(after.value)] : undefined;
    const was = String(before?.value ?? 'open');
    const isTold = was === after.value || (was === 'probing' && after.value !== 'billing');
    if (text === undefined || isTold) return [];
    const { pool: accountId, closed } = readQuotaContext(after);
    const { kind = 'exhausted', window = null, until = null, error } = closed ?? {};
    return [
      {
        pool: accountId,
        kind,
        window,
        until: toIsoTimeOrNull(until),
        text,
        ...(error === undefined ? {} : { error }),
      },
    ];
  });
