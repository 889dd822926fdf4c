import type { JobContext } from '../../machines/index.ts';
import type { DecisionReply } from '../schema/decision.ts';

/** What a decider's model has used for one question. */
export interface DecisionCall {
  place: Pick<JobContext, 'visit' | 'phase' | 'workflowPath'> & { jobId: string };
  provider: string;
  model: string;
  usage: NonNullable<DecisionReply['usage']>;
}
