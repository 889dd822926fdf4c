import type { JobContext } from '../../../machines/index.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import { Checkouts, type CheckoutsDeps } from '../../jobs/workspace/checkouts/checkouts.ts';
import {
  CheckoutScripts,
  type CheckoutScriptsDeps,
} from '../../jobs/workspace/checkouts/checkoutScripts.ts';
import { PersonFiles } from '../../jobs/workspace/checkouts/personFiles.ts';
import { isPortInUse } from '../../jobs/workspace/checkouts/findPortRange.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { RunnerDeps } from './runnerDeps.ts';

interface Parts extends Pick<CheckoutsDeps, 'rows' | 'writeRows'> {
  workplace: CheckoutsDeps['workplace'] & CheckoutScriptsDeps['workplace'];
  readState(jobId: string): ActorState<JobContext>;
  log: CheckoutScriptsDeps['log'];
}

/** What makes the checkouts of this runner's jobs ready. */
export const createCheckouts = (
  { settings, clock, ids, sandboxes, store, screen, baseUrl, fileSecrets }: RunnerDeps,
  { rows, writeRows, workplace, readState, log }: Parts,
): Checkouts =>
  new Checkouts({
    settings,
    rows,
    writeRows,
    workplace,
    hasEnded: (jobId) => store.retention.hasFamilyEnded(jobId),
    isPortInUse,
    files: new PersonFiles({
      settings,
      secrets: fileSecrets ?? { addFromFiles: () => {}, holdsOwn: () => false },
      createDraftName: () => ids.next(),
    }),
    scripts: new CheckoutScripts({
      settings,
      clock,
      workplace,
      sandboxes,
      log,
      screen,
      baseUrl,
      readParams: (jobId) => readState(jobId).context.params,
      isPreparing(jobId, visit) {
        const { value, context } = readState(jobId);
        return listLeafPaths(value).includes('working.preparing') && context.visit === visit;
      },
    }),
  });
