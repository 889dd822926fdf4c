import { readEnvironment } from '../../src/config/env.ts';
import { SvcCommand } from './base.ts';
import { type PluginService, pluginDesk } from '../connect/pluginService.ts';

/** What the commands on plugins of the runner share. */
export abstract class PluginCommand extends SvcCommand {
  protected service(flags: { url: string | undefined }): Promise<PluginService> {
    const named = flags.url !== undefined || readEnvironment(this.io.env).url !== null;
    return pluginDesk(this.io, this.client(flags), named);
  }
}
