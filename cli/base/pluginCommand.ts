import { Args } from '@oclif/core';
import { readEnvironment } from '../../src/config/env.ts';
import { SvcCommand } from './base.ts';
import { type PluginDesk, pluginDesk } from '../connect/pluginDesk.ts';

export const pluginIdArg = Args.string({ description: 'Id of the plugin.', required: true });

/** What the commands on plugins of the runner share. */
export abstract class PluginCommand extends SvcCommand {
  protected desk(flags: { url: string | undefined }): Promise<PluginDesk> {
    const named = flags.url !== undefined || readEnvironment(this.io.env).url !== null;
    return pluginDesk(this.io, this.client(flags), named);
  }
}
