import type { Config } from '../configSchema.ts';

/** An older block that was read as a plugin's entry. */
export interface Conversion {
  block: 'git' | 'tracker';
  plugin: string;
  /** Where each of the plugin's settings is in the file, by name. */
  from: Readonly<Record<string, readonly string[]>>;
}

/** Reads older blocks `git` and `tracker` as plugin entries, unless there are newer ones. */
export function convertLegacy(config: Config): { config: Config; conversions: Conversion[] } {
  const conversions: Conversion[] = [];
  const installed: Config['plugins']['installed'] = { ...config.plugins.installed };
  const convert = (
    block: Conversion['block'],
    plugin: string,
    values: Record<string, unknown>,
    folder: readonly string[],
  ) => {
    if (plugin === 'none' || Object.hasOwn(installed, plugin)) return;
    installed[plugin] = { enabled: true, config: { ...values } };
    conversions.push({
      block,
      plugin,
      from: Object.fromEntries(Object.keys(values).map((name) => [name, [...folder, name]])),
    });
  };
  if (config.git !== undefined) {
    const { provider, ...values } = config.git;
    convert('git', provider, values, ['git']);
  }
  if (config.tracker !== undefined) {
    const { provider } = config.tracker;
    const blocks: Record<string, unknown> = config.tracker;
    convert(
      'tracker',
      provider,
      Object(Object.hasOwn(blocks, provider) && provider !== 'provider' ? blocks[provider] : {}),
      ['tracker', provider],
    );
  }
  return { config: { ...config, plugins: { ...config.plugins, installed } }, conversions };
}
