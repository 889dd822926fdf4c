import type { Proposal } from '../../../src/contract/schema/workflow/proposal.ts';

/** A proposal that waits for a person; `over` = what is different. */
export const aProposal = (over: Partial<Proposal> = {}): Proposal => ({
  id: 'a1b2c3d4e5f6a7b8',
  kind: 'memory',
  layer: 'tenant',
  repo: null,
  description: 'Say how the tests are run.',
  state: 'open',
  jobId: 'shop-job-1',
  phase: 'reporting',
  at: '2026-11-22T10:00:00.000Z',
  since: '2026-11-22T10:00:01.000Z',
  hash: '0'.repeat(64),
  paths: ['memory/build.md'],
  warnings: 0,
  problem: null,
  link: null,
  supersededBy: null,
  files: [
    {
      path: 'memory/build.md',
      change: 'added',
      base: null,
      proposed: 'Run npm test.\n',
      current: null,
      replaces: null,
      merged: 'Run npm test.\n',
      conflicts: [],
      diff: 'diff --git a/memory/build.md b/memory/build.md\nnew file mode 100644\n--- /dev/null\n+++ b/memory/build.md\n@@ -0,0 +1,1 @@\n+Run npm test.\n',
    },
  ],
  checks: { findings: [], simulated: [], meaning: [], warnings: [] },
  drifted: false,
  approval: null,
  allowed: [],
  rejection: null,
  folder: '/home/svc/intelligence/proposals/a1b2c3d4e5f6a7b8',
  ...over,
});

export const aProposalSummary = () => {
  const {
    files: _files,
    checks: _checks,
    drifted: _drifted,
    approval: _approval,
    allowed: _allowed,
    rejection: _rejection,
    folder: _folder,
    ...summary
  } = aProposal();
  return summary;
};
