import { Flags } from '@oclif/core';
import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { chooseServiceManager } from '../service/chooseServiceManager.ts';
import type { ServiceManager } from '../service/serviceManager.ts';
import { type ServicePlan, buildServicePlan } from '../service/buildServicePlan.ts';
import { LocalCommand } from './localCommand.ts';

export interface ServiceFlags {
  system: boolean;
  as: string | undefined;
  cloud: boolean;
}

export interface HomeService {
  manager: ServiceManager;
  plan: ServicePlan;
  /** Variables that were left out of it, because they hold a secret. */
  left: string[];
}

/** Home folder of a user of the machine. Throws SvcError `not-found`. */
function findUserHome(name: string): string {
  try {
    const line = execFileSync('getent', ['passwd', name], { encoding: 'utf8', stdio: 'pipe' });
    const home = line.split(':')[5];
    if (home !== undefined && home !== '') return home;
  } catch {
    // Not in the list, or the program is missing: macOS keeps its users elsewhere.
  }
  if (process.platform === 'darwin') return join('/Users', name);
  throw new SvcError('not-found', `No user of this machine is called ${name}.`);
}

export abstract class ServiceCommand extends LocalCommand {
  static override baseFlags = {
    ...LocalCommand.baseFlags,
    system: Flags.boolean({
      description:
        'Install a system service that starts at boot; needs root. Default: a service of this user.',
    }),
    as: Flags.string({
      description:
        'With --system: the user that the runner and its agents run as. Default: the user who called sudo.',
      helpValue: '<user>',
    }),
    cloud: Flags.boolean({
      description: 'The control plane of this home instead of its runner.',
    }),
  };

  /**
   * `isShown`: nothing is changed, so the machine need not have a service manager. `more`: flags of the control
   * plane.
   */
  protected service(
    { system, as, cloud }: ServiceFlags,
    isShown = false,
    more: readonly string[] = [],
  ): HomeService {
    const { env, homeDir } = this.io;
    const me = userInfo();
    if (as !== undefined && !system)
      throw new SvcError('bad-argument', '--as belongs to --system. Add it, or omit --as.');
    if (system && me.uid !== 0 && !isShown)
      throw new SvcError(
        'forbidden',
        'A service of the machine needs root. Use sudo, or omit --system.',
      );
    const systemUser = system ? (as ?? env.SUDO_USER ?? (me.uid === 0 ? null : me.username)) : null;
    if (system && systemUser === null)
      throw new SvcError(
        'bad-argument',
        `${cloud ? 'The control plane' : 'Agents'} would run as root. Name the user that ${cloud ? 'it runs' : 'they run'} as with --as <user>; --as root if you mean it.`,
      );
    const isMe = systemUser === null || systemUser === me.username;
    const userHome = isMe ? homeDir : findUserHome(systemUser);
    const home = resolveHomeFolder(env.SVC_HOME || null, userHome);
    if (cloud && process.platform === 'win32')
      throw new SvcError(
        'bad-argument',
        'On Windows svc installs no service of the control plane. Run svc cloud start on Linux or macOS.',
      );
    const { plan, left } = buildServicePlan({
      more: cloud ? more : null,
      node: process.execPath,
      script: join(findPackageRoot(import.meta.url), 'cli', 'bin', 'run.js'),
      version: this.config.version,
      home,
      userHome,
      systemUser,
      env,
    });
    const manager = chooseServiceManager(
      {
        platform: process.platform,
        env,
        userHome,
        userName: systemUser ?? me.username,
        uid: me.uid,
        isSystem: system,
      },
      isShown,
    );
    return { manager, plan, left };
  }
}
