import type { Artefact, Job } from '../../src/contract/schema/job/job.ts';
import type { PhaseDefinition } from '../../src/contract/schema/workflow/workflow.ts';
import { FakeJobPort } from '../support/http/fakeAgentJob.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** The plan of the job, or of its campaign. */
export const PLAN: Artefact = {
  id: '5f0c1b2a3d4e5f60',
  kind: 'plan-md',
  title: 'Plan: retry uploads',
  mime: 'text/markdown',
  size: 140,
  sha256: 'f'.repeat(64),
  phase: 'planning',
  visit: 1,
  at: AT,
};

const createVisit = (
  visit: number,
  phase: string,
  approvedBy: string | null,
): Job['phases'][number] => ({
  visit,
  phase,
  status: phase,
  startedAt: AT,
  endedAt: null,
  sessions: 1,
  overlayHash: null,
  outcome: null,
  approvedBy,
});

/** A job on GitHub whose plan is approved, as it is when this phase begins for the first time. */
export function jobIn(workflowPath: string, { name, status }: PhaseDefinition): Job {
  const isFirst = name === 'planning';
  const isSubRun = workflowPath === 'workflows/sub-run.md';
  const isCampaign = workflowPath === 'workflows/campaign.md';
  const plans = isFirst || isSubRun ? [] : [PLAN];
  const works = !isFirst && !isSubRun && !isCampaign;
  const pr = {
    prId: 'github:acme/shop#3',
    forge: 'github',
    repo: 'acme/shop',
    number: 3,
    title: 'Retry uploads that end with 503',
    head: 'svc/retry-on-503',
    base: 'trunk',
    url: 'https://github.com/acme/shop/pull/3',
    state: 'merged' as const,
    workItem: 'retry-on-503',
    mergedAt: AT,
  };
  const isLater = works && name !== 'coding';
  return {
    ...new FakeJobPort().current,
    id: 'shop-job-1',
    type: 'job',
    status,
    phase: name,
    workflowPath,
    parentJobId: isSubRun ? 'shop-campaign-1' : null,
    description: 'Uploads that end with 503 are lost.\n\nTry them again, at most three times.',
    repoSlug: 'acme/shop',
    params: {
      description: 'Uploads that end with 503 are lost.\n\nTry them again, at most three times.',
      repoSlug: 'acme/shop',
      gitProvider: 'github',
      repoCheckoutAbsDir: '/home/svc/work/shop-job-1/acme__shop',
    },
    visit: isFirst ? 1 : 2,
    workItems: works
      ? [
          {
            id: 'retry-on-503',
            title: 'Retry uploads that end with 503',
            status: isLater ? 'in-progress' : 'pending',
            loopCount: 0,
            prIds: isLater ? [pr.prId] : [],
          },
        ]
      : [],
    currentWorkItem: isLater ? 'retry-on-503' : null,
    prMappings: isLater ? [pr] : [],
    artefacts: plans,
    insights: works
      ? [{ id: 'i1', category: 'testing', text: 'Run npm test.', phase: 'planning', at: AT }]
      : [],
    phases: [
      ...(isFirst || isSubRun ? [] : [createVisit(1, 'planning', 'token')]),
      createVisit(isFirst ? 1 : 2, name, null),
    ],
  };
}

/** The campaign of a sub-run: its plan is approved. */
export const toCampaign = (job: Job): Job => ({
  ...job,
  artefacts: [PLAN],
  phases: [createVisit(1, 'planning', 'token')],
});

/** The same job while its pull request is under review, in the coding phase for the second time. */
export function inReview(workflowPath: string, phase: PhaseDefinition): Partial<Job> {
  const later = jobIn(workflowPath, { ...phase, name: 'testing' });
  return {
    workItems: later.workItems,
    currentWorkItem: later.currentWorkItem,
    prMappings: later.prMappings.map((pr) => ({ ...pr, state: 'open', mergedAt: null })),
    phases: [
      createVisit(1, 'planning', 'token'),
      createVisit(2, 'coding', null),
      createVisit(3, 'coding', null),
    ],
    visit: 3,
  };
}
