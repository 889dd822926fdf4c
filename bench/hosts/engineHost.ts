import { answerCalls } from '../hostProcess.ts';
import { campaignRate } from '../campaign.ts';
import { kernelStepRate } from '../kernelSteps.ts';
import { processorMs } from '../memory.ts';
import { rawCommitRate } from '../rawCommits.ts';
import { readySetCost } from '../readySet.ts';
import { wholeJobRate } from '../wholeJobs.ts';

/** A process that measures kernel and jobs within itself, one call after the other. */
const calls = {
  rawCommitRate,
  kernelStepRate,
  wholeJobRate,
  campaignRate,
  readySetCost,
  cpu: processorMs,
};

export type EngineHostCalls = typeof calls;

answerCalls(calls);
