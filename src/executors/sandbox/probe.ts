import type { Clock } from '../../base/time/clock.ts';
import type { SandboxProfile } from '../../base/agents/sandboxProfiles.ts';
import type { SandboxSettings } from '../../contract/schema/runner/settings.ts';
import {
  checkBubblewrapParts,
  checkCommandPart,
  type PartState,
  checkRuntimeParts,
} from './checkSandboxParts.ts';

/** How long a failed check is remembered, ms. */
const LOOK_AGAIN_MS = 60_000;

export interface ProfileState {
  profile: SandboxProfile;
  parts: readonly PartState[];
}

export const isUsable = ({ parts }: ProfileState): boolean => parts.every(({ ok }) => ok);

export function listWantedProfiles({
  sandboxProfile,
  sandboxCommand,
}: Pick<SandboxSettings, 'sandboxProfile' | 'sandboxCommand'>): readonly SandboxProfile[] {
  if (sandboxProfile !== 'any') return [sandboxProfile];
  return sandboxCommand.length > 0 ? ['command'] : ['runtime', 'bubblewrap'];
}

/** Why no profile can be used, as a clause. */
export const formatProfileLacks = (states: readonly ProfileState[]): string =>
  [
    ...new Set(
      states.flatMap(({ parts }) => parts.filter(({ ok }) => !ok).map(({ detail }) => detail)),
    ),
  ].join('; ');

interface ProbeOptions {
  platform: NodeJS.Platform;
  path: string | undefined;
  home: string;
}

export const inspectProfiles = (
  settings: Pick<SandboxSettings, 'sandboxProfile' | 'sandboxCommand'>,
  { platform, path, home }: ProbeOptions,
): Promise<ProfileState[]> =>
  Promise.all(
    listWantedProfiles(settings).map(async (profile) => {
      if (profile === 'command')
        return {
          profile,
          parts: [await checkCommandPart(settings.sandboxCommand, { path, home })],
        };
      const checkParts = profile === 'runtime' ? checkRuntimeParts : checkBubblewrapParts;
      return { profile, parts: await checkParts(platform, path) };
    }),
  );

/** The usable profile, or why none exists. */
export type ProbedSandbox =
  | { profile: SandboxProfile; lacks: null }
  | { profile: null; lacks: string };

const pickUsableProfile = (states: readonly ProfileState[]): ProbedSandbox => {
  const profileState = states.find(isUsable);
  return profileState
    ? { profile: profileState.profile, lacks: null }
    : { profile: null, lacks: formatProfileLacks(states) };
};

/**
 * Tries the requested profiles once: a success is remembered while the runner runs, a failure for a
 * minute.
 */
export class Probe {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #look: (settings: SandboxSettings) => Promise<readonly ProfileState[]>;
  #known: { findUsable: string; at: number; probed: Promise<ProbedSandbox> } | null = null;

  constructor(
    clock: Pick<Clock, 'now'>,
    look: (settings: SandboxSettings) => Promise<readonly ProfileState[]>,
  ) {
    this.#clock = clock;
    this.#look = look;
  }

  async of(settings: SandboxSettings): Promise<ProbedSandbox> {
    const settingsKey = JSON.stringify([settings.sandboxProfile, settings.sandboxCommand]);
    const cached = this.#known;
    if (cached?.findUsable === settingsKey) {
      const probe = await cached.probed;
      if (probe.profile !== null || this.#clock.now() - cached.at < LOOK_AGAIN_MS) return probe;
    }
    const probing = this.#look(settings).then(pickUsableProfile);
    this.#known = { findUsable: settingsKey, at: this.#clock.now(), probed: probing };
    return probing;
  }
}
