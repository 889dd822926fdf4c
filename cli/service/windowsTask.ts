import { MARK, type ServicePlan } from './servicePlan.ts';
import { xmlText } from './xmlText.ts';

/** An argument as programs on Windows take their command line apart. */
const argument = (text: string): string =>
  /^[^\s"]+$/.test(text)
    ? text
    : `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/** A part of a line of cmd: quotes keep its signs, `%` stands for variables. */
const ofCmd = (text: string): string => text.replaceAll('%', '%%');

/**
 * The task of Windows' Task Scheduler: it begins when the user logs on, and again a minute after it
 * failed. `user`: as the scheduler names it, such as `PC\\ana`. A task has no environment of its own;
 * its variables are set in the script, see {@link windowsScript}.
 */
export function windowsTask(plan: ServicePlan, user: string, script: string): string {
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${xmlText(`${MARK} (svc ${plan.version}): the svc runner of ${plan.home}`)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${xmlText(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xmlText(user)}</UserId>
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
      <Command>${xmlText(script)}</Command>
      <WorkingDirectory>${xmlText(plan.userHome)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** What the task runs: the environment, then the runner. */
export const windowsScript = ({ environment, command, version }: ServicePlan): string =>
  [
    '@echo off',
    `rem ${MARK} (svc ${version}). svc service uninstall removes it.`,
    ...Object.entries(environment).map(([name, value]) => `set "${name}=${ofCmd(value)}"`),
    command.map(argument).map(ofCmd).join(' '),
    '',
  ].join('\r\n');
