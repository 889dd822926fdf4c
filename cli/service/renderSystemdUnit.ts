import { MARK, type ServicePlan } from './buildServicePlan.ts';

/** How long a stop may take before systemd kills what is left, s: sessions have a grace. */
const STOP_SECONDS = 60;

/** In quotes; `%` stands for specifiers everywhere. */
const quoteUnitValue = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** In a command line, `$` stands for variables too. */
const quoteUnitArgument = (text: string): string => quoteUnitValue(text).replaceAll('$', '$$$$');

/** A path that is a whole value: not in quotes. */
const escapeUnitPath = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('%', '%%');

/**
 * The unit of systemd: of the user's own manager, or of the system's where the plan names a user.
 * Exit code 0 means "stopped on purpose": only a failure is started again.
 */
export function renderSystemdUnit(plan: ServicePlan): string {
  const { command, environment, environmentFile, home, userHome, systemUser, version } = plan;
  const isSystem = systemUser !== null;
  return `# ${MARK} (svc ${version}). svc service uninstall removes it.
[Unit]
Description=${`svc runner of ${home}`.replaceAll('%', '%%')}
${isSystem ? 'Wants=network-online.target\nAfter=network-online.target\n' : ''}StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
${isSystem ? `User=${systemUser}\n` : ''}ExecStart=${command.map(quoteUnitArgument).join(' ')}
ExecReload=/bin/kill -HUP $MAINPID
${Object.entries(environment)
  .map(([name, value]) => `Environment=${quoteUnitValue(`${name}=${value}`)}\n`)
  .join('')}EnvironmentFile=-${escapeUnitPath(environmentFile)}
WorkingDirectory=${escapeUnitPath(userHome)}
UMask=0077
Restart=on-failure
RestartSec=2
# The runner ends its sessions itself; what is left after that goes with it.
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}
# Each session gets a cgroup of its own.
Delegate=yes
# A session that needs too much memory does not take the runner with it.
OOMPolicy=continue

[Install]
WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}
`;
}
