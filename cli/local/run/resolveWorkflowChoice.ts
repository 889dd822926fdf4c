import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { resolveUserPath } from '../../../src/host/config/home/paths.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';

export interface WorkflowChoice {
  path: string;
  /** Folder that is the team layer of this run; null = the flag names no file. */
  layer: string | null;
}

const FOLDER = 'workflows';

/** The folder around `workflows/`; null = the file is in none. */
function findLayerFolder(file: string): string | null {
  for (let at = dirname(file); at !== dirname(at); at = dirname(at))
    if (basename(at) === FOLDER) return dirname(at);
  return null;
}

/**
 * What `--workflow` names: a file (`./ci/workflows/fix.md`, whose layer is `./ci`), a path in the
 * overlay (`workflows/job.md`) or a name (`job`). Throws SvcError `bad-argument`.
 */
export async function resolveWorkflowChoice(
  argument: string,
  { cwd, homeDir }: { cwd: string; homeDir: string },
): Promise<WorkflowChoice> {
  if (!/^(\.|\/|~)/.test(argument)) {
    const isPath = argument.includes('/') || argument.endsWith('.md');
    return { path: isPath ? argument : `${FOLDER}/${argument}.md`, layer: null };
  }
  const file = resolve(resolveUserPath(argument, cwd, homeDir));
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFile()) throw new SvcError('bad-argument', `--workflow: ${file} is not a file.`);
  const layer = findLayerFolder(file);
  if (layer === null)
    throw new SvcError(
      'bad-argument',
      `--workflow: ${file} is in no folder ${FOLDER}/. Put it into one; agents/ and memory/ beside that folder are used as well.`,
    );
  return { path: relative(layer, file).split(sep).join('/'), layer };
}
