import type {
  AppliedAuth,
  ApplyAuthBody,
  ConformanceReport,
  FoundAuth,
  InstallPluginBody,
  PluginHealth,
  PluginJob,
  PluginModel,
  PluginView,
} from '../../contract/schema/runner/plugin.ts';
import type {
  VendorLoginCallback,
  VendorLoginReply,
  VendorLoginView,
  WrittenSecrets,
} from '../../contract/schema/runner/vendorLogin.ts';
import type { createTransport } from './transport.ts';

const LOGIN = '/config/vendor/login';

/** Plugins, and logins of executors at their vendors. */
export function createPluginMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  const plugin = (id: string) => `/plugins/${encodeURIComponent(id)}`;
  return {
    plugins: () => json<PluginView[]>('GET', '/plugins'),
    pluginJobs: (id: string) => json<PluginJob[]>('GET', `${plugin(id)}/jobs`),
    installPlugin: (body: InstallPluginBody) =>
      json<PluginView>('POST', '/plugins/install', { body }),
    async uninstallPlugin(id: string): Promise<void> {
      await open('DELETE', plugin(id));
    },
    pluginModels: (id: string) => json<PluginModel[]>('GET', `${plugin(id)}/models`),
    checkPlugin: (id: string) =>
      json<PluginHealth>('POST', `${plugin(id)}/healthcheck`, { body: {} }),
    testPlugin: (id: string) =>
      json<ConformanceReport>('POST', `/test/plugin/${encodeURIComponent(id)}`, { body: {} }),
    detectPluginAuth: (id: string) =>
      json<FoundAuth[]>('POST', `/config/plugins/${encodeURIComponent(id)}/auth/detect`, {
        body: {},
      }),
    applyPluginAuth: (id: string, body: ApplyAuthBody = {}) =>
      json<AppliedAuth>('POST', `/config/plugins/${encodeURIComponent(id)}/auth/detect/apply`, {
        body,
      }),

    /** Those in progress, and how the last one of each executor ended. */
    vendorLogins: (query: { executor?: string } = {}) =>
      json<VendorLoginView[]>('GET', `${LOGIN}/status`, { query }),
    startVendorLogin: (executor: string) =>
      json<VendorLoginView>('POST', `${LOGIN}/start`, { body: { executor } }),
    completeVendorLogin: (body: VendorLoginCallback) =>
      json<VendorLoginReply>('POST', `${LOGIN}/callback`, { body }),
    async cancelVendorLogin(executor: string): Promise<void> {
      await open('DELETE', LOGIN, { query: { executor } });
    },
    generateVendorToken: (executor: string) =>
      json<WrittenSecrets>('POST', '/config/vendor/generate-oauth-token', { body: { executor } }),
  };
}
