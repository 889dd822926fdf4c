import type { PluginManifest } from '../../schema/plugin.ts';
import type { BuiltInForgePlugin } from '../../contract/builtInForge.ts';
import type { Plugin } from '../../contract/plugin.ts';

/**
 * A plugin that is part of svc: the same contract, with its manifest beside it instead of in a
 * package.json.
 */
export interface BuiltInPlugin<
  P extends Plugin | BuiltInForgePlugin = Plugin | BuiltInForgePlugin,
> {
  manifest: PluginManifest;
  plugin: P;
}
