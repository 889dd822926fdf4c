import { readEnvironment } from '../../src/config/env.ts';
import { SvcCommand } from './base.ts';
import { type PluginService, selectPluginService } from '../connect/selectPluginService.ts';

/** What the commands on plugins of the runner share. */
export abstract class PluginCommand extends SvcCommand {
  /** Whether a runner was named, so that this home is none of its business. */
  protected isNamed(flags: { url: string | undefined }): boolean {
    return flags.url !== undefined || readEnvironment(this.io.env).url !== null;
  }

  protected service(flags: { url: string | undefined }): Promise<PluginService> {
    return selectPluginService(this.io, this.client(flags), this.isNamed(flags));
  }
}
