import { createStore } from '@xstate/store';
import type { Surface } from '../../src/contract/schema/cloud/surface.ts';
import type { Me, Team } from '../../src/contract/schema/cloud/team.ts';
import type { TeamRunner } from '../../src/contract/schema/cloud/teamRunner.ts';

export interface TeamStart {
  slug: string;
  me: Me;
  surface: Surface;
  runners: readonly TeamRunner[];
}

interface TeamContext {
  slug: string;
  me: Me;
  surface: Surface;
  /** All of them, also those that are away or revoked. */
  runners: readonly TeamRunner[];
  /** The runner that the person has chosen; null = all. */
  chosen: string | null;
  /** What a new job asks for: its runner, and labels that it must have. */
  target: { runner: string | null; labels: readonly string[] };
}

/** What the pages of a team share. Requests are made elsewhere; they end as events here. */
export const createTeamStore = (start: TeamStart) =>
  createStore({
    context: { ...start, chosen: null, target: { runner: null, labels: [] } } as TeamContext,
    on: {
      runnersRead: (context, event: { runners: readonly TeamRunner[] }) =>
        JSON.stringify(event.runners) === JSON.stringify(context.runners)
          ? context
          : {
              ...context,
              runners: event.runners,
              chosen: event.runners.some(
                ({ id, revokedAt }) => id === context.chosen && revokedAt === null,
              )
                ? context.chosen
                : null,
            },
      accountRead: (context, event: { me: Me; surface: Surface }) => ({
        ...context,
        me: event.me,
        surface: event.surface,
      }),
      teamsRead: (context, event: { teams: readonly Team[] }) => ({
        ...context,
        me: { ...context.me, teams: [...event.teams] },
      }),
      runnerChosen: (context, event: { runner: string | null }) => ({
        ...context,
        chosen: event.runner,
      }),
      targetChosen: (context, event: { target: Partial<TeamContext['target']> }) => ({
        ...context,
        target: { ...context.target, ...event.target },
      }),
    },
  });

export type TeamStore = ReturnType<typeof createTeamStore>;

/** Those that a person can choose. */
export const listUsableRunners = (runners: readonly TeamRunner[]): TeamRunner[] =>
  runners.filter(({ revokedAt }) => revokedAt === null);

/** The runner that requests name: the chosen one, or the only one while it is connected. */
export function findScope({
  chosen,
  runners,
}: Pick<TeamContext, 'chosen' | 'runners'>): string | null {
  if (chosen !== null) return chosen;
  const [only, ...others] = listUsableRunners(runners);
  return only !== undefined && others.length === 0 && only.connected ? only.id : null;
}
