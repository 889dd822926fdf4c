import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../src/host/config/home/env.ts';
import { toDocsAddress } from '../../src/shared/http/toDocsAddress.ts';
import { SvcError } from '../../src/shared/errors/errors.ts';
import { createLaunchdManager } from './createLaunchdManager.ts';
import { runServiceProgram } from './runServiceProgram.ts';
import type { ServiceManager } from './serviceManager.ts';
import { createSystemdManager } from './createSystemdManager.ts';
import { createTaskSchedulerManager } from './createTaskSchedulerManager.ts';

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
  run?: typeof runServiceProgram;
  /** Whether systemd keeps services here; default: looked up. */
  hasSystemd?: boolean;
}

/** How long systemctl may take to answer, ms. */
const ANSWER_MS = 5_000;

const NO_MANAGER = `This machine has no service manager that svc knows: systemd, launchd or the Task Scheduler. In a container, let svc start be its program (${toDocsAddress('operations/service.md')}). Elsewhere, let what starts your other programs run: svc start --no-open. --dry-run shows the unit of systemd.`;

/** systemd has booted the machine; or, as in a container that shares its bus, its systemctl answers. */
const isSystemdUsable = (isSystem: boolean): boolean =>
  existsSync('/run/systemd/system') ||
  spawnSync('systemctl', [...(isSystem ? [] : ['--user']), 'show-environment'], {
    stdio: 'ignore',
    timeout: ANSWER_MS,
  }).status === 0;

/** Throws SvcError `cannot-run` where this machine has none; not where it is only shown. */
export function chooseServiceManager(host: ServiceHost, isShown: boolean): ServiceManager {
  const { platform, env, userHome, userName, uid, isSystem, run = runServiceProgram } = host;
  if (platform === 'darwin') return createLaunchdManager({ isSystem, userHome, uid, run });
  if (platform === 'win32') {
    if (isSystem)
      throw new SvcError(
        'bad-argument',
        'On Windows svc runs as a task of the user: omit --system.',
      );
    const domain = env.USERDOMAIN ?? '.';
    return createTaskSchedulerManager({ user: `${domain}\\${userName}`, run });
  }
  const { hasSystemd } = host;
  if (!isShown && !(hasSystemd ?? isSystemdUsable(isSystem)))
    throw new SvcError('not-possible-now', NO_MANAGER);
  const configDir = env.XDG_CONFIG_HOME || join(userHome, '.config');
  return createSystemdManager({ isSystem, configDir, userName, run });
}
