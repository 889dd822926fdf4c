import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { STORE_VERSION } from '../../jobs/store/migrations/migrations.ts';
import { loadSettings } from '../config/settings/loadSettings.ts';
import type { Start } from '../start/startOptions.ts';
import { followProgram, spawnProgram } from '../upgrade/childRunner.ts';
import { readProgramAt } from '../upgrade/program.ts';
import { AdoptedHomes, type AdoptedHomesOptions } from './adoptedHomes.ts';
import { buildAdoptedConfig } from './buildAdoptedConfig.ts';
import { furnishAdoptedHome } from './furnishAdoptedHome.ts';

/** What differs between a runner and its tests. */
export type AdoptionParts = Partial<Pick<AdoptedHomesOptions, 'start'>>;

type OpenParts = AdoptionParts & Pick<AdoptedHomesOptions, 'refuse' | 'onChange'>;

/** The token that the process of an adopted home had last; null = none is known. */
async function readAdoptedToken(adoptedHome: string): Promise<string | null> {
  const text = await readFile(join(adoptedHome, 'config.json'), 'utf8').catch(() => '');
  const { token } = Object(Object(parseJsonOrNull(text)).cloud);
  return typeof token === 'string' ? token : null;
}

/** The process of an adopted home: this program, on the home's own folder and a port of its own. */
const createChildStarter =
  ({ packageRoot }: Start): AdoptedHomesOptions['start'] =>
  async (adoptedHome, homeId) => {
    const program = await readProgramAt(packageRoot);
    const logFile = join(adoptedHome, 'logs', 'runner.log');
    const flags = ['--adopted', homeId, '--port', '0', '--log-file', logFile];
    return followProgram(program, spawnProgram(program, flags, adoptedHome));
  };

/** The homes of lost runners that a runner continues, in folders of its home. */
export function openAdoptedHomes(start: Start, parts: OpenParts): AdoptedHomes {
  const { settings, config, clock, ids, log, secrets } = start;
  return new AdoptedHomes({
    start: createChildStarter(start),
    ...parts,
    home: settings.home,
    slots: () => settings.cloud.adoptSlots,
    storeVersion: STORE_VERSION,
    async furnish({ name }, adoptedHome, givenToken) {
      const token = givenToken ?? (await readAdoptedToken(adoptedHome)) ?? '';
      if (token !== '') secrets.add([token]);
      const now = await loadSettings(config.sources);
      const copy = buildAdoptedConfig(now.config, now.settings, { name, token });
      await furnishAdoptedHome(settings.home, adoptedHome, copy, ids);
    },
    clock,
    ids,
    log,
  });
}
