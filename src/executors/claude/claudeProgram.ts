import { SvcError } from '../../base/errors/errors.ts';
import { findProgramOnPath } from '../process/findProgramOnPath.ts';
import { findProgramVersion } from '../process/findProgramVersion.ts';
import { createProgramSdk } from './createProgramSdk.ts';
import { INSTALL, isSdkInstalled, loadSdk, readSdkVersion, type LoadedSdk } from './sdk.ts';

/** Oldest version of the program that svc drives without the SDK; the tests begin with it. */
const OLDEST_PROGRAM = [2, 1, 329] as const;

/** Which part of Claude Code sessions use. */
export type ClaudePart =
  | { kind: 'sdk'; dir: string | null }
  | { kind: 'program'; path: string }
  | { kind: 'none' };

/**
 * What the settings name; if they name nothing, the SDK beside svc, else `claude` on the PATH. A
 * named part that is missing is not replaced by another one.
 */
export function findClaudePart(claudePath: string | null, sdkDir: string | null): ClaudePart {
  if (claudePath === null && isSdkInstalled(sdkDir)) return { kind: 'sdk', dir: sdkDir };
  if (claudePath === null && sdkDir !== null) return { kind: 'none' };
  const path = findProgramOnPath(claudePath ?? 'claude');
  return path === null ? { kind: 'none' } : { kind: 'program', path };
}

function isTooOld(version: string): boolean {
  const numbers = version.split('.').map(Number);
  const at = OLDEST_PROGRAM.findIndex((oldest, index) => oldest !== numbers[index]);
  return at !== -1 && (numbers[at] ?? 0) < (OLDEST_PROGRAM[at] ?? 0);
}

/** Throws SvcError `not-possible-now` for an old program, or where nothing is installed. */
export async function loadClaudePart(part: ClaudePart): Promise<LoadedSdk> {
  if (part.kind === 'sdk') return loadSdk(part.dir);
  if (part.kind === 'none') throw new SvcError('not-possible-now', INSTALL);
  const version = await findProgramVersion(part.path);
  if (version !== null && isTooOld(version))
    throw new SvcError(
      'not-possible-now',
      `${part.path} is Claude Code ${version}. svc needs ${OLDEST_PROGRAM.join('.')} or later. Run: claude update`,
    );
  return { sdk: createProgramSdk(part.path), version };
}

/** The part, its version and its place, for people. */
export async function describeClaudePart(part: ClaudePart): Promise<string> {
  if (part.kind === 'none') return NOTHING_INSTALLED;
  const [name, version, place] =
    part.kind === 'sdk'
      ? [
          'Claude Agent SDK',
          await readSdkVersion(part.dir),
          part.dir === null ? 'beside svc' : `in ${part.dir}`,
        ]
      : ['Claude Code', await findProgramVersion(part.path), part.path];
  return [name, version, place].filter((one) => one !== null).join(' ');
}

export const NOTHING_INSTALLED = 'neither Claude Code nor the Claude Agent SDK is installed';
