import {
  type Clause,
  type Invariant,
  parsePhaseWord,
  formatRule,
} from '../../../src/base/invariants/invariant.ts';
import { listMissingClauses, type Monitor } from '../../../src/base/invariants/monitor.ts';

const WAYS: Readonly<Record<string, string>> = {
  'approved(pr)':
    'a person has to approve the pull request at its newest commit: wait for that with await_event { "kinds": ["approved"] }',
  'checks.green': 'wait for green checks with await_event { "kinds": ["check_passed"] }',
  'checks.red': 'a check has to fail first',
  push: 'bring the branch to the forge with create_pr first',
  'pr.opened': 'open the pull request with create_pr first',
  merge: 'the pull request has to be merged first: wait for that with await_event',
  person: 'a person has to answer first: ask with await_event and external, or call escalate',
  complete: 'the job has to be complete first',
};

function explainClause({ fact, not }: Clause): string {
  if (not) return `this is over once "${fact}" has happened: call escalate, a person can decide`;
  const phase = parsePhaseWord(fact);
  if (phase === null) return WAYS[fact] ?? `${fact} has to happen first`;
  return fact.startsWith('approved')
    ? `a person has to approve phase ${phase} first`
    : `phase ${phase} has to begin first`;
}

function explainWayOut(rule: Invariant, monitor: Monitor): string {
  if ('visits' in rule)
    return `All ${rule.atMost} visits of ${rule.visits} are used up: finish without another one, or call escalate. A person can rerun another phase, or raise the number where the rule is written and resume.`;
  if ('tool' in rule) return `Call it in ${rule.onlyIn.join(' or ')}, or leave it to a person.`;
  const missing = listMissingClauses(rule, monitor);
  return missing.length === 0
    ? 'Nothing allows it: leave it to a person.'
    : `${missing.map(explainClause).join('; ')}.`.replace(/^./, (first) => first.toUpperCase());
}

export const describeInvariantRefusal = ({
  rule,
  monitor,
}: {
  rule: Invariant;
  monitor: Monitor;
}): string =>
  `the invariant ${rule.id} forbids this: ${formatRule(rule)}. ${explainWayOut(rule, monitor)}`;
