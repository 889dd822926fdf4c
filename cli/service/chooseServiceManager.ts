import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../src/host/config/home/env.ts';
import { toDocsAddress } from '../../src/base/http/toDocsAddress.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { runServiceProgram } from './runServiceProgram.ts';
import type { ServiceManager } from './serviceManager.ts';
import { createSystemdManager } from './createSystemdManager.ts';
import { MARK, type ServicePlan } from './buildServicePlan.ts';
import { renderWindowsScript, renderWindowsTask, escapeXml } from './renderWindowsTask.ts';

const THROTTLE_SECONDS = 5;
/** How long a stop may take before launchd kills it, s. */
const STOP_SECONDS = 60;

const toLaunchdLabel = ({ name, serves }: Pick<ServicePlan, 'name' | 'serves'>): string =>
  `dev.${name}.${serves === 'runner' ? 'runner' : 'control-plane'}`;

const toPlistString = (value: string): string => `<string>${escapeXml(value)}</string>`;

/** The property list of launchd: a LaunchAgent, or a LaunchDaemon where the plan names a user. */
export function renderLaunchdPlist(plan: ServicePlan): string {
  const { command, environment, logFile, serves, systemUser, userHome, version } = plan;
  const variables = Object.entries(environment)
    .map(([name, value]) => `    <key>${escapeXml(name)}</key>${toPlistString(value)}\n`)
    .join('');
  // What is printed before the log is open, such as a mistake in the configuration.
  const output = logFile.replace(/\.log$/, '.out');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} (svc ${escapeXml(version)}). svc service uninstall${serves === 'cloud' ? ', with the flag for the control plane,' : ''} removes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${toPlistString(toLaunchdLabel(plan))}
  <key>ProgramArguments</key>
  <array>
${command.map((part) => `    ${toPlistString(part)}\n`).join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables}  </dict>
${systemUser === null ? '' : `  <key>UserName</key>${toPlistString(systemUser)}\n`}  <key>WorkingDirectory</key>${toPlistString(userHome)}
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key><false/>
  </dict>
  <key>ThrottleInterval</key><integer>${THROTTLE_SECONDS}</integer>
  <key>ExitTimeOut</key><integer>${STOP_SECONDS}</integer>
  <key>ProcessType</key><string>Interactive</string>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key>${toPlistString(output)}
  <key>StandardErrorPath</key>${toPlistString(output)}
</dict>
</plist>
`;
}

/** The Task Scheduler of Windows. `user`: as it names the user, such as `PC\\ana`. */
function createTaskSchedulerManager({
  user,
  run,
}: {
  user: string;
  run: typeof runServiceProgram;
}): ServiceManager {
  const toScriptPath = ({ home }: ServicePlan): string => join(home, 'service.cmd');
  const toTaskPath = ({ home }: ServicePlan): string => join(home, 'service.xml');
  return {
    name: 'Task Scheduler',
    files: (plan) => [
      {
        path: toTaskPath(plan),
        content: Buffer.from(
          `\ufeff${renderWindowsTask(plan, user, toScriptPath(plan))}`,
          'utf16le',
        ),
        mode: 0o600,
      },
      { path: toScriptPath(plan), content: Buffer.from(renderWindowsScript(plan)), mode: 0o700 },
    ],
    installs: (plan) => [
      ['schtasks', '/Create', '/TN', plan.name, '/XML', toTaskPath(plan), '/F'],
      ['schtasks', '/Run', '/TN', plan.name],
    ],
    removes: ({ name }) => [
      ['schtasks', '/End', '/TN', name],
      ['schtasks', '/Delete', '/TN', name, '/F'],
    ],
    afterwards: () => [],
    async state({ name }) {
      const { code, out } = await run('schtasks', ['/Query', '/TN', name, '/FO', 'CSV', '/NH']);
      const word = out.trim().split('","').at(-1)?.replaceAll('"', '') ?? '';
      return { enabled: code === 0, running: word === 'Running', word: word || 'not installed' };
    },
    advice: async () => 'It starts when you log on, and stops when you log off.',
  };
}

/** launchd of macOS: an agent of the user, or a daemon of the system. */
function createLaunchdManager({
  isSystem,
  userHome,
  uid,
  run,
}: {
  isSystem: boolean;
  userHome: string;
  uid: number;
  run: typeof runServiceProgram;
}): ServiceManager {
  const domain = isSystem ? 'system' : `gui/${uid}`;
  const folder = isSystem ? '/Library/LaunchDaemons' : join(userHome, 'Library', 'LaunchAgents');
  const toPlistPath = (plan: ServicePlan): string => join(folder, `${toLaunchdLabel(plan)}.plist`);
  const toServiceTarget = (plan: ServicePlan): string => `${domain}/${toLaunchdLabel(plan)}`;
  return {
    name: isSystem ? 'launchd' : 'launchd of this user',
    files: (plan) => [
      { path: toPlistPath(plan), content: Buffer.from(renderLaunchdPlist(plan)), mode: 0o644 },
    ],
    installs: (plan) => [
      ['launchctl', 'enable', toServiceTarget(plan)],
      ['launchctl', 'bootstrap', domain, toPlistPath(plan)],
    ],
    removes: (plan) => [['launchctl', 'bootout', toServiceTarget(plan)]],
    afterwards: () => [],
    async state(plan) {
      const { code, out } = await run('launchctl', ['print', toServiceTarget(plan)]);
      const word = /^\s*state = (.+)$/m.exec(out)?.[1] ?? 'not loaded';
      return { enabled: code === 0, running: word === 'running', word };
    },
    advice: async () => (isSystem ? '' : 'It starts when you log in, and stops when you log out.'),
  };
}

export interface ServiceHost {
  platform: NodeJS.Platform;
  env: Env;
  userHome: string;
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

const NO_MANAGER = `This machine has no service manager that svc knows: systemd, launchd or the Task Scheduler. In a container, make svc start the main process (${toDocsAddress('operations/service.md')}). Elsewhere, have your process manager run: svc start --no-open. --dry-run shows the systemd unit.`;

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
