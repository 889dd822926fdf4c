import type { CloudHealth } from '../../src/contract/schema/cloud/cloudHealth.ts';
import { compareReleases } from '../../src/base/settings/compareReleases.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';
import { askCloud, type CloudPlace } from './cloudRequest.ts';

/**
 * How to get the release that a control plane runs, where it is newer than `own`; null = it is not, or the control plane
 * does not answer.
 */
export async function suggestCloudRelease(place: CloudPlace, own: string): Promise<string | null> {
  const version = await askCloud<CloudHealth>(place, '/health').then(
    (health) => health.version,
    () => null,
  );
  if (version === null || compareReleases(version, own) <= 0) return null;
  const shownVersion = toPrintableLine(version);
  return `The control plane of this runner runs svc ${shownVersion}. To have it here too: npm install -g @svc/runner@${shownVersion}, then svc upgrade.\n`;
}
