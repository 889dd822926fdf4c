import { readEnvironment } from '../../src/host/config/home/env.ts';
import { SvcCommand } from './base.ts';
import { type ConfigSource, selectConfigSource } from '../remote/selectConfigSource.ts';
import { findInstalledSettings } from '../local/home/findInstalledSettings.ts';
import type { SettingsOfPlugin } from '../input/buildConfigPatch.ts';

export abstract class ConfigCommand extends SvcCommand {
  protected source(flags: { url: string | undefined }): Promise<ConfigSource> {
    const isUrlGiven = flags.url !== undefined || readEnvironment(this.io.env).url !== null;
    return selectConfigSource(this.io, this.client(flags), isUrlGiven);
  }

  /** Settings of an installed plugin: as the runner knows them, or this home where none runs. */
  protected settingsOfPlugin(flags: { url: string | undefined }): SettingsOfPlugin {
    return (id) => findInstalledSettings(this.io, this.client(flags), id);
  }
}
