import { secretKinds, withoutSecrets } from '../secretPatterns.ts';
import type { Rule, SubjectDiff } from '../rule.ts';
import { builtIn, found } from './builtIn.ts';

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Most places that are named. */
const MAX_NAMED = 5;

/** Where a branch holds tokens: in its new commits, else in the lines that it adds to its base. */
function placesIn({ added, tokens = [] }: SubjectDiff): string[] {
  const inCommits = tokens.map(({ kind, place }) => `${kind} (${withoutSecrets(place)})`);
  if (inCommits.length > 0) return inCommits;
  return added.flatMap(({ path, text }) =>
    secretKinds(text).map((kind) => `${kind} in ${withoutSecrets(path)}`),
  );
}

/**
 * Tokens that svc does not have itself, known by their form. The values that svc does know are taken
 * out and searched for whatever these rules say.
 */
export const secretRules: readonly Rule[] = [
  builtIn({
    id: 'no-secret-in-diff',
    when: ['write.before'],
    do: 'deny',
    severity: 'critical',
    condition:
      'a new commit holds a token of one of 20 known forms, in its message, a name or a file, also one that a later commit removes',
    message:
      'Remove it and rewrite the commit (git commit --amend, for an older one git rebase): a later commit leaves it in the history. Write an example value in a test so that it has no such form.',
    test: ({ diff }) => {
      const places = diff ? placesIn(diff) : [];
      if (places.length === 0) return null;
      const more = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : '';
      return found(`the branch adds ${places.slice(0, MAX_NAMED).join(', ')}${more}`);
    },
  }),
  builtIn({
    id: 'no-secret-in-output',
    when: ['tool.before', 'write.before'],
    do: 'redact',
    severity: 'critical',
    condition: 'what a tool is given holds a token of one of 20 known forms',
    message: 'Never write a token; name the variable that holds it.',
    redact: withoutSecrets,
    test: ({ args }) => {
      const kinds = [...new Set(textsIn(args).flatMap(secretKinds))];
      return kinds.length === 0 ? null : found(`it holds ${kinds.join(', ')}`);
    },
  }),
];
