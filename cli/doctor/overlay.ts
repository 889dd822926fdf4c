import type { Layer, LeftOutItem } from '../../src/workflows/overlay/layer.ts';
import type { LayerName } from '../../src/workflows/definition/parseAgent.ts';
import {
  groupLeftOutItems,
  describeLeftOutItem,
} from '../../src/workflows/overlay/toLeftOutFindings.ts';
import { mergeLayers } from '../../src/workflows/overlay/mergeLayers.ts';
import { readLayer } from '../../src/workflows/overlay/readLayer.ts';
import { toErrorMessage } from '../../src/base/errors/errors.ts';
import type { LayerList } from '../../src/contract/schema/workflow/intelligence.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import {
  toErrorFinding,
  type Finding,
  toOkFinding,
  toSkippedFinding,
  toWarningFinding,
} from './check.ts';

const MOST_NAMED = 10;

const REPAIR = 'Repair or remove them: the other files are used.';

function diagnoseLeftOut(
  place: string,
  leftOut: readonly (LeftOutItem & { layer: LayerName })[],
): Finding {
  const shownItems = groupLeftOutItems(leftOut);
  if (shownItems.length === 0) return toOkFinding(place);
  const lines = shownItems.slice(0, MOST_NAMED).map((one) => describeLeftOutItem(one, one.layer));
  const more = shownItems.length > MOST_NAMED ? [`and ${shownItems.length - MOST_NAMED} more`] : [];
  return toWarningFinding([`${place} is in use, but:`, ...lines, ...more].join(' '), REPAIR);
}

async function diagnoseOverlayFolders(base: string, path: string | null): Promise<Finding> {
  const layers: Layer[] = [];
  try {
    layers.push(await readLayer('base', base));
    if (path !== null) layers.push(await readLayer('tenant', path));
  } catch (error) {
    return toErrorFinding(
      toErrorMessage(error),
      'Until then no job starts; running jobs keep the last version.',
    );
  }
  return diagnoseLeftOut(path ?? 'only the built-in layer', mergeLayers(layers).leftOut);
}

/**
 * Whether the layers can be read, which of their files are faulty, and whether a remote one is at the newest
 * state of its repository; `layers` = what the runner has, null = no runner could be asked.
 */
export async function diagnoseOverlay(
  { tenant, baseIntelligence }: Pick<Settings, 'tenant' | 'baseIntelligence'>,
  layers: LayerList['layers'] | null,
): Promise<Finding> {
  const { overlay } = tenant;
  if (overlay.kind === 'none' || overlay.kind === 'localDir')
    return diagnoseOverlayFolders(
      baseIntelligence,
      overlay.kind === 'localDir' ? overlay.path : null,
    );
  if (layers === null) return toSkippedFinding('no runner is running to ask');
  const { origin = '', problem = null } = layers.find(({ name }) => name === 'tenant') ?? {};
  if (problem !== null)
    return toWarningFinding(
      `in use is ${origin}; ${problem}`,
      overlay.kind === 'cloudBlob'
        ? 'Check the connection with svc runner status, or apply a proposal that repairs the version.'
        : 'Check tenant.overlay, the network and its credentials, or fix the commit.',
    );
  const leftOut = layers.flatMap(({ name, leftOut: own = [] }) =>
    own.map((one) => ({ ...one, layer: name })),
  );
  return diagnoseLeftOut(origin, leftOut);
}
