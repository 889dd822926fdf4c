import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findProgramOnPath } from '../process/findProgramOnPath.ts';
import { BUBBLEWRAP_TRIAL } from './wrapInBubblewrap.ts';
import { tryPrefix } from './tryPrefix.ts';
import { findRuntime, INSTALL_RUNTIME, RUNTIME_PACKAGE, RUNTIME_VERSION } from './findRuntime.ts';

const TRY_MS = 5_000;

export interface PartState {
  part: 'bubblewrap' | 'namespaces' | 'socat' | 'ripgrep' | 'runtime' | 'seatbelt' | 'command';
  ok: boolean;
  /** What was found or is missing, as a clause without a full stop. */
  detail: string;
  /** The command that fixes it; null = nothing to fix. */
  fix: string | null;
}

export type TriedProgram = { ok: true } | { ok: false; said: string };

/** Runs a program to its end, with only PATH of the runner's environment. Never rejects. */
export const tryProgram = (
  file: string,
  args: readonly string[],
  path: string | undefined,
  timeout: number = TRY_MS,
): Promise<TriedProgram> =>
  new Promise((resolve) => {
    const env = path === undefined ? {} : { PATH: path };
    execFile(file, [...args], { env, timeout }, (error, _, stderr) => {
      const lastLine = stderr.trim().split('\n').at(-1) || error?.message || '';
      resolve(error === null ? { ok: true } : { ok: false, said: lastLine });
    });
  });

const toWorkingPart = (part: PartState['part'], detail: string): PartState => ({
  part,
  ok: true,
  detail,
  fix: null,
});
const toLackingPart = (part: PartState['part'], detail: string, fix: string | null): PartState => ({
  part,
  ok: false,
  detail,
  fix,
});

const readKernelNumber = (file: string): number | null => {
  try {
    return Number(readFileSync(file, 'utf8').trim());
  } catch {
    return null;
  }
};

/** The kernel's settings for namespaces of ordinary users; null where one is missing. */
export interface KernelSettings {
  appArmorRestricts: number | null;
  unprivilegedClone: number | null;
  maxNamespaces: number | null;
}

const readKernelSettings = (): KernelSettings => ({
  appArmorRestricts: readKernelNumber('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
  unprivilegedClone: readKernelNumber('/proc/sys/kernel/unprivileged_userns_clone'),
  maxNamespaces: readKernelNumber('/proc/sys/user/max_user_namespaces'),
});

/** Why the kernel refuses namespaces, and the command that allows them. */
export function explainNamespaceRefusal(
  message: string,
  { appArmorRestricts, unprivilegedClone, maxNamespaces }: KernelSettings,
): Pick<PartState, 'detail' | 'fix'> {
  if (unprivilegedClone === 0)
    return {
      detail: 'the kernel refuses user namespaces (kernel.unprivileged_userns_clone is 0)',
      fix: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
    };
  if (maxNamespaces === 0)
    return {
      detail: 'the kernel allows no user namespaces (user.max_user_namespaces is 0)',
      fix: 'sudo sysctl -w user.max_user_namespaces=15000',
    };
  if (appArmorRestricts === 1)
    return {
      detail: 'AppArmor keeps bubblewrap from making user namespaces',
      fix: `printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\\n  userns,\\n}\\n' | sudo tee /etc/apparmor.d/bwrap && sudo systemctl reload apparmor`,
    };
  return {
    detail: `bubblewrap cannot make its namespaces: ${message}`,
    fix: 'In a container, allow user namespaces: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined …',
  };
}

async function checkLinuxBubblewrap(path: string | undefined): Promise<PartState[]> {
  const bwrap = findProgramOnPath('bwrap', path);
  if (bwrap === null)
    return [
      toLackingPart('bubblewrap', 'bubblewrap is not installed', 'sudo apt-get install bubblewrap'),
    ];
  const triedProgram = await tryProgram(bwrap, BUBBLEWRAP_TRIAL, path);
  const partState = toWorkingPart('bubblewrap', bwrap);
  if (triedProgram.ok) return [partState, toWorkingPart('namespaces', 'user namespaces work')];
  const { detail, fix } = explainNamespaceRefusal(triedProgram.said, readKernelSettings());
  return [partState, toLackingPart('namespaces', detail, fix)];
}

async function checkHelperProgram(
  part: 'socat' | 'ripgrep',
  name: string,
  version: string,
  path: string | undefined,
): Promise<PartState> {
  const fix = `sudo apt-get install ${part}`;
  const program = findProgramOnPath(name, path);
  if (program === null) return toLackingPart(part, `${part} is not installed`, fix);
  // A program without one of its libraries exists but does not run.
  const triedProgram = await tryProgram(program, [version], path);
  return triedProgram.ok
    ? toWorkingPart(part, program)
    : toLackingPart(part, `${program} does not start: ${triedProgram.said}`, `${fix} --reinstall`);
}

function checkSandboxRuntime(): PartState {
  const runtime = findRuntime();
  if (runtime === null)
    return toLackingPart(
      'runtime',
      `${RUNTIME_PACKAGE} is not installed beside svc`,
      INSTALL_RUNTIME,
    );
  return runtime.version === RUNTIME_VERSION
    ? toWorkingPart('runtime', `${RUNTIME_PACKAGE} ${runtime.version}`)
    : toLackingPart(
        'runtime',
        `${RUNTIME_PACKAGE} ${runtime.version} is installed, svc is tried with ${RUNTIME_VERSION}`,
        INSTALL_RUNTIME,
      );
}

export async function checkBubblewrapParts(
  platform: NodeJS.Platform,
  path: string | undefined,
): Promise<PartState[]> {
  if (platform === 'linux') return checkLinuxBubblewrap(path);
  return [toLackingPart('bubblewrap', 'bubblewrap is for Linux', null)];
}

export async function checkRuntimeParts(
  platform: NodeJS.Platform,
  path: string | undefined,
): Promise<PartState[]> {
  if (platform === 'darwin') {
    const seatbelt = findProgramOnPath('sandbox-exec', path);
    return [
      seatbelt === null
        ? toLackingPart('seatbelt', 'sandbox-exec, a part of macOS, is not there', null)
        : toWorkingPart('seatbelt', seatbelt),
      checkSandboxRuntime(),
    ];
  }
  if (platform !== 'linux')
    return [toLackingPart('runtime', `svc has no sandbox on ${platform}; use WSL`, null)];
  const [bubblewrap, socat, ripgrep] = await Promise.all([
    checkLinuxBubblewrap(path),
    checkHelperProgram('socat', 'socat', '-V', path),
    checkHelperProgram('ripgrep', 'rg', '--version', path),
  ]);
  return [...bubblewrap, socat, ripgrep, checkSandboxRuntime()];
}

export async function checkCommandPart(
  command: readonly string[],
  { path, home }: { path: string | undefined; home: string },
): Promise<PartState> {
  const [program] = command;
  if (program === undefined)
    return toLackingPart(
      'command',
      'runner.sandboxCommand is empty',
      'svc config set runner.sandboxCommand \'["firejail", "--quiet"]\'',
    );
  if (findProgramOnPath(program, path) === null)
    return toLackingPart('command', `${program} was not found`, 'Check runner.sandboxCommand.');
  const problem = await tryPrefix(command, { path, home });
  return problem === null
    ? toWorkingPart('command', program)
    : toLackingPart(
        'command',
        `runner.sandboxCommand cannot be used: ${problem}`,
        'Check runner.sandboxCommand: it must run the command that follows it.',
      );
}
