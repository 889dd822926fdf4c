import { type AwaySince, unlessAway } from '../../base/concurrency/unlessAway.ts';
import { shorten } from '../../base/text/clip.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { DEFAULT_LISTED_ACTS, type RecordedAct } from '../../contract/schema/runner/audit.ts';
import type { AuditTrail, RequestedAct } from '../../contract/runner/auditTrail.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import { translateKernelErrors } from '../../jobs/commands/refusals.ts';
import type { AuditReader, AuditRow } from '../../jobs/store/queries/auditReader.ts';
import type { Log } from '../../base/system/log/log.ts';

/** How long an act waits for its entry while the control plane is away, ms: the entry is still written. */
const AWAY_ENTRY_MS = 1_000;

/** Longest value of an entry, characters. */
const MAX_VALUE_CHARS = 500;

interface AuditTrailParts {
  reader: Pick<AuditReader, 'page' | 'total' | 'readLastNumber'>;
  writeRows(changes: RowChange<'audit_entries'>[]): Promise<void>;
  clock: Clock;
  awaySince: AwaySince;
  /** Takes known secrets out. */
  screen(text: string): string;
  log: Pick<Log, 'error'>;
}

type EarlierAct = RequestedAct & Pick<AuditRow, 'at' | 'failed'>;

/** An audit log that also takes what was done at another time. */
export interface OpenAuditTrail extends AuditTrail {
  /** Acts from before, in one commit. */
  recordEarlier(acts: readonly EarlierAct[]): Promise<void>;
}

/** The audit log in the runner's state. */
export function createAuditTrail(parts: AuditTrailParts): OpenAuditTrail {
  const { reader, clock, awaySince, screen, log } = parts;
  let last: number | null = null;
  const takeNumber = (): number => {
    last = (last ?? reader.readLastNumber()) + 1;
    return last;
  };
  const write = (changes: RowChange<'audit_entries'>[]): Promise<void> =>
    unlessAway(
      translateKernelErrors('', () => parts.writeRows(changes)),
      { clock, awaySince, mostMs: AWAY_ENTRY_MS },
      () => undefined,
    );
  const toPut = (act: EarlierAct): { n: number; change: RowChange<'audit_entries'> } => {
    const n = takeNumber();
    const row: AuditRow = {
      n,
      at: act.at,
      via: act.via,
      person: act.person,
      address: act.address,
      action: act.action,
      target: JSON.stringify(
        mapTexts(act.target, (text) => shorten(screen(text), MAX_VALUE_CHARS)),
      ),
      job_id: act.jobId,
      failed: act.failed,
    };
    return { n, change: { op: 'put', table: 'audit_entries', row } };
  };
  return {
    async record(act) {
      const { n, change } = toPut({ ...act, at: clock.now(), failed: null });
      await write([change]);
      return n;
    },
    async recordFailure(n, code) {
      const change: RowChange<'audit_entries'> = {
        op: 'patch',
        table: 'audit_entries',
        key: { n },
        set: { failed: code },
      };
      // The refusal is the answer, whatever comes of this.
      await write([change]).catch((err: unknown) =>
        log.error({ err, n, code }, 'the failure of an act is not in the audit log'),
      );
    },
    reportUnrecorded: (action, err) => log.error({ err, action }, 'an act is not in the audit log'),
    async recordEarlier(acts) {
      await write(acts.map((act) => toPut(act).change));
    },
    list({ since, job, person, action, limit = DEFAULT_LISTED_ACTS, offset = 0 }) {
      const filter = {
        ...(since === undefined ? {} : { since: Date.parse(since) }),
        ...(job === undefined ? {} : { job }),
        ...(person === undefined ? {} : { person }),
        ...(action === undefined ? {} : { action }),
      };
      return {
        acts: reader.page(filter, { limit, offset }).map(toRecordedAct),
        total: reader.total(filter),
      };
    },
  };
}

const toRecordedAct = ({ at, target, job_id: jobId, ...row }: AuditRow): RecordedAct => ({
  ...row,
  at: toIsoTime(at),
  target: mapTexts(JSON.parse(target), (text) => text),
  jobId,
});

const mapTexts = (target: object, change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(target).map(([name, value]) => [name, change(String(value))]));
