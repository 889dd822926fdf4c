import { stripFolderPath } from '../../../base/text/folderPaths.ts';
import { CI_FILE_PATTERNS, CI_FILES } from '../ciFiles.ts';
import { createPathMatcher } from '../glob.ts';
import type { Rule, Subject, SubjectDiff } from '../rule.ts';
import { createBuiltInRule, toFinding } from './createBuiltInRule.ts';

const MANIFESTS: readonly (readonly [manifest: string, locks: readonly string[]])[] = [
  [
    'package.json',
    ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
  ],
  ['Cargo.toml', ['Cargo.lock']],
  ['go.mod', ['go.sum']],
  ['pyproject.toml', ['poetry.lock', 'uv.lock', 'pdm.lock']],
  ['Pipfile', ['Pipfile.lock']],
  ['Gemfile', ['Gemfile.lock']],
  ['composer.json', ['composer.lock']],
];

/** A manifest's line with a package and its version. */
const DEPENDENCY: Readonly<Record<string, RegExp>> = {
  'package.json': /^\s*"(?:@[\w.-]+\/)?[\w.-]+"\s*:\s*"(?:[\^~]?\d|>=|workspace:|npm:|\*)/,
  'cargo.toml': /^\s*[\w-]+\s*=\s*(?:"[\^~=]?\d|\{.*version)/,
  'go.mod': /^\s*(?:require\s+)?[\w.-]+\.[\w.-]+\/\S+\s+v\d/,
  'pyproject.toml': /^\s*(?:"[\w.-]+(?:\[[\w,]+\])?\s*[<>=~!]=?|[\w-]+\s*=\s*"[\^~]?\d)/,
  'requirements.txt': /^\s*[\w.-]+(?:\[[\w,]+\])?\s*(?:[<>=~!]=|$)/,
  gemfile: /^\s*gem\s+["']/,
};

/** A pushed branch, and the agents' tools that change files. */
const CHANGING = ['create_pr', 'edit', 'write'];

/** Most lines of a change; default of the configuration. */
const MAX_DIFF_LINES = 2_000;
/** Most bytes of a change: 2 MiB. */
const MAX_DIFF_BYTES = 2 * 1024 * 1024;
const MAX_DIFF_FILES = 500;
/** Longest line that is checked, characters. */
const MAX_LINE_CHARS = 500;
const MAX_NAMED = 5;

const formatTouchedPaths = (paths: readonly string[]): string =>
  paths.slice(0, MAX_NAMED).join(', ') +
  (paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '');

const isCiFile = createPathMatcher(CI_FILE_PATTERNS);

const findTouchedPaths = ({ diff }: Subject, fits: (path: string) => boolean) => {
  const touchedPaths = (diff?.paths ?? []).filter(fits);
  return touchedPaths.length === 0
    ? null
    : toFinding(`the change touches ${formatTouchedPaths(touchedPaths)}`);
};

const hasSiblingFile = (
  paths: readonly string[],
  folder: string,
  names: readonly string[],
): boolean => names.some((name) => paths.includes(`${folder}${name}`));

const listLonelyLocks = ({ paths }: SubjectDiff): string[] =>
  paths.filter((path) => {
    const name = stripFolderPath(path);
    const folder = path.slice(0, path.length - name.length);
    const entry = MANIFESTS.find(([, locks]) => locks.includes(name));
    return entry !== undefined && !hasSiblingFile(paths, folder, [entry[0]]);
  });

const listNewDependencies = ({ added }: SubjectDiff): string[] =>
  added.flatMap(({ path, text }) => {
    const line = DEPENDENCY[stripFolderPath(path).toLowerCase()];
    if (line === undefined) return [];
    return text
      .split('\n')
      .filter((one) => line.test(one.slice(0, MAX_LINE_CHARS)))
      .map((one) => `${path}: ${one.trim().slice(0, 80)}`);
  });

export const changeRules: readonly Rule[] = [
  createBuiltInRule({
    id: 'no-workflow-file-change',
    when: ['write.before', 'tool.before'],
    tools: CHANGING,
    do: 'park',
    severity: 'high',
    condition: `the change touches a file of CI: ${CI_FILES.map(({ kind }) => kind).join(', ')}`,
    message: 'Such files decide what runs with other rights. Leave them out of the branch',
    test: (subject) => findTouchedPaths(subject, isCiFile),
  }),
  createBuiltInRule({
    id: 'protected-paths',
    when: ['write.before', 'tool.before'],
    tools: CHANGING,
    do: 'park',
    severity: 'high',
    condition: 'the change touches one of `paths`; svc names none by itself',
    message: 'Leave them out of the branch',
    test: (subject, { paths }) =>
      paths === null ? null : findTouchedPaths(subject, createPathMatcher(paths)),
  }),
  createBuiltInRule({
    id: 'large-diff',
    when: ['write.before'],
    do: 'park',
    limit: MAX_DIFF_LINES,
    condition: 'the branch adds and removes more lines than `limit`',
    message: 'A person reviews no change of this size well. Split it into several pull requests',
    test: ({ diff }, { limit }) =>
      diff && diff.lines > (limit ?? Number.POSITIVE_INFINITY)
        ? toFinding(`the change has ${diff.lines} lines, more than ${limit}`)
        : null,
  }),
  createBuiltInRule({
    id: 'large-diff-bytes',
    when: ['write.before'],
    do: 'park',
    limit: MAX_DIFF_BYTES,
    condition:
      'the diff of the branch has more bytes than `limit`; a binary file counts whole, old and new',
    message:
      'A person reviews no change of this size well. Leave large and generated files out, or split it into several pull requests',
    test: ({ diff }, { limit }) =>
      diff?.bytes !== undefined && diff.bytes > (limit ?? Number.POSITIVE_INFINITY)
        ? toFinding(`the change has ${diff.bytes} bytes, more than ${limit}`)
        : null,
  }),
  createBuiltInRule({
    id: 'large-diff-files',
    when: ['write.before'],
    do: 'park',
    limit: MAX_DIFF_FILES,
    condition: 'the branch adds, changes and removes more files than `limit`',
    message: 'A person reviews no change of this size well. Split it into several pull requests',
    test: ({ diff }, { limit }) =>
      diff && diff.paths.length > (limit ?? Number.POSITIVE_INFINITY)
        ? toFinding(`the change has ${diff.paths.length} files, more than ${limit}`)
        : null,
  }),
  createBuiltInRule({
    id: 'lock-file-only-with-manifest',
    when: ['write.before'],
    do: 'note',
    severity: 'low',
    condition: 'a lock file changes without its manifest',
    message: 'Check the newly pinned versions.',
    test: ({ diff }) => {
      const locks = diff ? listLonelyLocks(diff) : [];
      return locks.length === 0
        ? null
        : toFinding(`${formatTouchedPaths(locks)} changes without its manifest`);
    },
  }),
  createBuiltInRule({
    id: 'no-new-dependency',
    when: ['write.before'],
    do: 'note',
    severity: 'low',
    condition: 'a manifest has a new line that names a package',
    message: 'Review the package before you merge.',
    test: ({ diff }) => {
      const lines = diff ? listNewDependencies(diff) : [];
      return lines.length === 0
        ? null
        : toFinding(`new dependencies: ${formatTouchedPaths(lines)}`);
    },
  }),
];
