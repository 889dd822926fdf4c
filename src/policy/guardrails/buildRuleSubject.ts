import type { Subject } from './rule.ts';

interface SeenJob {
  id: string;
  workflowPath: string;
  params: Readonly<Record<string, unknown>>;
  interactive: boolean;
}

const NOTHING = {
  tool: '',
  args: {},
  phase: '',
  pr: null,
  diff: null,
  approvals: [],
  usdLeft: null,
  actor: 'agent',
  done: { openPrs: 0, commentsInHour: 0 },
  refused: null,
} as const;

export const buildRuleSubject = (
  { id, workflowPath, params, interactive }: SeenJob,
  part: Pick<Subject, 'moment'> & Partial<Subject>,
): Subject => ({
  ...NOTHING,
  job: {
    id,
    workflow: workflowPath,
    repository: typeof params.repoSlug === 'string' ? params.repoSlug : '',
    interactive,
    unattended: params.unattended !== undefined,
  },
  ...part,
});
