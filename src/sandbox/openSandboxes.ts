import { homedir } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { join } from 'node:path';
import { findRuntime } from './findRuntime.ts';
import { programOnPath } from '../executors/process/programOnPath.ts';
import { hostProgramOf } from './hostProgram.ts';
import { Probe, profileStates } from './probe.ts';
import { SessionSandboxes } from './sessionSandboxes.ts';

/** The sandboxes of a runner on this machine. */
export function openSandboxes({
  home,
  packageRoot,
  hostEnv,
  clock,
}: {
  home: string;
  packageRoot: string;
  hostEnv: Readonly<Record<string, string | undefined>>;
  clock: Pick<Clock, 'now'>;
}): SessionSandboxes {
  const machine = { platform: process.platform, path: hostEnv.PATH, home };
  const probe = new Probe(clock, (settings) => profileStates(settings, machine));
  return new SessionSandboxes({
    home,
    personHome: homedir(),
    programs: [
      packageRoot,
      process.execPath,
      ...[findRuntime()].flatMap((found) => (found ? [join(found.entry, '..', '..')] : [])),
    ],
    host: hostProgramOf(packageRoot, import.meta.url.endsWith('.ts')),
    probe: (settings) => probe.of(settings),
    bwrap: () => programOnPath('bwrap', hostEnv.PATH) ?? 'bwrap',
  });
}
