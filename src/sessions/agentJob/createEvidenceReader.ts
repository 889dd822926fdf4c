import type { AgentJob } from '../../contract/job/agentJob.ts';
import { SELF_UPDATE } from '../../shared/agents/selfUpdate.ts';
import { SvcError } from '../../shared/errors/errors.ts';
import { readJobRepo } from '../../providers/forges.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import type { ReadEvidence } from '../../jobs/views/evidence/createEvidence.ts';

/**
 * What the agents of a job may see of ended jobs. Its repository bounds that, whose own files may
 * tell its agents what to do.
 */
export const createEvidenceReader =
  (read: ReadEvidence, job: () => Pick<Job, 'type' | 'params'>): AgentJob['evidence'] =>
  async (query) => {
    const { type, params } = job();
    if (type !== SELF_UPDATE)
      throw new SvcError(
        'forbidden',
        `Only jobs of the type ${SELF_UPDATE} see other jobs, and this one is of the type ${type}. A person starts one: svc job --workflow self-update.`,
      );
    return read(query, readJobRepo(params)?.slug ?? null);
  };
