import { createDecisionLabels } from '../job/decisionLabels.ts';
import type { Decisions } from '../contract/decisions.ts';
import { DIGEST_VERSION } from '../overseer/digest/digest.ts';
import { createReplay } from '../overseer/replay.ts';
import { recordedModel, siteMode } from '../overseer/terms.ts';
import { createDecisionList } from '../views/ratings/decisionList.ts';
import { createTrackRecord } from '../views/ratings/trackRecord.ts';
import type { RunnerCore } from './core.ts';
import { judging } from './judging.ts';

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
        const model = recordedModel(settings.decision, 'overseer');
        const mode = siteMode(settings.decision, 'overseer') ?? 'off';
        return { mode, provider, model, digestVersion: DIGEST_VERSION };
      },
    }),
    ...createReplay({
      ...judging(core),
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
