import { capitalizeFirst } from '../../../base/text/capitalizeFirst.ts';
import type { MergeMethod } from './settings.ts';

/**
 * What removes the obstacle: `method`: another merge method; `person`: someone with rights at
 * GitHub; `work`: a change of the branch or an answer in a thread; `wait`: an event of the pull
 * request.
 */
export type ViolationCure = 'method' | 'person' | 'work' | 'wait';

interface Violation {
  words: RegExp;
  cure: ViolationCure;
  text: string;
}

/** GitHub's words when a rule, a protection or a setting forbids a merge. */
const VIOLATIONS: readonly Violation[] = [
  {
    words:
      /must not contain merge commits|linear history|(?:merge commits|squash merges|rebase merges) are not allowed|merge (?:method|strategy)\b.*\bnot (?:allowed|permitted)|can(?:'|no)t be (?:rebased|squashed)|rebase (?:merge )?(?:is not|cannot be)/i,
    cure: 'method',
    text: 'it does not allow this merge method',
  },
  {
    words: /verified signatures|commits? (?:to be|must be|are not) (?:signed|verified)|unsigned/i,
    cure: 'person',
    text: 'its commits must have verified signatures, which the commits of agents do not have',
  },
  {
    words:
      /must match (?:a|the|this) .*pattern|must (?:not )?(?:start|end) with|must (?:not )?contain|pattern\b/i,
    cure: 'person',
    text: 'a commit, its author or the branch does not have the name or the text that a rule requires',
  },
  {
    words:
      /file (?:path|extension|size)s?\b|(?:paths?|files?) .*(?:restricted|not allowed)|exceeds .*(?:size|length)/i,
    cure: 'person',
    text: 'a rule does not allow one of its files',
  },
  {
    words: /secrets?\b.*(?:detected|contain)|push protection/i,
    cure: 'work',
    text: 'GitHub found a secret in it. Remove the secret from every commit of the branch',
  },
  {
    words: /conversations?\b.*resolved|comments? must be resolved|unresolved/i,
    cure: 'work',
    text: 'a conversation is not resolved. Answer it and ask its author to resolve it',
  },
  {
    words: /not up.to.date|out.of.date|behind the base/i,
    cure: 'work',
    text: 'its branch is not up to date. Merge the base branch into it and push it to the forge again',
  },
  {
    words: /changes? (?:have been |were |was )?requested|requested changes/i,
    cure: 'work',
    text: 'a reviewer requested changes. Make them, and ask for another review',
  },
  {
    words: /already in progress|base branch was modified|try (?:the merge )?again/i,
    cure: 'wait',
    text: 'GitHub is still at work on it or on its base branch. Try again in a minute',
  },
  {
    words:
      /approv|review(?:s|er)?\b|status checks?|required checks?|checks? (?:is|are)\b|deploy|code scanning|code quality|waiting (?:for|on)|(?:is|are) (?:expected|pending|failing|in progress|queued)|has not (?:succeeded|passed|completed)/i,
    cure: 'wait',
    text: 'a review, a check or a deployment that it requires is missing. Wait for it (await_event), or ask a person',
  },
  {
    words:
      /cannot update this protected ref|not authorized|restricted|must be made through|cannot (?:force|delete)/i,
    cure: 'person',
    text: 'the account of svc may not change this branch',
  },
];

const ORDER: readonly ViolationCure[] = ['method', 'person', 'work', 'wait'];

/** Each cause that the words of a refusal name, those that waiting does not remove first. */
export function findViolations(message: string): Violation[] {
  const lines = message.split(/\n|; |(?<=[.!?])\s+/).filter((line) => line.trim() !== '');
  const violations = new Set(
    lines.flatMap((line) => VIOLATIONS.find(({ words }) => words.test(line)) ?? []),
  );
  return [...violations].toSorted((a, b) => ORDER.indexOf(a.cure) - ORDER.indexOf(b.cure));
}

/**
 * What forbids a merge, and what removes the obstacle, in sentences. `used`: the refused method;
 * `allowedMethods`: those of the repository.
 */
export function describeViolations(
  violations: readonly Violation[],
  base: string,
  mergeMethod: MergeMethod,
  allowedMethods: readonly MergeMethod[],
): string {
  const texts = violations.map(({ cure, text }) =>
    cure === 'method'
      ? describeMergeMethod(mergeMethod, allowedMethods)
      : `${text}.${cure === 'person' ? ASK : ''}`,
  );
  const [first = '', ...others] = texts;
  return [`a rule for ${base} is against it: ${first}`, ...others.map(capitalizeFirst)].join(' ');
}

const ASK = ' Waiting does not end that: ask a person, who can merge it or change the rule.';

function describeMergeMethod(
  mergeMethod: MergeMethod,
  allowedMethods: readonly MergeMethod[],
): string {
  const others = allowedMethods.filter((method) => method !== mergeMethod);
  const remedy =
    others.length === 0
      ? 'It allows no other one: a person must change the rule, or the settings of the repository.'
      : `It allows: ${others.join(', ')}. Waiting does not end that: a person sets plugins.installed.github.config.mergeMethod to ${others.join(' or ')}, or merges it.`;
  return `the repository does not allow the merge method ${mergeMethod}, which svc used. ${remedy}`;
}
