import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Releasers } from '../../src/base/concurrency/releasers.ts';
import type { Screen } from '../screen.ts';
import { ControlPlaneProcess } from './controlPlaneProcess.ts';
import { createTeam } from './createTeam.ts';
import { type DemoMachine, startWithPostgres } from './providePostgres.ts';
import { readTeamPlace, type TeamPlace } from './teamClient.ts';
import { connectMachine, makeTeamMachine, type TeamMachine } from './teamMachine.ts';

export const OWNER = { name: 'Ada', email: 'ada@example.com' };

export interface TeamParts {
  screen: Screen;
  /** Folder of the demo. */
  dir: string;
  packageRoot: string;
  machine: DemoMachine;
  /** Gets everything that has to be stopped. */
  opened: Releasers;
}

export interface PlayedTeam<Outcome = object> {
  ok: boolean;
  /** What `svc jobs --team` prints at the end. */
  list: string;
  /** What was completed, without the time. */
  headline: string;
  /** What `--json` prints. */
  outcome: Outcome;
}

/** A team whose owner is logged in on a machine of hers, whose runner has not been started yet. */
export interface DemoTeam {
  place: TeamPlace;
  laptop: TeamMachine;
  /** Makes a machine; its runner is stopped at the end. */
  prepare(name: string, repo: string): TeamMachine;
  /** As an admin does it: a code from the team, typed on the machine, whose runner is then started. */
  pair(joining: TeamMachine, labels: readonly string[]): Promise<void>;
}

/** `buildArguments`: program and arguments of its control plane; `bin` is that of the command line. */
export async function openDemoTeam(
  { screen, dir, packageRoot, machine, opened }: TeamParts,
  buildArguments: (bin: string, home: string) => readonly string[],
): Promise<DemoTeam> {
  const bin = join(packageRoot, 'cli', 'bin', 'run.js');
  cpSync(join(packageRoot, 'demo', 'intelligence'), join(dir, 'tenant'), { recursive: true });
  const prepare = (name: string, repo: string): TeamMachine => {
    const teamMachine = makeTeamMachine(dir, bin, { name, repo });
    opened.add(name, () => teamMachine.runner.stop());
    return teamMachine;
  };
  const laptop = prepare('ada-mac', 'titles');
  const home = join(dir, 'control-plane');
  const controlPlane = new ControlPlaneProcess(home, buildArguments(bin, home));
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
  const pair = async (joining: TeamMachine, labels: readonly string[]): Promise<void> => {
    const more = labels.length > 0 ? ['--labels', labels.join()] : [];
    const pairing = await laptop.runner.command('cloud', 'pair', '--pool', ...more, '--json');
    screen.person(`svc cloud pair ${['--pool', ...more].join(' ')}`, OWNER.name);
    await joining.runner.command('login', ...cloudUrl, '--pair', JSON.parse(pairing).code);
    screen.say(`${joining.name}: svc login --cloud-url ${publicUrl} --pair …`);
    await connectMachine(joining);
    screen.say(
      `${joining.name}: svc start; connected${labels.length > 0 ? `, with the label ${labels.join()}` : ''}`,
    );
  };
  return { place: readTeamPlace(laptop.home), laptop, prepare, pair };
}
