import { SvcError } from '../../../src/base/errors/errors.ts';
import type { AuditTrail, RequestedAct } from '../../../src/contract/runner/auditTrail.ts';
import type { RecordedAct } from '../../../src/contract/schema/runner/audit.ts';

/** An audit log in memory. */
export class MemoryTrail implements AuditTrail {
  readonly acts: RecordedAct[] = [];
  readonly unrecorded: string[] = [];
  /** The state cannot be written. */
  isFull = false;

  async record(act: RequestedAct): Promise<number> {
    if (this.isFull) throw new SvcError('store-failed', 'The state could not be saved.');
    const n = this.acts.length + 1;
    this.acts.push({
      ...act,
      target: { ...act.target },
      n,
      at: '2026-11-30T08:00:00.000Z',
      failed: null,
    });
    return n;
  }

  async recordFailure(n: number, code: string): Promise<void> {
    const act = this.acts[n - 1];
    if (act) act.failed = code;
  }

  reportUnrecorded(action: string): void {
    this.unrecorded.push(action);
  }

  list() {
    return { acts: this.acts.toReversed(), total: this.acts.length };
  }
}
