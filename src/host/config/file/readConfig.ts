import { findNodeAtLocation } from 'jsonc-parser';
import { inspectConfig, fillConfigDefaults, type Mistake } from '../mistakes/checkConfig.ts';
import { Config } from '../configSchema.ts';
import {
  toConfigValue,
  createInvalidConfigError,
  parseConfigText,
  type ConfigText,
} from './configText.ts';
import { findCrossKeyMistakes } from '../mistakes/findCrossKeyMistakes.ts';
import { collectSecrets } from '../secrets.ts';

/** An older block that was read as a plugin's entry. */
interface Conversion {
  block: 'git' | 'tracker';
  plugin: string;
  /** Where each of the plugin's settings is in the file, by name. */
  from: Readonly<Record<string, readonly string[]>>;
}

/** Reads older blocks `git` and `tracker` as plugin entries, unless there are newer ones. */
export function convertLegacy(config: Config): { config: Config; conversions: Conversion[] } {
  const conversions: Conversion[] = [];
  const installedPlugins: Config['plugins']['installed'] = { ...config.plugins.installed };
  const convert = (
    block: Conversion['block'],
    plugin: string,
    values: Record<string, unknown>,
    folder: readonly string[],
  ) => {
    if (plugin === 'none' || Object.hasOwn(installedPlugins, plugin)) return;
    installedPlugins[plugin] = { enabled: true, config: { ...values } };
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
  return {
    config: { ...config, plugins: { ...config.plugins, installed: installedPlugins } },
    conversions,
  };
}

export interface ReadConfig {
  text: ConfigText;
  /** What the file means: defaults filled in, older blocks converted. Holds secrets. */
  config: Config;
  conversions: readonly Conversion[];
  /** What a person should know, each with its place. */
  warnings: readonly string[];
}

function collectSectionWarnings(text: ConfigText, conversions: readonly Conversion[]): string[] {
  const place = (path: string[]): string =>
    text.formatPlace(findNodeAtLocation(text.root, path)?.parent?.offset ?? text.root.offset);
  return [
    ...conversions.map(
      ({ block, plugin }) =>
        `${place([block])} the section ${block} is the older form of plugins.installed.${plugin}; it is still read`,
    ),
  ];
}

/**
 * Every mistake of a text that is JSON, or the config that it holds. `host`: see
 * {@link findCrossKeyMistakes}.
 */
export function inspectText(
  text: ConfigText,
  host: string | undefined,
): { mistakes: Mistake[] } | ReadConfig {
  const { mistakes, warnings } = inspectConfig(text);
  if (mistakes.length > 0) return { mistakes };
  const { config, conversions } = convertLegacy(fillConfigDefaults(toConfigValue(text)));
  const crossKeyMistakes = findCrossKeyMistakes(text, config, host);
  if (crossKeyMistakes.length > 0) return { mistakes: crossKeyMistakes };
  return {
    text,
    config,
    conversions,
    warnings: [...warnings, ...collectSectionWarnings(text, conversions)],
  };
}

/**
 * Reads the text of a config file. Throws SvcError `config-invalid` with all mistakes at once, each
 * with `<file>:<line>:<column>`; no value of the file is repeated.
 */
export function readConfigFileText(
  file: string,
  raw: string,
  host: string | undefined,
): ReadConfig {
  const text = parseConfigText(file, raw);
  const read = inspectText(text, host);
  if (!('mistakes' in read)) return read;
  throw createInvalidConfigError(
    file,
    read.mistakes.map(({ offset, message }) => ({ pointer: text.formatPlace(offset), message })),
  );
}

export const collectConfigSecrets = (config: Config): string[] => collectSecrets(config, Config);
