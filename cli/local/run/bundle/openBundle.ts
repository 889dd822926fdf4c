import { stripFolderPath } from '../../../../src/base/text/stripFolderPath.ts';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clearCarriedState } from '../../../../src/jobs/store/clearCarriedState.ts';
import { rebuildCheckout } from '../../../../src/git/rebuildCheckout.ts';
import { toErrorMessage } from '../../../../src/base/errors/errors.ts';
import { type BundleManifest, refuseBundle } from './manifest.ts';
import { unpackBundle } from './unpackBundle.ts';
import { summarizeLeftFiles } from './decideEntries.ts';

const PARTS = 'bundle-parts';

export interface CheckoutOrigin {
  /** Repository that can be read now; null = it is elsewhere. */
  source: string | null;
  /** Address of `origin`; null = none. */
  origin: string | null;
}

/**
 * Makes the home of a kept job from its bundle, for a runner to start on: takes data and what svc
 * wrote, makes the repositories of checkouts again, and clears state that no run writes.
 * `originOf`: repository of the checkout with this folder name. Returns one line about what was not
 * taken; null = everything was. Throws SvcError `bad-argument` for an unusable bundle.
 */
export async function openBundle(
  dir: string,
  manifest: BundleManifest,
  home: string,
  originOf: (name: string) => CheckoutOrigin,
): Promise<string | null> {
  const { checkouts, left } = await unpackBundle(dir, manifest, home, join(home, PARTS));
  for (const { path, parts, left: missing } of checkouts) {
    const name = stripFolderPath(path);
    await rebuildCheckout({
      parts,
      checkoutDir: join(home, path),
      missing,
      ...originOf(name),
    }).catch((error: unknown) => refuseBundle(dir, `${path}: ${toErrorMessage(error)}`));
  }
  await rm(join(home, PARTS), { recursive: true, force: true });
  // A link that leads out but is part of the commit came from there.
  const lacking: string[] = [];
  for (const path of left) if (!(await isPathTaken(join(home, path)))) lacking.push(path);
  const removed = clearState(dir, join(home, 'state.db'));
  const named = [...(lacking.length > 0 ? [summarizeLeftFiles(lacking)] : []), ...removed];
  return named.length === 0 ? null : named.join('; ');
}

const isPathTaken = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

function clearState(dir: string, file: string): string[] {
  try {
    return clearCarriedState(file);
  } catch (error) {
    return refuseBundle(dir, toErrorMessage(error));
  }
}
