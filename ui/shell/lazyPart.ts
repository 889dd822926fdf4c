import { type Component, lazy } from 'solid-js';

/**
 * A file of the dashboard that did not come: the runner is away, or was updated since the page was
 * opened.
 */
export class PartMissing extends Error {
  readonly code = 'part-missing';
}

/** Loads a file of the dashboard. Throws PartMissing; asked again, it is tried again. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw new PartMissing('Part of this page could not be loaded from the runner.', { cause });
  }
}

/** A component whose file is loaded when it is first shown. */
export const lazyPart = <Props extends object>(load: () => Promise<Component<Props>>) =>
  lazy(async () => ({ default: await loadPart(load) }));
