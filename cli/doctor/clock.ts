import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finding, toOkFinding, toWarningFinding } from './check.ts';

/** Largest difference that is ignored, ms: the Date header counts whole seconds. */
const SMALL_SKEW_MS = 2_500;

/** `others`: what other clocks showed, and what this one showed at the same time; epoch ms. */
export function diagnoseClock(
  others: readonly { whose: string; shows: number; here: number }[],
): Finding {
  const wrong = others.filter(({ shows, here }) => Math.abs(shows - here) > SMALL_SKEW_MS);
  if (wrong.length === 0)
    return toOkFinding(`in step with ${others.map(({ whose }) => whose).join(' and ')}`);
  const clockTexts = wrong
    .map(({ whose, shows, here }) => `${((here - shows) / 1000).toFixed(1)} s ahead of ${whose}`)
    .join(', ');
  return toWarningFinding(
    `${clockTexts} (negative: behind)`,
    'Synchronize the clocks of both machines with NTP (timedatectl set-ntp true).',
  );
}

/**
 * In the system's temporary folder where there is no home. `runnerDate`: the runner's Date header
 * and when it was read here.
 */
export async function checkClock(
  home: string,
  now: () => number,
  runnerDate: { shows: number; here: number } | null,
): Promise<Finding> {
  const dir = await mkdtemp(join(home, '.doctor-')).catch(() =>
    mkdtemp(join(tmpdir(), 'svc-doctor-')),
  );
  try {
    const file = join(dir, 'now');
    await writeFile(file, '');
    const here = now();
    const { mtimeMs } = await stat(file);
    return diagnoseClock([
      { whose: 'the disk', shows: mtimeMs, here },
      ...(runnerDate === null ? [] : [{ whose: 'the runner', ...runnerDate }]),
    ]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
