import { MAX_OFFERED_MANIFESTS } from '../../contract/channel/limits.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { RunnerDescription, RunnerLoad } from '../../cloudLink/cloudLinkOptions.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { InstalledWebhook } from '../../plugins/listInstalledWebhooks.ts';
import type { ConnectionParts } from './connectionParts.ts';
import type { Pairing } from './pairing.ts';
import { resolveAccept } from './refuseJobsFrom.ts';

/** Most executors, and most forges, that a runner names. */
const LONGEST_LIST = 64;
/** Most repositories that it names. */
const MOST_REPOSITORIES = 500;

interface DescribedRunner {
  settings: Pick<Settings, 'cloud' | 'forges'>;
  pairing: Pairing | null;
  parts: Pick<ConnectionParts, 'executors' | 'forges' | 'webhooks' | 'slots'>;
  /** Slugs of repositories that jobs have had; the names stay here. */
  repositories: readonly string[];
  takesOver: boolean;
}

/** A control plane of the release before would leave a manifest out that has a challenge. */
export const describeWebhook = ({
  pluginId,
  manifest: { challenge, ...manifest },
}: InstalledWebhook): RunnerDescription['webhooks'][number] =>
  challenge === undefined ? { pluginId, manifest } : { pluginId, manifest, challenge };

/** What a runner says of itself to its control plane. */
export function describeRunner({
  settings: { cloud, forges: own },
  pairing,
  parts,
  repositories,
  takesOver,
}: DescribedRunner): RunnerDescription {
  const slugs = new Set([...Object.keys(own.local.repos), ...repositories]);
  return {
    name: cloud.name,
    labels: [...cloud.labels],
    accept: resolveAccept(cloud, pairing),
    slots: parts.slots().limit,
    executors: parts.executors().slice(0, LONGEST_LIST),
    forges: parts.forges().slice(0, LONGEST_LIST),
    repositories: [...slugs].slice(0, MOST_REPOSITORIES).map((slug) => sha256(slug)),
    webhooks: parts.webhooks().slice(0, MAX_OFFERED_MANIFESTS).map(describeWebhook),
    adopts: takesOver ? cloud.adoptSlots : 0,
  };
}

/** How a runner is, and how many slots it has. */
export function readRunnerLoad(
  { slots, runner }: Pick<ConnectionParts, 'slots' | 'runner'>,
  { isClosed, isStarted }: { isClosed: boolean; isStarted: boolean },
): RunnerLoad {
  const { used, limit } = slots();
  const isStopping = isClosed || runner.health().status === 'stopping';
  const state = isStopping ? 'stopping' : isStarted ? 'running' : 'starting';
  return { slots: limit, free: Math.max(0, limit - used), state };
}

/** An address without name, password and query. */
export function toShownAddress(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
