import { join } from 'node:path';
import { toLaunchdLabel, renderLaunchdPlist } from './renderLaunchdPlist.ts';
import type { runServiceProgram } from './runServiceProgram.ts';
import type { ServiceManager } from './serviceManager.ts';

/** launchd of macOS: an agent of the user, or a daemon of the system. */
export function createLaunchdManager({
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
  const fileOf = (name: string): string => join(folder, `${toLaunchdLabel({ name })}.plist`);
  const serviceOf = (name: string): string => `${domain}/${toLaunchdLabel({ name })}`;
  return {
    name: isSystem ? 'launchd' : 'launchd of this user',
    files: (plan) => [
      { path: fileOf(plan.name), content: Buffer.from(renderLaunchdPlist(plan)), mode: 0o644 },
    ],
    installs: ({ name }) => [
      ['launchctl', 'enable', serviceOf(name)],
      ['launchctl', 'bootstrap', domain, fileOf(name)],
    ],
    removes: ({ name }) => [['launchctl', 'bootout', serviceOf(name)]],
    afterwards: () => [],
    async state({ name }) {
      const { code, out } = await run('launchctl', ['print', serviceOf(name)]);
      const word = /^\s*state = (.+)$/m.exec(out)?.[1] ?? 'not loaded';
      return { enabled: code === 0, running: word === 'running', word };
    },
    advice: async () => (isSystem ? '' : 'It starts when you log in, and stops when you log out.'),
  };
}
