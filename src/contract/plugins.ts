import type {
  ConformanceReport,
  FoundAuth,
  InstallPluginBody,
  PluginHealth,
  PluginModel,
  PluginView,
} from '../schema/plugin.ts';

/**
 * All that the surface can ask about plugins. Throws SvcError `not-found` for an id that is not
 * there.
 */
export interface Plugins {
  list(): PluginView[];
  /**
   * Installs and checks it, and answers its state. It can be used immediately; a running
   * session continues with what it has.
   */
  install(body: InstallPluginBody): Promise<PluginView>;
  /** Throws `not-possible-now` for a built-in one. */
  uninstall(id: string): Promise<void>;
  /** Throws `not-possible-now` for one that offers none, `invalid` for an answer that is none. */
  models(id: string): Promise<PluginModel[]>;
  healthcheck(id: string): Promise<PluginHealth>;
  /** Runs the conformance kit against it, in a process of its own. */
  test(id: string): Promise<ConformanceReport>;
  /** Settings of the plugin that the runner's environment could fill. */
  detectAuth(id: string): FoundAuth[];
  /**
   * The values of these of them (default all) by setting, for the configuration alone. Throws
   * `not-found` for one that is not there.
   */
  foundSecrets(id: string, settings?: readonly string[]): Record<string, string>;
}
