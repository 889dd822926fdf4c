import { SvcError } from '../base/errors/errors.ts';
import type { FoundAuth, PluginManifest } from '../contract/schema/runner/plugin.ts';

type HostEnv = Readonly<Record<string, string | undefined>>;

/** Secret settings for which the runner's environment has a value. */
export const detectAuth = ({ settings = {} }: PluginManifest, hostEnv: HostEnv): FoundAuth[] =>
  Object.entries(settings).flatMap(([setting, { secret, env }]) =>
    secret && env !== undefined && hostEnv[env] ? [{ setting, env }] : [],
  );

/**
 * Values of these settings, default all. Throws SvcError `not-found` for one that does not exist,
 * or if none does.
 */
export function collectFoundSecrets(
  manifest: PluginManifest,
  hostEnv: HostEnv,
  settings?: readonly string[],
): Record<string, string> {
  const all = detectAuth(manifest, hostEnv);
  const missing = (settings ?? []).filter((name) => !all.some(({ setting }) => setting === name));
  if (all.length === 0 || missing.length > 0) {
    const what = missing.length > 0 ? missing.join(', ') : 'any setting';
    throw new SvcError(
      'not-found',
      `The environment of the runner has no values for ${what} of ${manifest.id}.`,
    );
  }
  const takenVariables = all.filter(({ setting }) => settings?.includes(setting) ?? true);
  return Object.fromEntries(
    takenVariables.map(({ setting, env }) => [setting, hostEnv[env] ?? '']),
  );
}
