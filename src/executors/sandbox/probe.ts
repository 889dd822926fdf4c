import type { Clock } from '../../shared/time/clock.ts';
import type { SandboxProfile } from '../../shared/agents/sandboxProfiles.ts';
import type { SandboxSettings } from '../../contract/schema/runner/settings.ts';
import {
  checkBubblewrapParts,
  checkCommandPart,
  type PartState,
  checkRuntimeParts,
} from './checkSandboxParts.ts';

/** How long a machine that lacks something is believed to still lack it, ms. */
const LOOK_AGAIN_MS = 60_000;

/** What one profile comes to on this machine. */
export interface ProfileState {
  profile: SandboxProfile;
  parts: readonly PartState[];
}

export const isUsable = ({ parts }: ProfileState): boolean => parts.every(({ ok }) => ok);

/** Which profiles are asked for, the best one first. */
export function listWantedProfiles({
  sandboxProfile,
  sandboxCommand,
}: Pick<SandboxSettings, 'sandboxProfile' | 'sandboxCommand'>): readonly SandboxProfile[] {
  if (sandboxProfile !== 'any') return [sandboxProfile];
  return sandboxCommand.length > 0 ? ['command'] : ['runtime', 'bubblewrap'];
}

/** Why none of them can be used, as a clause. */
export const formatProfileLacks = (states: readonly ProfileState[]): string =>
  [
    ...new Set(
      states.flatMap(({ parts }) => parts.filter(({ ok }) => !ok).map(({ detail }) => detail)),
    ),
  ].join('; ');

interface ProbeOptions {
  platform: NodeJS.Platform;
  /** The variable PATH. */
  path: string | undefined;
  /** svc's own folder. */
  home: string;
}

/** Looks at each profile that the settings ask for. */
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
      const partsOf = profile === 'runtime' ? checkRuntimeParts : checkBubblewrapParts;
      return { profile, parts: await partsOf(platform, path) };
    }),
  );

/** What the probe has found: a profile, or why no profile can be used. */
export type ProbedSandbox =
  | { profile: SandboxProfile; lacks: null }
  | { profile: null; lacks: string };

const pickUsableProfile = (states: readonly ProfileState[]): ProbedSandbox => {
  const found = states.find(isUsable);
  return found
    ? { profile: found.profile, lacks: null }
    : { profile: null, lacks: formatProfileLacks(states) };
};

/**
 * Tries once what the settings ask for, and remembers it: what works for as long as the runner
 * runs, what lacks for a minute.
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
    const asked = JSON.stringify([settings.sandboxProfile, settings.sandboxCommand]);
    const known = this.#known;
    if (known?.findUsable === asked) {
      const probed = await known.probed;
      if (probed.profile !== null || this.#clock.now() - known.at < LOOK_AGAIN_MS) return probed;
    }
    const probed = this.#look(settings).then(pickUsableProfile);
    this.#known = { findUsable: asked, at: this.#clock.now(), probed };
    return probed;
  }
}
