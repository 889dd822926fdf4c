import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AppOptions, createApp } from '../../api/server/app.ts';
import { listenForRequests } from '../../api/server/listenForRequests.ts';
import { removeFencedNote } from '../config/home/fencedNote.ts';
import type { OwnApp } from '../../cloudLink/ownApp.ts';
import type { RunningRunner } from '../runner/runner.ts';
import type { TeamConnection } from './teamConnection.ts';
import type { Start } from './startOptions.ts';

interface ServedParts
  extends Pick<
    AppOptions,
    | 'config'
    | 'trust'
    | 'setUp'
    | 'plugins'
    | 'tools'
    | 'token'
    | 'loginTable'
    | 'metrics'
    | 'notifications'
    | 'trail'
  > {
  runner: RunningRunner;
  webhooks(): boolean;
  team: Pick<TeamConnection, 'link' | 'prepare' | 'noteStart' | 'close' | 'requestLeave' | 'reach'>;
  /** Connects to the control plane, if the configuration names one; `answer`: what its requests are answered by. */
  connect(answer: OwnApp['answer']): Promise<void>;
}

/**
 * Serves a runner and starts it. The port comes first: a runner that cannot be reached must not
 * start agents. Requests wait until the jobs are back.
 */
export const serveRunner = async (
  start: Start,
  { runner, team, connect, ...served }: ServedParts,
) => {
  const { settings, releasers, address } = start;
  const dashboardDir = join(start.packageRoot, 'dist', 'ui');
  let jobsAreBack = () => {};
  const ready = new Promise<void>((resolve) => {
    jobsAreBack = resolve;
  });
  const app = createApp({
    ...served,
    runner,
    brokenRows: runner,
    intake: runner.intake,
    settings,
    publicUrl: () => settings.runner.publicUrl,
    screen: start.secrets.screen,
    log: start.log,
    clock: start.clock,
    awaySince: team.reach.getAwaySince,
    dashboardDir: existsSync(dashboardDir) ? dashboardDir : null,
    ready,
    link: team.link,
    leaveTeam: (isAbandoned) => team.requestLeave(isAbandoned),
    ...(start.confirmed ? { confirmed: start.confirmed } : {}),
    ...(start.process ? { process: start.process } : {}),
  });
  const { host, port, auth } = settings.server;
  const server = await listenForRequests(app, { host, port, token: served.token, auth });
  address.url = server.url;
  // Released after the runner and its port: it is seen to stop.
  releasers.add('connection to the control plane', () => team.close());
  releasers.add('http', () => server.close());
  releasers.add('runner', () => runner.stop());
  const inspectUrl = start.inspect ? await serveInspectors(start, runner) : null;
  await connect(server.answer);
  await team.prepare();
  await runner.start();
  team.noteStart();
  // The jobs are this runner's again.
  await removeFencedNote(settings.home);
  for (const block of ['git', 'tracker'] as const) {
    if (start.config.started?.[block] !== undefined) runner.noteDeprecatedUse(`config ${block}`);
  }
  jobsAreBack();
  return { inspectUrl, loginUrl: () => `${address.url}/login/${app.issueLoginCode()}` };
};

const serveInspectors = async ({ releasers }: Start, runner: RunningRunner): Promise<string> => {
  // A runner without inspectors does not load it.
  const { serveInspection } = await import('../inspection/serveInspection.ts');
  const inspection = await serveInspection(runner.inspect);
  releasers.add('inspection', () => inspection.close());
  return inspection.url;
};
