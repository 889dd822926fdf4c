import type { Proposing } from '../../contract/workflow/proposing.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { Proposals } from '../../jobs/proposals/proposals.ts';
import { readJobRepo } from '../../providers/forges.ts';
import type { Job } from '../../contract/schema/job/job.ts';

export interface JobProposalsDeps {
  proposals: Proposals;
  job(id: string): Job;
}

const ID_CHARS = 16;

/** A session's tools for proposals; each call is recorded in its job's journal. */
export function createJobProposals(
  { proposals, job }: JobProposalsDeps,
  { jobId, visit, session, phase }: SessionRef,
): Proposing {
  const repo = () => readJobRepo(job(jobId).params);
  return {
    propose: (draft, key) =>
      proposals.propose(sha256(`${jobId}/${key}`).slice(0, ID_CHARS), draft, {
        jobId,
        phase,
        repo: repo(),
        event: (proposal) => [
          {
            to: jobId,
            event: { type: 'tool.propose_change', ...proposal, visit, session },
            source: 'tool',
            externalId: key,
          },
        ],
      }),
    listProposals: (state) => proposals.listed(jobId, repo(), state),
  };
}
