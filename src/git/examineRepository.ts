import { quotePosixWord } from '../base/text/quotePosixWord.ts';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { runGit } from './runGit.ts';
import { findPartial } from './partialClone.ts';
import { splitFields } from './rawPaths.ts';
import { findBranch, readHeadBranch, openRepository, type Repository } from './openRepository.ts';

export interface RepositoryProblem {
  problem: string;
  /** What to do, as sentences. */
  fix: string;
}

/** Longest run of one check, ms: a request for a job waits for it. Where it is too short, nothing is found. */
const CHECK_TIMEOUT_MS = 20_000;
const MAX_NAMED = 5;
/** Most bytes of the list of a commit's files: 64 MiB. What is beyond is not checked. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;

type Check = (
  repository: Repository,
  branch: string,
) => RepositoryProblem | null | Promise<RepositoryProblem | null>;

const runExaminationGit = (
  gitDir: string,
  args: readonly string[],
  more: Parameters<typeof runGit>[1] = {},
) => runGit(['--git-dir', gitDir, ...args], { timeoutMs: CHECK_TIMEOUT_MS, ...more });

const canWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Branches of pull requests and merges are written into it. */
const checkRepositoryWritable: Check = ({ path, gitDir }) => {
  const closedPath = ['.', 'objects', 'refs', join('refs', 'heads')].find(
    (name) => existsSync(join(gitDir, name)) && !canWrite(join(gitDir, name)),
  );
  return closedPath === undefined
    ? null
    : {
        problem: `The runner has no write access to ${join(gitDir, closedPath)}, which it needs for branches and merges.`,
        fix: `Run the runner as the owner of the repository, or give it to the runner's user: chown -R "$(id -u)" ${quotePosixWord(path)}`,
      };
};

/** Git only warns about a missing alternate, and its later errors are all about objects. */
const checkAlternates: Check = ({ gitDir }) => {
  const file = join(gitDir, 'objects', 'info', 'alternates');
  if (!existsSync(file)) return null;
  const missing = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^[#"]/.test(line))
    .find((line) => !existsSync(resolve(gitDir, 'objects', line)));
  return missing === undefined
    ? null
    : {
        problem: `It borrows objects from ${missing}, which does not exist.`,
        fix: `Bring that folder back, or correct the path in ${file}.`,
      };
};

const checkBranchExists: Check = async (repository, branch) => {
  if ((await findBranch(repository, branch, 'defaultBranch')) !== undefined) return null;
  const { stdout } = await runExaminationGit(repository.gitDir, [
    'for-each-ref',
    `--count=${MAX_NAMED}`,
    '--sort=-committerdate',
    '--format=%(refname:lstrip=2)',
    'refs/heads',
  ]);
  const knownObjects = stdout.split('\n').filter((name) => name !== '');
  if (knownObjects.length === 0)
    return {
      problem: `${repository.path} has no commit on its default branch ${branch}: it is empty.`,
      fix: `Make the first commit: git -C ${quotePosixWord(repository.path)} commit --allow-empty -m "First commit"`,
    };
  return {
    problem: `${repository.path} has no commit on its default branch ${branch}; it has ${knownObjects.join(', ')}.`,
    fix: 'Create that branch, or name another one as defaultBranch below forges.local.repos.',
  };
};

/** A partial clone only matters while objects are missing. */
const checkPartial: Check = async ({ path, gitDir }, branch) => {
  if ((await findPartial(gitDir)) === null) return null;
  let lacks = false;
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print'];
  await runExaminationGit(gitDir, [...args, `refs/heads/${branch}`, '--'], {
    onOutput: (piece) => {
      lacks ||= /^\?/m.test(piece.toString('latin1'));
    },
    maxBytes: Number.POSITIVE_INFINITY,
    answers: [128],
  });
  return lacks
    ? {
        problem: `${path} is a partial clone (git clone --filter) and is missing objects. svc does not fetch them, because git would run commands from the repository's configuration.`,
        fix: `Fetch them with your own git: git -C ${quotePosixWord(path)} fetch --refetch --no-filter`,
      }
    : null;
};

/** A clone has every branch and tag, so one that leads nowhere makes it fail. */
const checkRefs: Check = async ({ path, gitDir }) => {
  const { stdout, stderr } = await runExaminationGit(
    gitDir,
    ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'],
    { maxBytes: MAX_LIST_BYTES },
  );
  // Git cannot delete these: their content is not an object id, or their name is not a ref name.
  const [broken] = [...stderr.matchAll(/^warning: ignoring .*\bbroken.* (refs\/.+)$/gm)].map(
    ([, name = '']) => name,
  );
  if (broken !== undefined)
    return {
      problem: `${path} has a broken ref, so it cannot be cloned: ${broken}.`,
      fix: `If it is not needed, delete its file: rm ${quotePosixWord(join(gitDir, broken))}`,
    };
  const refs = stdout.split('\n').flatMap((line) => {
    const at = line.indexOf(' ');
    return at === -1 ? [] : [{ oid: line.slice(0, at), name: line.slice(at + 1) }];
  });
  const { stdout: objectList } = await runExaminationGit(gitDir, ['cat-file', '--batch-check'], {
    input: [...new Set(refs.map(({ oid }) => oid))].join('\n'),
    maxBytes: MAX_LIST_BYTES,
  });
  const missing = new Set(
    [...objectList.matchAll(/^([0-9a-f]+) missing$/gm)].map(([, oid]) => oid),
  );
  const [bad, ...more] = refs.filter(({ oid }) => missing.has(oid)).map(({ name }) => name);
  if (bad === undefined) return null;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return {
    problem: `${path} has refs without commits, so it cannot be cloned: ${bad}${others}.`,
    fix: `Fetch them from another copy, or delete what is not needed: git -C ${quotePosixWord(path)} update-ref -d ${quotePosixWord(bad)}`,
  };
};

/** Git serves a clone without what grafts cut off, which makes the clone incomplete. */
const checkGrafts: Check = ({ path, gitDir }) => {
  const file = join(gitDir, 'info', 'grafts');
  if (!existsSync(file) || !/^[0-9a-f]/m.test(readFileSync(file, 'utf8'))) return null;
  return {
    problem: `${path} has grafts (${file}), with which git cannot clone it.`,
    fix: `Make replacements of them: git -C ${quotePosixWord(path)} replace --convert-graft-file`,
  };
};

/** Serves the branch as for a clone: ownership, configuration and hidden refs all count. */
const checkServed: Check = async ({ path }, branch) => {
  const ref = `refs/heads/${branch}`;
  const { stdout } = await runGit(['ls-remote', '--', path, ref], {
    fileProtocol: true,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
  return stdout.split('\n').some((line) => line.endsWith(`\t${ref}`))
    ? null
    : {
        problem: `${path} hides its branch ${branch} from clones.`,
        fix: 'Take the branch out of transfer.hideRefs and uploadpack.hideRefs of its configuration.',
      };
};

/** Reads the header of every object of the newest commit; older ones are not looked at. */
const checkObjects: Check = async ({ path, gitDir }, branch) => {
  const { stdout, exitCode } = await runExaminationGit(
    gitDir,
    ['ls-tree', '-r', '-l', '-z', '--full-tree', `refs/heads/${branch}`],
    { encoding: 'latin1', maxBytes: MAX_LIST_BYTES, cutOutput: true, answers: [1, 128] },
  );
  const bad = splitFields(stdout).find((line) => /^\d+ blob [0-9a-f]+ +(?:-|BAD)\t/.test(line));
  return exitCode === 0 && bad === undefined
    ? null
    : {
        problem: `${path} has missing or damaged objects in the newest commit of ${branch}.`,
        fix: `See which with \`git -C ${quotePosixWord(path)} fsck\`, and fetch them from another copy: git -C ${quotePosixWord(path)} fetch --refetch`,
      };
};

const CHECKS: readonly Check[] = [
  checkRepositoryWritable,
  checkAlternates,
  checkBranchExists,
  checkGrafts,
  checkPartial,
  checkRefs,
  checkServed,
  checkObjects,
];

const isGitTimeout = (error: unknown): boolean =>
  error instanceof SvcError && error.code === 'internal' && / timed out after /.test(error.message);

/**
 * Finds what keeps jobs from using a repository on this disk; null = nothing. `defaultBranch`: null
 * = the one that HEAD names. Changes nothing.
 */
export async function examineRepository(
  path: string,
  defaultBranch: string | null,
): Promise<RepositoryProblem | null> {
  let repository: Repository;
  try {
    repository = openRepository(path);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'config-invalid') throw error;
    return {
      problem: toErrorMessage(error),
      fix: 'Correct the repository, or its path in the configuration.',
    };
  }
  const branch = defaultBranch ?? readHeadBranch(repository);
  if (branch === null)
    return {
      problem: `HEAD of ${path} is detached: name its defaultBranch in forges.local.repos of config.json.`,
      fix: `Or check out a branch: git -C ${quotePosixWord(path)} switch <branch>`,
    };
  for (const check of CHECKS) {
    try {
      const repositoryProblem = await check(repository, branch);
      if (repositoryProblem !== null) return repositoryProblem;
    } catch (error) {
      // A repository of this size is examined when it is used.
      if (isGitTimeout(error)) continue;
      if (!(error instanceof SvcError)) throw error;
      return {
        problem: `${path}: ${error.message}`,
        fix: `Check it with \`git -C ${quotePosixWord(path)} status\`.`,
      };
    }
  }
  return null;
}
