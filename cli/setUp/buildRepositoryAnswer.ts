import { existsSync } from 'node:fs';
import { resolveUserPath } from '../../src/host/config/home/paths.ts';
import { examineRepository } from '../../src/git/examineRepository.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { resolveForgeAnswer, type ForgeAnswer } from '../../src/host/setUp/resolveForgeAnswer.ts';
import { LOCAL } from '../../src/host/setUp/forgeStep.ts';
import type { SetUpFacts } from '../../src/host/setUp/step.ts';
import type { Io } from '../io.ts';
import { dirname, join } from 'node:path';
import { openRepository } from '../../src/git/openRepository.ts';

const isRepository = (folder: string): boolean => {
  try {
    openRepository(folder);
    return true;
  } catch {
    return false;
  }
};

/**
 * The git repository that a folder is in: the folder itself where it is a bare one, else the nearest
 * one above that has `.git`, as git looks for it; null = none.
 */
function findRepositoryAround(folder: string): string | null {
  if (existsSync(join(folder, '.git')) || isRepository(folder)) return folder;
  const above = dirname(folder);
  return above === folder ? null : findRepositoryAround(above);
}

export interface GivenRepository {
  /** Folder of `--repo-dir`; null = the repository that the present folder is in, if it is in one. */
  repoDir: string | null;
  isNeeded: boolean;
}

const isSameOrWithin = (folder: string, above: string): boolean =>
  folder === above || folder.startsWith(`${above.replace(/\/$/, '')}/`);

/** The repository that the folder of the flag is in; a folder that does not exist stays as it is. */
function findNamedRepository(
  argument: string,
  { cwd, homeDir }: Pick<Io, 'cwd' | 'homeDir'>,
): string {
  const path = resolveUserPath(argument, cwd, homeDir);
  return (existsSync(path) ? findRepositoryAround(path) : null) ?? path;
}

/**
 * The repository on this disk for jobs: that of the flag, else the one around the present folder.
 * The home folder, and what is in svc's own home, count only if a flag names them. Throws SvcError
 * `bad-argument` for a folder that is not a git repository.
 */
export async function buildRepositoryAnswer(
  facts: SetUpFacts,
  { repoDir, isNeeded }: GivenRepository,
  { cwd, homeDir, fetch }: Pick<Io, 'cwd' | 'homeDir' | 'fetch'>,
): Promise<ForgeAnswer> {
  const nothing = { values: [], notes: [] };
  const around = repoDir === null ? findRepositoryAround(cwd) : null;
  const isPrivate =
    around !== null && (around === homeDir || isSameOrWithin(around, facts.settings.home));
  const folder =
    repoDir === null ? (isPrivate ? null : around) : findNamedRepository(repoDir, { cwd, homeDir });
  if (folder === null) {
    const has = Object.keys(facts.config.forges.local.repos).length > 0;
    if (isNeeded && !has)
      throw new SvcError(
        'bad-argument',
        `--scm local needs a repository, and ${cwd} is not in one. Give its folder with --repo-dir <folder>.`,
      );
    return nothing;
  }
  try {
    const values = { folder };
    const context = { facts, homeDir, cwd, fetch };
    const answer = await resolveForgeAnswer({ choice: LOCAL, values }, false, context);
    const [added] = answer.values;
    const path = typeof added?.value === 'string' ? added.value : null;
    const repositoryProblem = path === null ? null : await examineRepository(path, null);
    return {
      ...answer,
      notes:
        repositoryProblem === null
          ? []
          : [`Before the first job: ${repositoryProblem.problem} ${repositoryProblem.fix}`],
    };
  } catch (error) {
    if (repoDir !== null || !(error instanceof SvcError)) throw error;
    return { ...nothing, notes: [`This repository was left out: ${error.message}`] };
  }
}
