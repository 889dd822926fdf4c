import type { ProgramStart } from '../../contract/session/sandbox.ts';
import type { Reach } from './computeReach.ts';

/** What a path is on this disk. */
export type PathKind = 'folder' | 'file' | null;

/** All of the machine, read-only, with devices and processes of its own. */
const SYSTEM = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

/**
 * Namespaces of their own but for the network: their own processes, and no way to signal or look at
 * others. They end with the first one.
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

/** Over a file that is hidden: nothing can be read from it. */
const NOTHING = '/dev/null';

/**
 * A program inside of bubblewrap, with the network of the machine: hosts are not restricted. It
 * stays in the process group of its starter and outlives it, as a program without a sandbox does.
 */
export function wrapInBubblewrap(
  bwrap: string,
  { program, args }: ProgramStart,
  cwd: string,
  { write, hide, show }: Omit<Reach, 'hosts'>,
  kindOf: (path: string) => PathKind,
): ProgramStart {
  const hidden = hide.flatMap((path) => {
    const kind = kindOf(path);
    if (kind === null) return [];
    return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', NOTHING, path];
  });
  return {
    program: bwrap,
    args: [
      ...SYSTEM,
      ...hidden,
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

/** Tells whether bubblewrap works here: the same namespaces around nothing. */
export const BUBBLEWRAP_TRIAL: readonly string[] = [...SYSTEM, ...APART, '--', 'true'];
