import { SvcError } from '../../base/errors/errors.ts';
import type { HomeLinks } from '../runners/homeLinks.ts';
import type { Runners } from '../runners/openRunners.ts';
import { findRunnerByToken, type Holder } from '../runners/runnerRows.ts';
import { hashRunnerToken } from '../runners/runnerTokens.ts';
import type { homeRoutes } from '../routes/homeRoutes.ts';
import type { CloudHandlers, RunnerCredentials } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { NodeLease } from '../server/nodeLease.ts';
import { createHomeHandlers } from './createHomeHandlers.ts';
import { createTeamHomeHandlers } from './createTeamHomeHandlers.ts';
import { enterHome } from './enterHome.ts';
import { EntryIntake } from './entryIntake.ts';
import { keepLogsClean } from './logCleanup.ts';
import { Takeovers, type TakeoverSettings } from './takeovers.ts';

export interface Homes {
  handlers: CloudHandlers<typeof homeRoutes>;
  credentials: RunnerCredentials;
  /** For the sockets of runners. */
  links: HomeLinks;
  /** Begins to look for homes whose runner is lost, with the sockets through which others are asked. */
  watch(runners: Pick<Runners, 'hasRunner' | 'sendAdoption'>): void;
  close(): Promise<void>;
}

const createHeldError = ({ runnerId, name, since }: Holder): SvcError =>
  new SvcError('home-claimed', `The runner ${name} continues the home of this one.`, {
    data: { holder: { runner: runnerId, name, since: since.toISOString() } },
  });

/** The logs of the homes of runners, and who continues the home of one that is lost. */
export function openHomes(
  context: CloudContext,
  lease: Pick<NodeLease, 'holds' | 'getHeldSince'>,
  settings: TakeoverSettings,
): Homes {
  const { database } = context;
  const stopCleanup = keepLogsClean(context);
  let takeovers: Takeovers | null = null;
  return {
    credentials: {
      async findRunner(ctx) {
        const [, token = ''] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
        const hash = hashRunnerToken(token);
        const row = hash === null ? null : await findRunnerByToken(database.sql, hash);
        if (row === null) return null;
        const { id: runnerId, teamId, ownerId, tokenHash, adoption, holder } = row;
        if (adoption === null && holder !== null) throw createHeldError(holder);
        return { runnerId, teamId, ownerId, adoption, tokenHash };
      },
    },
    handlers: {
      ...createHomeHandlers(context, settings.windowMs),
      ...createTeamHomeHandlers(context),
    },
    links: {
      mayGrantLease: () => lease.holds(),
      enter: (sql, runner, hello) => enterHome(sql, runner, hello, settings.windowMs),
      open: ({ id: runnerId }, { home: { head: n, hash } }, socket) =>
        new EntryIntake({ context, runnerId, place: { n, hash }, socket }),
      takeAnswer: (adopterId, answer) => takeovers?.takeAnswer(adopterId, answer),
    },
    watch({ hasRunner, sendAdoption: send }) {
      takeovers ??= new Takeovers({ context, lease, settings, hasRunner, send });
    },
    async close() {
      await takeovers?.close();
      await stopCleanup();
    },
  };
}
