import type { Client } from '../../src/client/client.ts';
import { ConfigService } from '../../src/config/configService.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { randomIds } from '../../src/lib/ids.ts';
import type { Io } from '../io.ts';
import { packageRoot } from '../packageRoot.ts';

/** Who reads and changes the configuration: a runner, or this process where none runs. */
export type ConfigSource = Pick<Client, 'config' | 'updateConfig'>;

/** The file of this home, without a runner. */
function homeConfig(io: Io): ConfigSource {
  const sources = {
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: packageRoot(import.meta.url),
  };
  const service = new ConfigService({ sources, nextDraft: randomIds.next });
  return {
    config: () => service.read(),
    updateConfig: (patch, etag) => service.change(patch, etag ?? null),
  };
}

/** The runner where one answers; the home's own file where none does and none was named. */
export async function configSource(
  io: Io,
  client: Promise<Client>,
  named: boolean,
): Promise<ConfigSource> {
  try {
    const found = await client;
    await found.health();
    return found;
  } catch (error) {
    if (named || !(error instanceof SvcError) || error.code !== 'unreachable') throw error;
    return homeConfig(io);
  }
}
