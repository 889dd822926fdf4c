import { toErrorMessage } from '../../../base/errors/errors.ts';
import type { RowChange } from '../../../contract/records/changes.ts';

/** How long a forge has not answered before people are notified of it, ms. */
export const REPORT_ABSENCE_MS = 10 * 60_000;

/** Notes since when forges do not answer, and which absences were reported. A start begins without any. */
export class ForgeAbsences {
  readonly #since = new Map<string, { at: number; isReported: boolean }>();

  answered(forge: string): void {
    this.#since.delete(forge);
  }

  /** The fact to write where the absence has just become long enough, once; null = none. `now`: epoch ms. */
  failed(forge: string, error: unknown, now: number): RowChange | null {
    const absence = this.#since.get(forge) ?? { at: now, isReported: false };
    const isDue = !absence.isReported && now - absence.at >= REPORT_ABSENCE_MS;
    this.#since.set(forge, { ...absence, isReported: absence.isReported || isDue });
    if (!isDue) return null;
    return {
      op: 'put',
      table: 'notification_facts',
      row: {
        id: `forge/${forge}/${absence.at}`,
        kind: 'runner',
        reason: 'forge-away',
        job_id: null,
        at: absence.at,
        text: `${forge}: ${toErrorMessage(error)}`,
      },
    };
  }
}
