import { findNodeAtLocation } from 'jsonc-parser';
import { inspectConfig, type Mistake, fillConfigDefaults } from '../mistakes/checkConfig.ts';
import { Config } from '../configSchema.ts';
import {
  type ConfigText,
  toConfigValue,
  createInvalidConfigError,
  parseConfigText,
} from './configText.ts';
import { findCrossKeyMistakes } from '../mistakes/findCrossKeyMistakes.ts';
import { type Conversion, convertLegacy } from './convertLegacy.ts';
import { collectSecrets } from '../secrets.ts';

export interface ReadConfig {
  text: ConfigText;
  /** What the file means: defaults filled in, older blocks converted. Holds secrets. */
  config: Config;
  conversions: readonly Conversion[];
  /** What a person should know, each with its place. */
  warnings: readonly string[];
}

/** Sections that are read and kept, and that nothing acts on in this version. */
export const NOT_USED_YET: readonly string[] = ['cloud'];

function collectSectionWarnings(text: ConfigText, conversions: readonly Conversion[]): string[] {
  const place = (path: string[]): string =>
    text.at(findNodeAtLocation(text.root, path)?.parent?.offset ?? text.root.offset);
  return [
    ...conversions.map(
      ({ block, plugin }) =>
        `${place([block])} the section ${block} is the older form of plugins.installed.${plugin}; it is still read`,
    ),
    ...NOT_USED_YET.filter((name) => findNodeAtLocation(text.root, [name]) !== undefined).map(
      (name) =>
        `${place([name])} the section ${name} is kept, but this version of svc does not act on it yet`,
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
  const crossed = findCrossKeyMistakes(text, config, host);
  if (crossed.length > 0) return { mistakes: crossed };
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
    read.mistakes.map(({ offset, message }) => ({ pointer: text.at(offset), message })),
  );
}

export const collectConfigSecrets = (config: Config): string[] => collectSecrets(config, Config);
