import type { AgentJob } from '../contract/agentJob.ts';
import { SELF_UPDATE } from '../domain/selfUpdate.ts';
import { SvcError } from '../lib/errors.ts';
import { readJobRepo } from '../providers/forges.ts';
import type { Job } from '../schema/job.ts';
import type { ReadEvidence } from '../views/evidence/createEvidence.ts';

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
