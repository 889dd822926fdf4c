import { join } from 'node:path';
import type { runServiceProgram } from './runServiceProgram.ts';
import type { ServiceManager } from './serviceManager.ts';
import { renderSystemdUnit } from './renderSystemdUnit.ts';

/** systemd: the user's own manager, or the system's. `configDir`: that of the user (XDG). */
export function createSystemdManager({
  isSystem,
  configDir,
  userName,
  run,
}: {
  isSystem: boolean;
  configDir: string;
  userName: string;
  run: typeof runServiceProgram;
}): ServiceManager {
  const scope = isSystem ? [] : ['--user'];
  const folder = isSystem ? '/etc/systemd/system' : join(configDir, 'systemd', 'user');
  const toUnitName = (name: string): string => `${name}.service`;
  const reload = ['systemctl', ...scope, 'daemon-reload'];
  return {
    name: isSystem ? 'systemd' : 'systemd of this user',
    files: (plan) => [
      {
        path: join(folder, toUnitName(plan.name)),
        content: Buffer.from(renderSystemdUnit(plan)),
        mode: isSystem ? 0o644 : 0o600,
      },
    ],
    installs: ({ name }) => [reload, ['systemctl', ...scope, 'enable', '--now', toUnitName(name)]],
    removes: ({ name }) => [['systemctl', ...scope, 'disable', '--now', toUnitName(name)]],
    afterwards: () => [reload],
    async state({ name }) {
      const ask = (question: string) => run('systemctl', [...scope, question, toUnitName(name)]);
      const [active, enabled] = await Promise.all([ask('is-active'), ask('is-enabled')]);
      return {
        enabled: enabled.code === 0,
        running: active.code === 0,
        word: active.out.trim() || active.err.trim().split('\n', 1)[0] || 'unknown',
      };
    },
    async advice() {
      if (isSystem) return '';
      const { code, out } = await run('loginctl', ['show-user', userName, '-p', 'Linger']);
      return code === 0 && out.trim() === 'Linger=yes'
        ? ''
        : `It starts when ${userName} logs in, and stops at the last logout. To keep it running from boot on: sudo loginctl enable-linger ${userName}`;
    },
  };
}
