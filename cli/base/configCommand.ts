import { readEnvironment } from '../../src/config/env.ts';
import { SvcCommand } from './base.ts';
import { type ConfigSource, configSource } from '../connect/configSource.ts';
import { installedSettings } from '../connect/installedSettings.ts';
import type { SettingsOfPlugin } from '../input/configChange.ts';

/** What the commands on the configuration share. */
export abstract class ConfigCommand extends SvcCommand {
  protected source(flags: { url: string | undefined }): Promise<ConfigSource> {
    const named = flags.url !== undefined || readEnvironment(this.io.env).url !== null;
    return configSource(this.io, this.client(flags), named);
  }

  /** Settings of an installed plugin: as the runner knows them, or this home where none runs. */
  protected settingsOfPlugin(flags: { url: string | undefined }): SettingsOfPlugin {
    return (id) => installedSettings(this.io, this.client(flags), id);
  }
}
