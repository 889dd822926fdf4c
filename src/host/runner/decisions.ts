import { createDecisionLabels } from '../../jobs/commands/decisionLabels.ts';
import type { Decisions } from '../../contract/policy/decisions.ts';
import { DIGEST_VERSION } from '../../policy/decisions/digest/buildPhaseDigest.ts';
import { createReplay } from '../../policy/decisions/replay.ts';
import { toRecordedModel, resolveSiteMode } from '../../policy/decisions/decisionTerms.ts';
import { createDecisionList } from '../../jobs/views/ratings/createDecisionList.ts';
import { createTrackRecord } from '../../jobs/views/ratings/createTrackRecord.ts';
import type { RunnerCore } from './core.ts';
import { buildDecisionDeps } from './buildDecisionDeps.ts';

/** What the outside can ask about the decision layer. */
export const createDecisions = (core: RunnerCore): Decisions => {
  const { settings, store, rows, now, kernel, screen, stateOf } = core;
  const read = { reader: store.decisions, rows, frames: store.frames, now };
  const list = createDecisionList(read);
  return {
    ...list,
    ...createDecisionLabels({ kernel, rows, now, screen, ...list }),
    ...createTrackRecord({
      ...read,
      present() {
        const { provider } = settings.decision;
        const model = toRecordedModel(settings.decision, 'overseer');
        const mode = resolveSiteMode(settings.decision, 'overseer') ?? 'off';
        return { mode, provider, model, digestVersion: DIGEST_VERSION };
      },
    }),
    ...createReplay({
      ...buildDecisionDeps(core),
      ...list,
      terms: () => settings.decision,
      phase(jobId, name) {
        const { workflow, workflowPath } = stateOf(jobId).context;
        const phase = workflow.phases.find((one) => one.name === name);
        return phase ? { phase, workflowPath } : null;
      },
    }),
  };
};
