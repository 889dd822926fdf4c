import { answerCalls } from '../hostProcess.ts';
import { processorMs } from '../memory.ts';
import { kernelStepRate } from '../kernelSteps.ts';
import { rawCommitRate } from '../rawCommits.ts';
import { wholeJobRate } from '../wholeJobs.ts';

/** A process that measures kernel and jobs within itself, one call after the other. */
const calls = { rawCommitRate, kernelStepRate, wholeJobRate, cpu: processorMs };

export type EngineHostCalls = typeof calls;

answerCalls(calls);
