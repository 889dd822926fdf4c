import { SvcError } from '../base/errors/errors.ts';
import { findClosestName } from '../base/text/findClosestName.ts';
import type {
  PluginManifest,
  PluginSetting,
  SettingMistake,
} from '../contract/schema/runner/plugin.ts';
import type { PluginContext } from '../contract/runner/plugin.ts';

type Value = PluginContext['config'][string];

function describeSettingFault(
  { type, enum: choices }: PluginSetting,
  value: unknown,
): string | null {
  const isNumber = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  const fits = type === 'integer' || type === 'number' ? isNumber : typeof value === type;
  if (!fits) return `must be ${type === 'integer' ? 'a whole number' : `a ${type}`}`;
  return choices && !choices.includes(String(value))
    ? `must be one of ${choices.join(', ')}`
    : null;
}

function suggestSettingName(name: string, knownNames: readonly string[]): string {
  const near = findClosestName(name, knownNames);
  return near === null ? `known: ${knownNames.join(', ') || 'none'}` : `did you mean "${near}"?`;
}

/** Mistakes of a plugin's settings by its manifest; never quotes a value. */
export function findSettingMistakes(
  { settings = {} }: Pick<PluginManifest, 'settings'>,
  givenSettings: Readonly<Record<string, unknown>>,
): SettingMistake[] {
  const mistakes = Object.keys(givenSettings)
    .filter((name) => !Object.hasOwn(settings, name))
    .map(
      (name): SettingMistake => ({
        name,
        kind: 'unknown',
        message: `"${name}" is not known (${suggestSettingName(name, Object.keys(settings))})`,
      }),
    );
  for (const [name, setting] of Object.entries(settings)) {
    const value = Object.hasOwn(givenSettings, name) ? givenSettings[name] : setting.default;
    const description = setting.description.replace(/\.$/, '');
    if (value === undefined) {
      if (setting.required)
        mistakes.push({ name, kind: 'missing', message: `"${name}" is missing: ${description}` });
      continue;
    }
    const wrong = describeSettingFault(setting, value);
    if (wrong) mistakes.push({ name, kind: 'wrong', message: `"${name}" ${wrong}` });
  }
  return mistakes;
}

/**
 * Checks settings against the manifest and fills in defaults; `place` is the path of the settings.
 * Throws SvcError `config-invalid` that never quotes a value.
 */
export function checkPluginConfig(
  manifest: PluginManifest,
  givenSettings: Readonly<Record<string, unknown>>,
  place = `plugins.installed.${manifest.id}.config`,
): PluginContext['config'] {
  const mistakes = findSettingMistakes(manifest, givenSettings);
  if (mistakes.length > 0)
    throw new SvcError('config-invalid', formatSettingMistakes(place, mistakes));
  return fillValidConfig(manifest, givenSettings);
}

export const formatSettingMistakes = (place: string, mistakes: readonly SettingMistake[]): string =>
  `${place}: ${mistakes.map(({ message }) => message).join('; ')}.`;

/** The valid settings, and defaults for the others. */
export function fillValidConfig(
  { settings = {} }: Pick<PluginManifest, 'settings'>,
  givenSettings: Readonly<Record<string, unknown>>,
): PluginContext['config'] {
  const config: Record<string, Value> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const own = Object.hasOwn(givenSettings, name) ? givenSettings[name] : undefined;
    const value = own === undefined || describeSettingFault(setting, own) ? setting.default : own;
    if (value !== undefined && describeSettingFault(setting, value) === null)
      config[name] = value as Value;
  }
  return config;
}

/** Values of the secret settings, which are removed from everything that the plugin says. */
export const collectPluginSecrets = (
  manifest: PluginManifest,
  givenSettings: Readonly<Record<string, unknown>>,
): string[] =>
  Object.entries(manifest.settings ?? {}).flatMap(([name, { secret }]) =>
    secret && typeof givenSettings[name] === 'string' ? [givenSettings[name]] : [],
  );

export const listSecretNames = (manifest: PluginManifest): string[] =>
  Object.entries(manifest.settings ?? {}).flatMap(([name, { secret }]) => (secret ? [name] : []));
