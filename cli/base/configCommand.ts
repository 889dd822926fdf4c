import { readEnvironment } from '../../src/config/env.ts';
import { SvcCommand } from './base.ts';
import { type ConfigSource, configSource } from '../connect/configSource.ts';

/** What the commands on the configuration share. */
export abstract class ConfigCommand extends SvcCommand {
  protected source(flags: { url: string | undefined }): Promise<ConfigSource> {
    const named = flags.url !== undefined || readEnvironment(this.io.env).url !== null;
    return configSource(this.io, this.client(flags), named);
  }
}
