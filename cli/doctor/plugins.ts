import type { PluginView } from '../../src/schema/plugin.ts';
import { type Finding, failed, ok, warning } from './check.ts';

export function judgePlugins(plugins: readonly PluginView[]): Finding {
  const sick = plugins.filter(({ health }) => health.state === 'unhealthy');
  if (sick.length > 0) {
    return failed(
      sick.map(({ id, health }) => `${id}: ${health.detail}`).join('; '),
      `Fix what it reports, then run: ${sick.map(({ id }) => `svc plugin healthcheck ${id}`).join('; ')}`,
    );
  }
  if (!plugins.some(({ kind, health }) => kind === 'executor' && health.state !== 'disabled'))
    return warning('no executor is installed: no session can run', 'svc plugin install <name>');
  return ok(plugins.map(({ id, health }) => `${id} ${health.state}`).join(', '));
}
