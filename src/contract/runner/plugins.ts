import type {
  VendorLoginCallback,
  VendorLoginReply,
  VendorLoginView,
  WrittenSecrets,
} from '../schema/runner/vendorLogin.ts';
import type { LoginSecrets } from './vendorLogin.ts';
import type {
  ConformanceReport,
  FoundAuth,
  InstallPluginBody,
  PluginHealth,
  PluginModel,
  PluginView,
} from '../schema/runner/plugin.ts';

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
  /** Logins of executors at their vendors. */
  readonly logins: VendorLogins;
}

/** Writes secrets into the settings of a plugin; answers the keys that need a restart. */
export type KeepSecrets = (plugin: string, secrets: LoginSecrets) => Promise<readonly string[]>;

/**
 * Logins of executors at their vendors. `session` is the dashboard login, or the token, that asks:
 * only the one that began a login completes it. Throws SvcError `not-found` and `not-possible-now`
 * for executors that have no login.
 */
export interface VendorLogins {
  /** Logins that are in progress, and the last one of each executor. */
  status(session: string, executor?: string): VendorLoginView[];
  /** Throws `conflict` while one is in progress. */
  start(executor: string, session: string, redirectUri: string): Promise<VendorLoginView>;
  /**
   * Completes it, once. Throws `forbidden` for another session, a wrong state, and where the vendor
   * refuses; `not-possible-now` where none is in progress.
   */
  callback(
    answer: VendorLoginCallback,
    session: string,
    keep: KeepSecrets,
  ): Promise<VendorLoginReply>;
  /** Throws `not-found` where none is in progress. */
  cancel(executor: string): Promise<void>;
  longLivedToken(executor: string, keep: KeepSecrets): Promise<WrittenSecrets>;
}
