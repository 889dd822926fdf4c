import type { PluginView } from '../../../src/contract/schema/runner/plugin.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

export const PLUGIN_HEADER = ['ID', 'KIND', 'VERSION', 'ORIGIN', 'HEALTH', 'TITLE'];

/** Everything in it is the plugin's own word. */
export const toPluginRow = ({ id, kind, version, origin, health, title }: PluginView): string[] => [
  id,
  kind ?? '-',
  version || '-',
  origin,
  health.state,
  title,
];

/** Why plugins are unhealthy, a line each; empty where none is. */
export function formatPluginFaults(plugins: readonly PluginView[]): string {
  const lines = plugins
    .filter(({ health }) => health.state === 'unhealthy')
    .map(({ id, health }) => `  ${toPrintableLine(`${id}: ${health.detail}`)}\n`);
  return lines.length === 0 ? '' : `\nUnhealthy\n${lines.join('')}`;
}

export function formatPlugin({ id, kind, version, title, health }: PluginView): string {
  const lines = [
    ['plugin', `${id} ${version}`],
    ['kind', kind ?? 'unknown'],
    ['title', title],
    ['health', health.detail === '' ? health.state : `${health.state}: ${health.detail}`],
  ];
  return lines
    .map(([name = '', value = '']) => `${name.padEnd(8)}${toPrintableLine(value)}\n`)
    .join('');
}
