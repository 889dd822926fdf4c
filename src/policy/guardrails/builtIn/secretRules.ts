import { listSecretKinds, redactSecretTokens } from '../../../base/secrets/secretPatterns.ts';
import type { Rule, SubjectDiff } from '../rule.ts';
import { createBuiltInRule, toFinding } from './createBuiltInRule.ts';

function collectNestedTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(collectNestedTexts);
}

const MAX_NAMED = 5;

/** Places of tokens in a branch: in its new commits, else in the lines that it adds. */
function listTokenPlaces({ added, tokens = [] }: SubjectDiff): string[] {
  const inCommits = tokens.map(({ kind, place }) => `${kind} (${redactSecretTokens(place)})`);
  if (inCommits.length > 0) return inCommits;
  return added.flatMap(({ path, text }) =>
    listSecretKinds(text).map((kind) => `${kind} in ${redactSecretTokens(path)}`),
  );
}

/**
 * Tokens that svc does not know, recognised by their form. Known values are removed and searched
 * for whatever these rules say.
 */
export const secretRules: readonly Rule[] = [
  createBuiltInRule({
    id: 'no-secret-in-diff',
    when: ['write.before'],
    do: 'deny',
    severity: 'critical',
    condition:
      'a new commit holds a token of one of 20 known forms, in its message, a name or a file, also one that a later commit removes',
    message:
      'Remove it and rewrite the commit (git commit --amend, for an older one git rebase): a later commit leaves it in the history. Write an example value in a test so that it has no such form.',
    test: ({ diff }) => {
      const places = diff ? listTokenPlaces(diff) : [];
      if (places.length === 0) return null;
      const more = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : '';
      return toFinding(`the branch adds ${places.slice(0, MAX_NAMED).join(', ')}${more}`);
    },
  }),
  createBuiltInRule({
    id: 'no-secret-in-output',
    when: ['tool.before', 'write.before'],
    do: 'redact',
    severity: 'critical',
    condition: 'what a tool is given holds a token of one of 20 known forms',
    message: 'Never write a token; name the variable that holds it.',
    redact: redactSecretTokens,
    test: ({ args }) => {
      const kinds = [...new Set(collectNestedTexts(args).flatMap(listSecretKinds))];
      return kinds.length === 0 ? null : toFinding(`it holds ${kinds.join(', ')}`);
    },
  }),
];
