import type { Subject, SubjectDiff } from '../../../src/policy/guardrails/rule.ts';

/** Something harmless that an agent asks for. */
export const createSubject = (part: Partial<Subject> = {}): Subject => ({
  moment: 'tool.before',
  tool: 'add_insight',
  args: {},
  job: {
    id: 'job-1',
    workflow: 'workflows/job.md',
    repository: 'acme/shop',
    interactive: false,
    unattended: false,
  },
  phase: 'code',
  pr: null,
  diff: null,
  approvals: [],
  usdLeft: null,
  actor: 'agent',
  done: { openPrs: 0, commentsInHour: 0 },
  refused: null,
  ...part,
});

/** A pull request that is opened with these files; `added`: text of one of them. */
export const opening = (
  paths: readonly string[],
  { lines = 10, added = [], hash = 'a', ...more }: Partial<SubjectDiff> = {},
): Subject =>
  createSubject({
    moment: 'write.before',
    tool: 'create_pr',
    args: { repo: 'acme/shop', head: 'work', base: 'main', title: 'Work' },
    diff: { paths, lines, added, hash, ...more },
  });
