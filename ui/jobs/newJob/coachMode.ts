import type { ConfigPatch, ConfigReply } from '../../../src/contract/schema/runner/config.ts';

export interface CoachMode {
  enabled: boolean;
  totalRuns: number;
  graduateAfterRuns: number;
  /** True where a person has ended it, or has said that it stays. */
  graduated: boolean;
}

/** Of the reply of GET /config. */
export function readCoachMode({ config }: Pick<ConfigReply, 'config'>): CoachMode {
  const { enabled, totalRuns, graduateAfterRuns, graduatedAt } = Object(
    config['coachMode'],
  ) as Record<string, unknown>;
  return {
    enabled: enabled !== false,
    totalRuns: typeof totalRuns === 'number' ? totalRuns : 0,
    graduateAfterRuns:
      typeof graduateAfterRuns === 'number' ? graduateAfterRuns : Number.POSITIVE_INFINITY,
    graduated: typeof graduatedAt === 'string' && graduatedAt !== '',
  };
}

/** Whether the person is to be asked if the learning phase is over. */
export const shouldAskToGraduate = ({
  enabled,
  totalRuns,
  graduateAfterRuns,
  graduated,
}: CoachMode): boolean => enabled && !graduated && totalRuns >= graduateAfterRuns;

/**
 * What answers the question: `keep` asks never again, `end` also lets new jobs begin without
 * being interactive. `now` is epoch ms.
 */
export const buildGraduationPatch = (answer: 'keep' | 'end', now: number): ConfigPatch => ({
  coachMode: {
    ...(answer === 'end' ? { enabled: false } : {}),
    graduatedAt: new Date(now).toISOString(),
  },
});
