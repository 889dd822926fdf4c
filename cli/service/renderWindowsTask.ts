import { FENCED_EXIT_CODE } from '../../src/base/errors/cloudExitCodes.ts';
import { MARK, type ServicePlan } from './buildServicePlan.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** An argument as programs on Windows take their command line apart. */
const quoteWindowsArgument = (text: string): string =>
  /^[^\s"]+$/.test(text)
    ? text
    : `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/** A part of a line of cmd: quotes keep its signs, `%` stands for variables. */
const escapeCmdPercent = (text: string): string => text.replaceAll('%', '%%');

/**
 * The task of Windows' Task Scheduler: it begins when the user logs on, and again a minute after it
 * failed. `user`: as the scheduler names it, such as `PC\\ana`. A task has no environment of its own;
 * its variables are set in the script, see {@link renderWindowsScript}.
 */
export function renderWindowsTask(plan: ServicePlan, user: string, script: string): string {
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(`${MARK} (svc ${plan.version}): the svc runner of ${plan.home}`)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(script)}</Command>
      <WorkingDirectory>${escapeXml(plan.userHome)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

export const renderWindowsScript = ({ environment, command, version }: ServicePlan): string =>
  [
    '@echo off',
    `rem ${MARK} (svc ${version}). svc service uninstall removes it.`,
    ...Object.entries(environment).map(
      ([name, value]) => `set "${name}=${escapeCmdPercent(value)}"`,
    ),
    command.map(quoteWindowsArgument).map(escapeCmdPercent).join(' '),
    // The scheduler restarts the task after a failure. This exit code is not a failure.
    `if %ERRORLEVEL%==${FENCED_EXIT_CODE} exit /b 0`,
    '',
  ].join('\r\n');
