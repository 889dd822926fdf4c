import type { AwaySince } from '../../base/concurrency/unlessAway.ts';
import { summarizeConfigChanges } from '../../base/audit/summarizeConfigChanges.ts';
import type { AuditTrail } from '../../contract/runner/auditTrail.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import { createAuditTrail } from '../audit/createAuditTrail.ts';
import { takeOfflineActs } from '../audit/offlineActs.ts';
import type { RunningRunner } from '../runner/runner.ts';
import type { Start } from './startOptions.ts';

interface OpenedTrail extends AuditTrail {
  /** Takes what svc's command line did while no runner ran. Never rejects. */
  takeOffline(): Promise<void>;
}

/** The audit log of this runner, with changes of the configuration file by hand. */
export function openAuditTrail(
  start: Start,
  store: OpenStore,
  { writeRows }: Pick<RunningRunner, 'writeRows'>,
  awaySince: AwaySince,
): OpenedTrail {
  const { settings, clock, log, secrets } = start;
  const trail = createAuditTrail({
    reader: store.audit,
    writeRows,
    clock,
    awaySince,
    screen: secrets.screen,
    log,
  });
  start.noteEdit = (changes) => {
    if (changes.length === 0) return;
    const action = 'updateConfig';
    const target = { keys: summarizeConfigChanges(changes) };
    trail
      .record({ via: 'file', person: null, address: null, action, target, jobId: null })
      .catch((err: unknown) => trail.reportUnrecorded(action, err));
  };
  return {
    ...trail,
    async takeOffline() {
      try {
        await takeOfflineActs(settings.home, {
          isKnown: ({ at, action, failed }) =>
            store.rows.count('audit_entries', { at, action, failed }) > 0,
          keep: trail.recordEarlier,
        });
      } catch (err) {
        log.error({ err }, 'acts from before the start are not in the audit log yet');
      }
    },
  };
}
