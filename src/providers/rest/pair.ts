import type { PluginManifest } from '../../schema/plugin.ts';
import type { Plugin } from '../../contract/plugin.ts';

/**
 * A plugin that is part of svc: the same contract, with its manifest beside it instead of in a
 * package.json.
 */
export interface BuiltIn<P extends Plugin = Plugin> {
  manifest: PluginManifest;
  plugin: P;
}
