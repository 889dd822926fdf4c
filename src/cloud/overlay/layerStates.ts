import { SvcError } from '../../base/errors/errors.ts';
import { makeOnFirstUse } from '../../base/concurrency/makeOnFirstUse.ts';
import { applyLayerChanges } from '../../workflows/overlay/applyLayerChanges.ts';
import { buildRemoteTenantLayer, toTrustedLayer } from '../../workflows/overlay/buildRepoLayer.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import { mergeLayers } from '../../workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../workflows/overlay/openOverlay.ts';
import { readLayer } from '../../workflows/overlay/readLayer.ts';
import { compareStates, type LayerState } from '../../workflows/proposals/compareStates.ts';

const NO_BASE: Layer = { name: 'base', origin: 'none', root: null, files: new Map() };

/** The base layer of this program, read once; `dir` null = it has none. */
export const createBaseReader = (dir: string | null): (() => Promise<Layer>) =>
  makeOnFirstUse(async () => (dir === null ? NO_BASE : readLayer('base', dir)));

function openState(layers: readonly Layer[]): LayerState {
  const merged = mergeLayers(layers);
  return { overlay: openOverlay(merged), layers, paths: [...merged.files.keys()] };
}

/**
 * What a change of a team's overlay does. What it would run is read as if it were trusted: whether it is decides each
 * machine. Throws SvcError `workflow-invalid` for a file that no runner would use.
 */
export function compareOverlay(
  base: Layer,
  files: ReadonlyMap<string, Uint8Array>,
  changedTexts: ReadonlyMap<string, string | null>,
) {
  const { layer } = toTrustedLayer(buildRemoteTenantLayer({ files }, 'team'));
  const before = openState([base, layer]);
  const changedLayer =
    applyLayerChanges([layer], { layer: 'tenant', files: changedTexts })[0] ?? layer;
  const trustedLayer = toTrustedLayer(
    buildRemoteTenantLayer({ files: changedLayer.files }, 'team'),
  );
  const bad = trustedLayer.layer.leftOut?.find(({ path }) => changedTexts.has(path));
  if (bad !== undefined)
    throw new SvcError('workflow-invalid', `${bad.path}: ${bad.reason}. ${bad.hint}`);
  const after = openState([base, trustedLayer.layer]);
  return compareStates(before, after, { layer: 'tenant', changed: changedTexts });
}
