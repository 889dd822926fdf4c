import { FENCED_EXIT_CODE } from '../../src/base/errors/cloudExitCodes.ts';
import { MARK, type ServedProgram, type ServicePlan } from './buildServicePlan.ts';

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

interface UnitParts {
  title: string;
  uninstall: string;
  startLimit: string;
  reload: string;
  restartSeconds: number;
  /** Which failures are not started again. */
  noRestart: string;
  /** About the processes that the program starts. */
  ownProcesses: string;
}

const PARTS: Readonly<Record<ServedProgram, UnitParts>> = {
  runner: {
    title: 'runner',
    uninstall: 'svc service uninstall',
    startLimit: 'StartLimitIntervalSec=300\nStartLimitBurst=5',
    reload: 'ExecReload=/bin/kill -HUP $MAINPID\n',
    restartSeconds: 2,
    noRestart: `# Another runner of the team has its jobs: it would only end again.
RestartPreventExitStatus=${FENCED_EXIT_CODE}
`,
    ownProcesses: `# The runner ends its sessions itself; what is left after that goes with it.
KillMode=mixed
# Each session gets a cgroup of its own.
Delegate=yes
# A session that needs too much memory does not take the runner with it.
OOMPolicy=continue
`,
  },
  cloud: {
    title: 'control plane',
    uninstall: 'svc service uninstall --cloud',
    // A database on another machine may need longer to start than this one.
    startLimit: 'StartLimitIntervalSec=0',
    reload: '',
    restartSeconds: 10,
    noRestart: '',
    ownProcesses: `# The control plane stops the PostgreSQL that it has started itself.
KillMode=mixed
`,
  },
};

/**
 * The unit of systemd: of the user's own manager, or of the system's where the plan names a user.
 * Exit code 0 means "stopped on purpose": only a failure is started again.
 */
export function renderSystemdUnit(plan: ServicePlan): string {
  const { command, environment, environmentFile, home, serves, userHome, systemUser, version } =
    plan;
  const isSystem = systemUser !== null;
  const { title, uninstall, startLimit, reload, restartSeconds, noRestart, ownProcesses } =
    PARTS[serves];
  return `# ${MARK} (svc ${version}). ${uninstall} removes it.
[Unit]
Description=${`svc ${title} of ${home}`.replaceAll('%', '%%')}
${isSystem ? 'Wants=network-online.target\nAfter=network-online.target postgresql.service\n' : ''}${startLimit}

[Service]
Type=exec
${isSystem ? `User=${systemUser}\n` : ''}ExecStart=${command.map(quoteUnitArgument).join(' ')}
${reload}${Object.entries(environment)
  .map(([name, value]) => `Environment=${quoteUnitValue(`${name}=${value}`)}\n`)
  .join('')}EnvironmentFile=-${escapeUnitPath(environmentFile)}
WorkingDirectory=${escapeUnitPath(userHome)}
UMask=0077
Restart=on-failure
${noRestart}RestartSec=${restartSeconds}
${ownProcesses}TimeoutStopSec=${STOP_SECONDS}

[Install]
WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}
`;
}
