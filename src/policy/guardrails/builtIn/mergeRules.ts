import type { Rule } from '../rule.ts';
import { createBuiltInRule, toFinding } from './createBuiltInRule.ts';

/**
 * Rules for what svc refuses whatever the configuration says: they give the refusal a name, so that
 * it is counted and listed. Switched off, they no longer count; the refusal stands.
 */
const createNamedRefusalRule = (
  rule: Pick<Rule, 'id' | 'when' | 'condition' | 'severity'> & Partial<Rule>,
  applies: (...args: Parameters<Rule['test']>) => boolean,
): Rule =>
  createBuiltInRule({
    do: 'deny',
    message: '',
    ...rule,
    test: (subject, self) =>
      subject.refused !== null && applies(subject, self) ? toFinding(subject.refused) : null,
  });

const RED = ['red', 'pending'];

export const mergeRules: readonly Rule[] = [
  createNamedRefusalRule(
    {
      id: 'no-merge-unapproved',
      when: ['merge.before'],
      severity: 'critical',
      condition: 'no one but svc has approved the newest commit, or changes are requested',
    },
    ({ pr }) => !RED.includes(pr?.checks ?? ''),
  ),
  createNamedRefusalRule(
    {
      id: 'no-merge-red-checks',
      when: ['merge.before'],
      severity: 'critical',
      condition: 'a required check has failed or not finished',
    },
    ({ pr }) => RED.includes(pr?.checks ?? ''),
  ),
  createNamedRefusalRule(
    {
      id: 'no-approve-own-pr',
      when: ['write.before'],
      tools: ['approve_pr'],
      severity: 'high',
      condition: 'svc has opened the pull request that the agent approves',
    },
    () => true,
  ),
  createNamedRefusalRule(
    {
      id: 'only-known-repos',
      when: ['write.before', 'job.start'],
      severity: 'high',
      condition:
        'no person has named the repository, pull request or ticket for the job, or svc does not know the repository of one that begins',
    },
    ({ tool }) => tool !== 'approve_pr',
  ),
];
