import { join } from 'node:path';
import type { runServiceProgram } from './runServiceProgram.ts';
import type { ServiceManager } from './serviceManager.ts';
import type { ServicePlan } from './buildServicePlan.ts';
import { renderWindowsScript, renderWindowsTask } from './renderWindowsTask.ts';

/** The Task Scheduler of Windows. `user`: as it names the user, such as `PC\\ana`. */
export function createTaskSchedulerManager({
  user,
  run,
}: {
  user: string;
  run: typeof runServiceProgram;
}): ServiceManager {
  const scriptOf = ({ home }: ServicePlan): string => join(home, 'service.cmd');
  const taskOf = ({ home }: ServicePlan): string => join(home, 'service.xml');
  return {
    name: 'Task Scheduler',
    files: (plan) => [
      {
        path: taskOf(plan),
        content: Buffer.from(`\ufeff${renderWindowsTask(plan, user, scriptOf(plan))}`, 'utf16le'),
        mode: 0o600,
      },
      { path: scriptOf(plan), content: Buffer.from(renderWindowsScript(plan)), mode: 0o700 },
    ],
    installs: (plan) => [
      ['schtasks', '/Create', '/TN', plan.name, '/XML', taskOf(plan), '/F'],
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
