import type { ProgramStart } from '../../contract/session/sandbox.ts';
import type { Reach } from './computeReach.ts';

export type PathKind = 'folder' | 'file' | null;

/** The whole machine, read-only, with its own devices and processes. */
const SYSTEM = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

/**
 * Own namespaces except for the network: own processes, and no way to see or signal others. They
 * end with the first process.
 */
const APART = [
  '--unshare-user-try',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
];

/** Mounted over a hidden file, so that it reads as empty. */
const NOTHING = '/dev/null';

/**
 * A program inside bubblewrap, with the machine's network: hosts are not restricted. It stays in
 * its starter's process group and outlives it, like a program without a sandbox.
 */
export function wrapInBubblewrap(
  bwrap: string,
  { program, args }: ProgramStart,
  cwd: string,
  { write, hide, show }: Omit<Reach, 'hosts'>,
  readKind: (path: string) => PathKind,
): ProgramStart {
  const hideOptions = hide.flatMap((path) => {
    const kind = readKind(path);
    if (kind === null) return [];
    return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', NOTHING, path];
  });
  return {
    program: bwrap,
    args: [
      ...SYSTEM,
      ...hideOptions,
      ...show.flatMap((path) => ['--ro-bind-try', path, path]),
      ...write.flatMap((path) => ['--bind', path, path]),
      ...APART,
      '--chdir',
      cwd,
      '--',
      program,
      ...args,
    ],
  };
}

/** Tests whether bubblewrap works here: the same namespaces around nothing. */
export const BUBBLEWRAP_TRIAL: readonly string[] = [...SYSTEM, ...APART, '--', 'true'];
