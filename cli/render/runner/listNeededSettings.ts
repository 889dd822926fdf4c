import type { PluginSetting, PluginView } from '../../../src/contract/schema/runner/plugin.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** The settings that a plugin requires and that have neither a value nor a default. */
export const listNeededSettings = (
  { settings }: Pick<PluginView, 'settings'>,
  given: Readonly<Record<string, unknown>>,
): [name: string, setting: PluginSetting][] =>
  Object.entries(settings).filter(
    ([name, { required, default: value }]) =>
      required === true && value === undefined && !Object.hasOwn(given, name),
  );

export function formatSettingCommands(
  id: string,
  needed: readonly (readonly [name: string, setting: PluginSetting])[],
): string {
  const lines = needed.map(([name, { secret, type, description }]) => {
    const value = secret ? '- < file' : `<${type}>`;
    return [`svc config set plugins.installed.${id}.config.${name} ${value}`, description] as const;
  });
  const width = Math.max(0, ...lines.map(([command]) => command.length));
  return lines
    .map(([command, description]) => toPrintableLine(`  ${command.padEnd(width)}  ${description}`))
    .map((line) => `${line}\n`)
    .join('');
}
