import { SvcError } from '../lib/errors.ts';
import type { PluginManifest, PluginSetting } from '../schema/plugin.ts';
import type { PluginContext } from '../contract/plugin.ts';

type Value = PluginContext['config'][string];

function fault({ type, enum: choices }: PluginSetting, value: unknown): string | null {
  const fits = type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
  if (!fits) return `must be ${type === 'integer' ? 'a whole number' : `a ${type}`}`;
  return choices && !choices.includes(String(value))
    ? `must be one of ${choices.join(', ')}`
    : null;
}

/**
 * Checks settings against the manifest and fills in defaults; `place` is where they are. Throws SvcError `config-invalid` that
 * never quotes a value.
 */
export function checkedConfig(
  manifest: PluginManifest,
  given: Readonly<Record<string, unknown>>,
  place = `plugins.installed.${manifest.id}.config`,
): PluginContext['config'] {
  const settings = manifest.settings ?? {};
  const known = Object.keys(settings);
  const mistakes = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `"${name}" is not known (known: ${known.join(', ') || 'none'})`);
  const config: Record<string, Value> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const value = Object.hasOwn(given, name) ? given[name] : setting.default;
    if (value === undefined) {
      if (setting.required)
        mistakes.push(`"${name}" is missing: ${setting.description.replace(/\.$/, '')}`);
      continue;
    }
    const wrong = fault(setting, value);
    if (wrong) mistakes.push(`"${name}" ${wrong}`);
    else config[name] = value as Value;
  }
  if (mistakes.length > 0)
    throw new SvcError('config-invalid', `${place}: ${mistakes.join('; ')}.`);
  return config;
}

/** Values of the secret settings: what must be taken out of everything that the plugin says. */
export const secretsOf = (
  manifest: PluginManifest,
  given: Readonly<Record<string, unknown>>,
): string[] =>
  Object.entries(manifest.settings ?? {}).flatMap(([name, { secret }]) =>
    secret && typeof given[name] === 'string' ? [given[name]] : [],
  );

/** Names of the secret settings. */
export const secretNames = (manifest: PluginManifest): string[] =>
  Object.entries(manifest.settings ?? {}).flatMap(([name, { secret }]) => (secret ? [name] : []));
