import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Releasers } from '../../src/base/concurrency/releasers.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { Screen } from '../screen.ts';
import { ControlPlaneProcess } from './controlPlaneProcess.ts';
import { createTeam } from './createTeam.ts';
import { type DemoMachine, startWithPostgres } from './providePostgres.ts';
import { readTeamPlace } from './teamClient.ts';
import { awaitWaitingDispatch, describeWanted, dispatchToTeam, playTeamJob } from './teamJob.ts';
import { connectMachine, makeTeamMachine, type TeamMachine } from './teamMachine.ts';

const OWNER = { name: 'Ada', email: 'ada@example.com' };
const LABEL = 'gpu';

export interface TeamParts {
  screen: Screen;
  /** Folder of the demo. */
  dir: string;
  packageRoot: string;
  machine: DemoMachine;
  /** Gets everything that has to be stopped. */
  opened: Releasers;
}

export interface PlayedTeam {
  ok: boolean;
  /** What `svc jobs --team` prints at the end. */
  list: string;
  outcome: {
    jobs: { repo: string; runner: string; status: string; merges: number }[];
    reason: string;
  };
}

/** Plays a team: a control plane, two runners with a job each, and a job that waits for a third runner's label. */
export async function playTeam(parts: TeamParts): Promise<PlayedTeam> {
  const { screen, dir, packageRoot, machine, opened } = parts;
  const bin = join(packageRoot, 'cli', 'bin', 'run.js');
  cpSync(join(packageRoot, 'demo', 'intelligence'), join(dir, 'tenant'), { recursive: true });
  const prepare = (name: string, repo: string): TeamMachine => {
    const made = makeTeamMachine(dir, bin, { name, repo });
    opened.add(name, () => made.runner.stop());
    return made;
  };
  const laptop = prepare('ada-mac', 'titles');
  const pool = prepare('pool-1', 'slugs');
  const controlPlane = new ControlPlaneProcess(join(dir, 'control-plane'), bin);
  opened.add('control plane', () => controlPlane.stop());
  const { publicUrl, database, ownerLink } = await startWithPostgres(
    controlPlane,
    machine,
    (text) => screen.say(text),
  );
  screen.say(`control plane at ${publicUrl}, with ${database}`);
  const { email, password } = await createTeam(ownerLink ?? '', 'Acme', OWNER);
  screen.person(`opens the link of the first owner and creates the team Acme`, OWNER.name);
  const cloudUrl = ['--cloud-url', publicUrl];
  const who = ['--email', email, '--password', '-'];
  await laptop.runner.commandWithInput(`${password}\n`, 'login', ...cloudUrl, ...who);
  screen.person(`on ada-mac: svc login --cloud-url ${publicUrl}`, OWNER.name);

  /** As an admin does it: a code from the team, typed on the machine. */
  const pair = async (joining: TeamMachine, labels: readonly string[]): Promise<void> => {
    const more = labels.length > 0 ? ['--labels', labels.join()] : [];
    const made = await laptop.runner.command('cloud', 'pair', '--pool', ...more, '--json');
    screen.person(`svc cloud pair ${['--pool', ...more].join(' ')}`, OWNER.name);
    await joining.runner.command('login', ...cloudUrl, '--pair', JSON.parse(made).code);
    screen.say(`${joining.name}: svc login --cloud-url ${publicUrl} --pair …`);
    await connectMachine(joining);
    screen.say(
      `${joining.name}: svc start; connected${labels.length > 0 ? `, with the label ${labels.join()}` : ''}`,
    );
  };
  await pair(pool, []);
  await connectMachine(laptop);
  screen.say('ada-mac: svc start; connected');

  const place = readTeamPlace(laptop.home);
  const play = async (repo: string, labels: readonly string[] = []) => {
    screen.person(describeWanted(repo, labels), OWNER.name);
    const made = await dispatchToTeam(place, repo, labels);
    screen.say(`the control plane has placed it on ${made.runner.name}: job ${made.jobId}`);
    return {
      repo,
      runner: made.runner.name,
      job: await playTeamJob(place, made, { screen, reviewer: OWNER.name }),
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
    merges: countMerges(job),
  }));
  return {
    ok:
      jobs.every(({ status, merges }) => status === 'complete' && merges === 1) &&
      jobs.map(({ runner }) => runner).join() === 'ada-mac,pool-1,gpu-1',
    list: await laptop.runner.command('jobs', '--team', 'acme'),
    outcome: { jobs, reason },
  };
}

const countMerges = ({ prMappings }: Job): number =>
  prMappings.filter(({ state }) => state === 'merged').length;
