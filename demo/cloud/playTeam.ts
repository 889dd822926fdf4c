import { openDemoTeam, OWNER, type PlayedTeam, type TeamParts } from './openDemoTeam.ts';
import {
  awaitWaitingDispatch,
  countMergedPrs,
  describeWanted,
  dispatchToTeam,
  playTeamJob,
} from './teamJob.ts';
import { connectMachine } from './teamMachine.ts';

const LABEL = 'gpu';

interface TeamOutcome {
  jobs: { repo: string; runner: string; status: string; merges: number }[];
  reason: string;
}

/** Plays a team: a control plane, two runners with a job each, and a job that waits for a third runner's label. */
export async function playTeam(parts: TeamParts): Promise<PlayedTeam<TeamOutcome>> {
  const { screen } = parts;
  const { place, laptop, prepare, pair } = await openDemoTeam(parts, (bin) => [
    bin,
    'cloud',
    'start',
    '--port',
    '0',
    '--json',
  ]);
  const pool = prepare('pool-1', 'slugs');
  await pair(pool, []);
  await connectMachine(laptop);
  screen.say('ada-mac: svc start; connected');

  const play = async (repo: string, labels: readonly string[] = []) => {
    screen.person(describeWanted(repo, labels), OWNER.name);
    const placement = await dispatchToTeam(place, repo, labels);
    screen.say(
      `the control plane has placed it on ${placement.runner.name}: job ${placement.jobId}`,
    );
    return {
      repo,
      runner: placement.runner.name,
      job: await playTeamJob(place, placement, { screen, reviewer: OWNER.name }),
    };
  };
  const playing = [play(laptop.repo), play(pool.repo), play('models', [LABEL])];
  const appear = async (): Promise<string> => {
    const { reason } = await awaitWaitingDispatch(place);
    screen.say(`the job for models waits: ${reason}; so a runner with the label appears`);
    await pair(prepare('gpu-1', 'models'), [LABEL]);
    return reason;
  };
  const [reason, ...played] = await Promise.all([appear(), ...playing]);
  const jobs = played.map(({ repo, runner, job }) => ({
    repo,
    runner,
    status: job.status,
    merges: countMergedPrs(job),
  }));
  return {
    ok:
      jobs.every(({ status, merges }) => status === 'complete' && merges === 1) &&
      jobs.map(({ runner }) => runner).join() === 'ada-mac,pool-1,gpu-1',
    list: await laptop.runner.command('jobs', '--team', 'acme'),
    headline: `${jobs.length} jobs of one team on ${new Set(jobs.map(({ runner }) => runner)).size} runners`,
    outcome: { jobs, reason },
  };
}
