import { existsSync } from 'node:fs';
import { createClient } from '../../src/api/client/client.ts';
import type { SetUpDeps } from '../../src/host/setUp/setUpWizard.ts';
import { ensureHome } from '../../src/host/config/home/ensureHome.ts';
import { loadSettings, type LoadedSettings } from '../../src/host/config/settings/loadSettings.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { ConfigPatch, ConfigReply } from '../../src/contract/schema/runner/config.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import { selectConfigSource } from '../remote/selectConfigSource.ts';
import { resolveConnection } from '../remote/resolveConnection.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';

/** The configuration of this home, as it is in the file: secrets are not hidden. */
export interface OwnConfig extends LoadedSettings {
  file: string;
  exists: boolean;
  /** Keys, joined by dots, that have their default. */
  defaults: ReadonlySet<string>;
  /**
   * Makes the folders of the home, then writes the change into the version of the file that was
   * read: by the runner of this home where one runs. Throws SvcError as `svc config set` does.
   */
  write(patch: ConfigPatch, folders: Folders): Promise<ConfigReply>;
  /** The same file, for the wizard, which reads it before each change. */
  configuration: SetUpDeps['config'];
}

/** Where the configuration will have them; left out: where they are now. */
export interface Folders {
  workingDir?: string;
  intelligenceDir?: string;
}

/**
 * Reads it. SVC_URL names another home's runner and does not count. Throws SvcError
 * `config-invalid` while the file has mistakes, and `conflict` where the runner of this home works
 * with another file.
 */
export async function openOwnConfig(io: Io, version: string): Promise<OwnConfig> {
  const env = { ...io.env, SVC_URL: undefined, SVC_TOKEN: undefined };
  const { homeDir } = io;
  const client = resolveConnection({ env, homeDir, url: undefined }).then((connection) =>
    createClient({ ...connection, userAgent: `${OWN_CLIENT}${version}` }),
  );
  const source = await selectConfigSource(io, client, false);
  const { etag, reply } = await source.config();
  const loadedSettings = await loadSettings({
    env: io.env,
    homeDir,
    flags: {},
    packageRoot: findPackageRoot(import.meta.url),
  });
  const file = loadedSettings.settings.configFile;
  if (reply.file !== file)
    throw new SvcError(
      'conflict',
      `The runner of this home works with ${reply.file}, not with ${file}. Change that one with svc config set, or stop the runner first.`,
    );
  return {
    ...loadedSettings,
    file,
    exists: existsSync(file),
    defaults: new Set(
      reply.values.filter(({ origin }) => origin === 'default').map(({ key }) => key),
    ),
    async write(patch, folders) {
      const { settings } = loadedSettings;
      await ensureHome({ ...settings, paths: { ...settings.paths, ...folders } });
      return (await source.updateConfig(patch, etag)).reply;
    },
    configuration: {
      read: () => source.config(),
      async change(patch, ifMatch) {
        await ensureHome(loadedSettings.settings);
        return source.updateConfig(patch, ifMatch ?? undefined);
      },
    },
  };
}
