import { MARK, type ServicePlan } from './buildServicePlan.ts';
import { escapeXml } from './escapeXml.ts';

const THROTTLE_SECONDS = 5;
/** How long a stop may take before launchd kills it, s. */
const STOP_SECONDS = 60;

export const toLaunchdLabel = ({ name }: Pick<ServicePlan, 'name'>): string => `dev.${name}.runner`;

const toPlistString = (value: string): string => `<string>${escapeXml(value)}</string>`;

/** The property list of launchd: a LaunchAgent, or a LaunchDaemon where the plan names a user. */
export function renderLaunchdPlist(plan: ServicePlan): string {
  const { command, environment, logFile, systemUser, userHome, version } = plan;
  const variables = Object.entries(environment)
    .map(([name, value]) => `    <key>${escapeXml(name)}</key>${toPlistString(value)}\n`)
    .join('');
  // What is printed before the log is open, such as a mistake in the configuration.
  const output = logFile.replace(/\.log$/, '.out');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} (svc ${escapeXml(version)}). svc service uninstall removes it. -->
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
