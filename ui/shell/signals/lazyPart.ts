import { type Component, lazy } from 'solid-js';

/** A part of the dashboard that does not run: the runner is away, or it was updated meanwhile. */
export class PartMissing extends Error {
  readonly code = 'part-missing';
}

/**
 * A file of the dashboard that did not come. Some browsers keep the failure as long as the page lives
 * and ask for the file no more: only a page that is loaded again gets it.
 */
export class FileMissing extends PartMissing {}

/** Loads a file of the dashboard. Throws FileMissing. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw new FileMissing('Part of this page could not be loaded from the runner.', { cause });
  }
}

/** A component that loads when first shown, or by `preload`; once `isLoaded`, shown at once. */
export function createLazyPart<Props extends object>(load: () => Promise<Component<Props>>) {
  let hasLoaded = false;
  const part = lazy(async () => {
    const component = await loadPart(load);
    hasLoaded = true;
    return { default: component };
  });
  return Object.assign(part, { isLoaded: () => hasLoaded });
}
