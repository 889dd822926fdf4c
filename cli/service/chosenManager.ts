import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../src/config/env.ts';
import { docsAddress } from '../../src/domain/docsAddress.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { launchd } from './launchd.ts';
import { runProgram } from './runProgram.ts';
import type { ServiceManager } from './serviceManager.ts';
import { systemd } from './systemd.ts';
import { windows } from './windows.ts';

/** The machine and the user that a service is installed for. */
export interface ServiceHost {
  platform: NodeJS.Platform;
  env: Env;
  /** Home folder of the user that the runner runs as. */
  userHome: string;
  /** Name of the user that installs it. */
  userName: string;
  uid: number;
  isSystem: boolean;
  /** Default: the machine's. */
  run?: typeof runProgram;
  /** Whether systemd keeps services here; default: looked up. */
  hasSystemd?: boolean;
}

/** How long systemctl may take to answer, ms. */
const ANSWER_MS = 5_000;

const NO_MANAGER = `This machine has no service manager that svc knows: systemd, launchd or the Task Scheduler. In a container, let svc start be its program (${docsAddress('operations/service.md')}). Elsewhere, let what starts your other programs run: svc start --no-open. --dry-run shows the unit of systemd.`;

/** systemd has booted the machine; or, as in a container that shares its bus, its systemctl answers. */
const answersHere = (isSystem: boolean): boolean =>
  existsSync('/run/systemd/system') ||
  spawnSync('systemctl', [...(isSystem ? [] : ['--user']), 'show-environment'], {
    stdio: 'ignore',
    timeout: ANSWER_MS,
  }).status === 0;

/** Throws SvcError `cannot-run` where this machine has none; not where it is only shown. */
export function chosenManager(host: ServiceHost, isShown: boolean): ServiceManager {
  const { platform, env, userHome, userName, uid, isSystem, run = runProgram } = host;
  if (platform === 'darwin') return launchd({ isSystem, userHome, uid, run });
  if (platform === 'win32') {
    if (isSystem)
      throw new SvcError(
        'bad-argument',
        'On Windows svc runs as a task of the user: omit --system.',
      );
    const domain = env.USERDOMAIN ?? '.';
    return windows({ user: `${domain}\\${userName}`, run });
  }
  const { hasSystemd } = host;
  if (!isShown && !(hasSystemd ?? answersHere(isSystem)))
    throw new SvcError('not-possible-now', NO_MANAGER);
  const configDir = env.XDG_CONFIG_HOME || join(userHome, '.config');
  return systemd({ isSystem, configDir, userName, run });
}
