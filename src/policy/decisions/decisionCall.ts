import type { JobContext } from '../../../machines/index.ts';
import type { DecisionUsage } from './reply/parseDecisionUsage.ts';

export interface DecisionCall {
  place: Pick<JobContext, 'visit' | 'phase' | 'workflowPath'> & { jobId: string };
  provider: string;
  model: string;
  usage: DecisionUsage;
}
