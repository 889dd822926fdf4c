import { findBuiltInDecider } from '../../policy/decisions/findBuiltInDecider.ts';
import type { RatePhaseDeps } from '../../policy/decisions/ratePhase.ts';
import type { NewsScreenDeps } from '../../policy/decisions/sites/newsScreen.ts';
import type { SessionNotesDeps } from '../../policy/decisions/sites/sessionNotes.ts';
import { toDecisionCallRow } from '../../policy/usage/toDecisionCallRow.ts';
import type { RunnerCore } from './core.ts';

export const buildDecisionDeps = (
  core: RunnerCore,
): RatePhaseDeps & NewsScreenDeps & SessionNotesDeps => {
  const { settings, rows, store, clock, screen, readState, readRow, ledger, writeRows } = core;
  let last = 0;
  /** No two calls have the same number, nor those of two starts of the runner. */
  const nextCall = (): number => {
    last = Math.max(last + 1, clock.now());
    return last;
  };
  return {
    settings,
    rows,
    frames: store.frames,
    clock,
    screen,
    readState,
    writeRows,
    decider(id) {
      const decider = findBuiltInDecider(id, settings.decision) ?? core.decider?.(id);
      if (decider) return decider;
      throw new Error(`decision.provider names ${id}, and no decider has this id.`);
    },
    description: (jobId) => core.summary(jobId).description,
    readChangedFiles: (jobId) => readState(jobId).context.stop?.changed ?? null,
    readLastFrame: (jobId) => readRow(jobId).frameSeq,
    usageRows({ place, ...call }) {
      const row = toDecisionCallRow(ledger, {
        ...place,
        ...call,
        repository: core.summary(place.jobId).repoSlug,
        endpoint: settings.decision.baseUrl,
        seq: nextCall(),
        at: clock.now(),
      });
      return [{ op: 'put', table: 'usage_calls', row }];
    },
  };
};
