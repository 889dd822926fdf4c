import type { RemoteForgeSettings } from './remoteForgeSettings.ts';

/** The plugins whose webhooks reach this runner: by a secret of its own, or through the control plane of its team. */
export const listHookedPlugins = ({
  webhooks,
  forwardedWebhooks,
  isForwarded = () => false,
}: Pick<RemoteForgeSettings, 'webhooks' | 'forwardedWebhooks' | 'isForwarded'>): string[] => [
  ...new Set([
    ...Object.keys(webhooks),
    ...Object.keys(forwardedWebhooks).filter((pluginId) => isForwarded(pluginId)),
  ]),
];
