import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import type { Io } from '../io.ts';

/** The settings of this home, its token at the control plane included. */
export async function readHomeSettings({
  env,
  homeDir,
}: Pick<Io, 'env' | 'homeDir'>): Promise<Settings> {
  const packageRoot = findPackageRoot(import.meta.url);
  return (await loadSettings({ env, homeDir, flags: {}, packageRoot })).settings;
}
