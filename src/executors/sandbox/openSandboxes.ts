import { homedir } from 'node:os';
import type { Clock } from '../../base/time/clock.ts';
import { join } from 'node:path';
import { findRuntime } from './findRuntime.ts';
import { findProgramOnPath } from '../process/findProgramOnPath.ts';
import { resolveHostProgram, SessionSandboxes } from './sessionSandboxes.ts';
import { Probe, inspectProfiles } from './probe.ts';

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
  const probe = new Probe(clock, (settings) => inspectProfiles(settings, machine));
  return new SessionSandboxes({
    home,
    personHome: homedir(),
    programs: [
      packageRoot,
      process.execPath,
      ...[findRuntime()].flatMap((runtime) => (runtime ? [join(runtime.entry, '..', '..')] : [])),
    ],
    host: resolveHostProgram(packageRoot, import.meta.url.endsWith('.ts')),
    probe: (settings) => probe.of(settings),
    bwrap: () => findProgramOnPath('bwrap', hostEnv.PATH) ?? 'bwrap',
  });
}
