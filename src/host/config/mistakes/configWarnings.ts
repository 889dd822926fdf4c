import { isPathWithin } from '../../../base/system/files/isPathWithin.ts';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_EXECUTORS, BUILT_IN_PLUGINS } from '../../../base/settings/builtInPlugins.ts';
import { findClosestName } from '../../../base/text/findClosestName.ts';
import { LEAST_SECRET_CHARS } from '../../../base/secrets/screenSecrets.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { Config } from '../configSchema.ts';
import { listShortSecretKeys } from '../secrets.ts';

function listInstalledPluginIds(home: string): string[] {
  try {
    return readdirSync(join(home, 'plugins'));
  } catch {
    return [];
  }
}

const suggestKnownName = (name: string, knownNames: readonly string[]): string => {
  const near = findClosestName(name, knownNames);
  return near === null ? `Known: ${knownNames.join(', ')}.` : `Did you mean ${near}?`;
};

/** A whole value that a shell would replace, and svc does not. */
const VARIABLE = /^\$(?:\{\w+\}|[A-Z_][A-Z0-9_]*)$/;

/** Keys of texts that look like a variable of a shell. Their values are not shown. */
function findShellVariableKeys(value: unknown, key: string): string[] {
  if (typeof value === 'string') return VARIABLE.test(value) ? [key] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    findShellVariableKeys(member, key === '' ? name : `${key}.${name}`),
  );
}

/**
 * What a valid configuration probably does not mean: folders that do not exist, providers and
 * plugins that nothing has, variables that are not replaced, and secrets that cannot be kept out of
 * texts.
 */
export function collectConfigWarnings(
  config: Config,
  { home, tenant, llm, backup }: Pick<Settings, 'home' | 'tenant' | 'llm' | 'backup'>,
): string[] {
  const installedIds = listInstalledPluginIds(home);
  const executors = [...BUILT_IN_EXECUTORS, ...installedIds];
  const plugins = [...BUILT_IN_PLUGINS, ...installedIds];
  const { overlay } = tenant;
  const providers: [key: string, provider: string][] = [
    ['llm.defaultProvider', llm.defaultProvider],
    ...Object.entries(config.llm.aliases).flatMap(([name, { provider }]): [string, string][] =>
      provider === undefined ? [] : [[`llm.aliases.${name}.provider`, provider]],
    ),
  ];
  return [
    ...(backup.folder !== null && isPathWithin(backup.folder, home)
      ? [
          `backup.folder: ${backup.folder} is in the home itself and would be lost with it, so the runner writes no backups there`,
        ]
      : []),
    ...(overlay.kind === 'localDir' && !existsSync(overlay.path)
      ? [
          `tenant.overlay.path: the folder ${overlay.path} does not exist, so its workflows are not found`,
        ]
      : []),
    ...(config.tenant.overlay.kind === 'cloudBlob' && overlay.kind !== 'cloudBlob'
      ? [
          'tenant.overlay.kind is "cloudBlob", but this machine is not paired with a team, so there is no tenant layer. To pair it, run svc login in a terminal of this machine.',
        ]
      : []),
    ...providers
      .filter(([, provider]) => !executors.includes(provider.split(':')[0] ?? ''))
      .map(
        ([key, provider]) =>
          `${key} is "${provider}", but no executor has this ID. ${suggestKnownName(provider, executors)}`,
      ),
    ...Object.keys(config.plugins.installed)
      .filter((id) => !plugins.includes(id))
      .map(
        (id) =>
          `plugins.installed.${id}: no plugin with this ID is part of svc or installed. ${suggestKnownName(id, plugins)}`,
      ),
    ...findShellVariableKeys(config, '').map(
      (key) =>
        `${key} is the name of a variable, which svc does not replace: it is used as it is. Give the value itself, a secret with svc config set ${key} -`,
    ),
    ...listShortSecretKeys(config, Config).map(
      (key) =>
        `${key} has a secret of fewer than ${LEAST_SECRET_CHARS} characters: it is not removed from logs, journals and replies. Use a longer one`,
    ),
  ];
}
