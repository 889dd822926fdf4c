import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { BuiltInForgePlugin } from '../../contract/forge/builtInForge.ts';
import type { Plugin } from '../../contract/runner/plugin.ts';

/** A plugin that is part of svc: the same contract, but its manifest is not in a package.json. */
export interface BuiltInPlugin<
  P extends Plugin | BuiltInForgePlugin = Plugin | BuiltInForgePlugin,
> {
  manifest: PluginManifest;
  plugin: P;
}
