import { SvcError } from '../base/errors/errors.ts';

export const MAX_NAME_LENGTH = 200;
const MAX_PART_BYTES = 250;
const MAX_SUGGESTED_CHARS = 60;

const refuseGitName = (
  field: string,
  value: string,
  rule: string,
  suggestion: string | null = null,
): never => {
  throw new SvcError(
    'bad-argument',
    `${field} ${JSON.stringify(value.slice(0, MAX_NAME_LENGTH + 1))} is not allowed: ${rule}.${suggestion === null ? '' : ` Try ${suggestion}.`}`,
  );
};

/**
 * Checks the name of a repository: `name` or `owner/name` (more levels are fine), each part
 * consists of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`, and starts with a letter or digit. So it is
 * never an option of git, never leaves a folder and is never hidden in one. Returns it; throws
 * SvcError `bad-argument` that names the field, the value and the rule.
 */
export function checkSlug(value: string, field = 'repo'): string {
  if (value === '') refuseGitName(field, value, 'it is empty');
  if (value.length > MAX_NAME_LENGTH)
    refuseGitName(field, value, `it is longer than ${MAX_NAME_LENGTH} characters`);
  for (const part of value.split('/')) {
    if (part === '')
      refuseGitName(field, value, 'it begins or ends with a slash or contains two in a row');
    if (part.includes('..')) refuseGitName(field, value, 'it holds ".."');
    if (!/^[A-Za-z0-9]/.test(part))
      refuseGitName(field, value, 'every part must begin with a letter or a digit');
    if (!/^[A-Za-z0-9._-]+$/.test(part))
      refuseGitName(field, value, 'only A-Z, a-z, 0-9, ".", "_", "-" and "/" are allowed in it');
    if (/\.(git|lock)$/i.test(part))
      refuseGitName(field, value, 'no part ends with ".git" or ".lock"');
    if (part.endsWith('.')) refuseGitName(field, value, 'no part ends with "."');
  }
  return value;
}

/**
 * The rules of git-check-ref-format for branches, first match first; see
 * https://git-scm.com/docs/git-check-ref-format.
 */
const BRANCH_RULES: readonly [broken: (name: string) => boolean, rule: string][] = [
  [(name) => name === '', 'it is empty'],
  [(name) => name.length > MAX_NAME_LENGTH, `it is longer than ${MAX_NAME_LENGTH} characters`],
  [(name) => name.startsWith('-'), 'it begins with "-"'],
  [(name) => name.startsWith('+'), 'it begins with "+", which means a forced push in git'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  [(name) => /[\u0000-\u0020\u007f]/.test(name), 'it contains a space or a control character'],
  [(name) => /[~^:?*[\\]/.test(name), 'it contains one of ~ ^ : ? * [ \\'],
  [(name) => name.includes('..'), 'it holds ".."'],
  [(name) => name.includes('@{'), 'it holds "@{"'],
  [(name) => name === '@' || name === 'HEAD', 'the name has another meaning in git'],
  [(name) => name.startsWith('refs/'), 'give the name without "refs/heads/"'],
  [
    (name) => name.startsWith('/') || name.endsWith('/') || name.includes('//'),
    'it begins or ends with a slash or contains two in a row',
  ],
  [(name) => name.endsWith('.'), 'it ends with "."'],
  [(name) => name.split('/').some((part) => part.startsWith('.')), 'a part begins with "."'],
  [(name) => name.split('/').some((part) => part.endsWith('.lock')), 'a part ends with ".lock"'],
  [(name) => /\p{Surrogate}/u.test(name), 'it is not well-formed text'],
  [
    (name) => name.split('/').some((part) => Buffer.byteLength(part) > MAX_PART_BYTES),
    `a part is longer than ${MAX_PART_BYTES} bytes, and git keeps it as the name of a file`,
  ],
  [(name) => /^[0-9a-f]{40}$/.test(name), 'it looks like the id of a commit'],
];

/**
 * A similar name that git accepts; null where nothing is left of it. Characters other than letters,
 * digits, `.`, `_`, `-` and `/` become `-`.
 */
export function suggestBranch(value: string): string | null {
  const name = value
    .replace(/^refs\/heads\//, '')
    .split('/')
    .map((part) =>
      part
        .replace(/[^\p{L}\p{N}._-]+/gu, '-')
        .replace(/\.{2,}/g, '.')
        .replace(/(?:\.lock)+$/i, '')
        .replace(/^[-.]+|[-.]+$/g, ''),
    )
    .filter((part) => part !== '')
    .join('/');
  const short = [...name]
    .slice(0, MAX_SUGGESTED_CHARS)
    .join('')
    .replace(/[-./]+$/, '');
  const isGood = short !== '' && !BRANCH_RULES.some(([isBroken]) => isBroken(short));
  return isGood && short !== value ? short : null;
}

/**
 * Checks a branch name by git's rules. Returns it; throws SvcError `bad-argument` that names field,
 * value and rule, and suggests a valid name.
 */
export function checkBranch(value: string, field = 'branch'): string {
  const isBrokenName = BRANCH_RULES.find(([isBroken]) => isBroken(value));
  if (isBrokenName) refuseGitName(field, value, isBrokenName[1], suggestBranch(value));
  return value;
}
