import type { ConfigPlace } from '../config/home/resolveConfigPlace.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import { findHomeOrigin } from './homeRecord.ts';
import { relocateConfig } from './relocate.ts';

/**
 * Where the home has moved since a runner last started on it, changes the paths in its config.json, before
 * that is loaded; gives what people should know about it, null = nothing. A copied home is left as it is.
 */
export async function takeUpMovedConfig(
  { home, file }: Pick<ConfigPlace, 'home' | 'file'>,
  ids: Ids,
): Promise<string | null> {
  const origin = await findHomeOrigin(home);
  if (origin === 'here' || origin.isCopy) return null;
  const changed = await relocateConfig(file, { from: origin.from, to: home }, ids);
  return changed.length === 0
    ? null
    : `The home was moved from ${origin.from} to ${home}. Changed in ${file}: ${changed.join(', ')}.`;
}
