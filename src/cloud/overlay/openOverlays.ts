import type { CloudContext } from '../server/cloudContext.ts';
import { createAuthoringHandlers } from './authoring/createAuthoringHandlers.ts';
import { createOverlayHandlers } from './createOverlayHandlers.ts';
import { createBaseReader } from './layerStates.ts';
import { type OverlaySockets, OverlayWatch } from './overlayWatch.ts';

export interface Overlays {
  handlers: ReturnType<typeof createOverlayHandlers> & ReturnType<typeof createAuthoringHandlers>;
  close(): void;
}

/** The overlays of the teams; `baseDir`: folder of the base layer that they are linted with, null = none. */
export function openOverlays(
  context: CloudContext,
  sockets: OverlaySockets,
  baseDir: string | null,
): Overlays {
  const watch = new OverlayWatch(context, sockets);
  const parts = { context, readBase: createBaseReader(baseDir), onChange: () => watch.poke() };
  return {
    handlers: { ...createOverlayHandlers(parts), ...createAuthoringHandlers(parts) },
    close: () => watch.close(),
  };
}
