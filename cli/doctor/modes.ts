import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findErrorCode } from '../../src/base/errors/findErrorCode.ts';
import {
  type Finding,
  toErrorFinding,
  toOkFinding,
  toSkippedFinding,
  toWarningFinding,
} from './check.ts';

/**
 * Files of the home that hold secrets or what jobs wrote; missing ones are left out.
 */
const PRIVATE_FILES = [
  'runner.token',
  'cloud-login.json',
  'config.json',
  'state.db',
  'state.db-wal',
  'state.db-manifest',
  'runner.json',
];
const PRIVATE_FOLDERS = ['work', 'blobs', 'archive', 'plugins', 'intelligence'];

interface FileMode {
  path: string;
  mode: number;
  uid: number;
  isFolder: boolean;
}

const readFileMode = async (path: string): Promise<FileMode | null> => {
  const stats = await stat(path).catch(() => null);
  return stats && { path, mode: stats.mode & 0o777, uid: stats.uid, isFolder: stats.isDirectory() };
};

/** Whether others can reach this folder: every folder on the way lets group or others through. */
async function isReachableByOthers(folder: string): Promise<boolean> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o011) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

const formatOctalMode = (mode: number): string => `0${mode.toString(8).padStart(3, '0')}`;

/** `uid`: whose they must be; null where the platform has no owners. */
export function diagnoseModes(fileModes: readonly FileMode[], uid: number | null): Finding {
  const foreign = fileModes.filter((one) => uid !== null && one.uid !== uid);
  if (foreign.length > 0) {
    const paths = foreign.map(({ path }) => path).join(' ');
    return toErrorFinding(`belongs to another user: ${paths}`, `sudo chown "$USER" ${paths}`);
  }
  const open = fileModes.filter(({ mode }) => (mode & 0o077) !== 0);
  if (open.length === 0) return toOkFinding('only you can read the home');
  const detail = `others have access: ${open.map(({ path, mode }) => `${path} (${formatOctalMode(mode)})`).join(', ')}`;
  const paths = (folders: boolean) =>
    open.filter(({ isFolder }) => isFolder === folders).map(({ path }) => path);
  const commands = [
    ...(paths(true).length > 0 ? [`chmod 700 ${paths(true).join(' ')}`] : []),
    ...(paths(false).length > 0 ? [`chmod 600 ${paths(false).join(' ')}`] : []),
  ];
  return (paths(false).length > 0 ? toErrorFinding : toWarningFinding)(detail, commands.join('; '));
}

/** Why nothing can be written to the home, as a code of the system; null = it can be written. */
async function findWriteHindrance(home: string): Promise<string | null> {
  for (let at = home; ; at = dirname(at))
    try {
      await access(at, constants.W_OK);
      return (await stat(at)).isDirectory() ? null : 'ENOTDIR';
    } catch (error) {
      const code = findErrorCode(error) ?? 'unknown';
      // What does not exist yet is made in the folder above.
      if (code !== 'ENOENT' || dirname(at) === at) return code;
    }
}

export async function checkModes(home: string): Promise<Finding> {
  const hindrance = await findWriteHindrance(home);
  if (hindrance !== null)
    return toErrorFinding(
      `${home} cannot be written (${hindrance})`,
      'Set SVC_HOME to a folder that you can write, or make this one writable.',
    );
  const names = ['', ...PRIVATE_FILES, ...PRIVATE_FOLDERS];
  const fileModes = (await Promise.all(names.map((name) => readFileMode(join(home, name))))).filter(
    (one) => one !== null,
  );
  if (fileModes.length === 0)
    return toSkippedFinding(`${home} does not exist yet; svc start creates it`);
  // In a folder closed to others, file modes expose nothing; the owner of the files still counts.
  const open = (await isReachableByOthers(home))
    ? fileModes
    : fileModes.map((one) => ({ ...one, mode: one.mode & 0o700 }));
  return diagnoseModes(open, process.getuid?.() ?? null);
}
