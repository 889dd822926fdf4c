import { readEnvironment } from '../../src/host/config/home/env.ts';
import { SvcCommand } from './base.ts';
import { type PluginService, selectPluginService } from '../remote/selectPluginService.ts';

export abstract class PluginCommand extends SvcCommand {
  /** Whether the caller named a runner; then this home is not used. */
  protected isNamed(flags: { url: string | undefined }): boolean {
    return flags.url !== undefined || readEnvironment(this.io.env).url !== null;
  }

  protected service(flags: { url: string | undefined }): Promise<PluginService> {
    return selectPluginService(this.io, this.client(flags), this.isNamed(flags));
  }
}
