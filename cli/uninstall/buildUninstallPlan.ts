import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, sep } from 'node:path';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import { resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import { readClosedJobs } from '../../src/jobs/store/queries/readClosedJobs.ts';
import { isStateHeld } from '../../src/kernel/sqlite/inspectStore.ts';
import { toErrorMessage, SvcError } from '../../src/base/errors/errors.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import type { Stake } from '../../src/contract/schema/runner/uninstall.ts';
import { collectStakes } from '../../src/host/uninstall/collectStakes.ts';
import type { StakeRequest } from '../../src/host/uninstall/collectWorkStakes.ts';
import {
  type HomeFolder,
  inspectHomeToRemove,
} from '../../src/host/uninstall/inspectHomeToRemove.ts';
import type { NamedRepository } from '../../src/host/uninstall/knownRepositories.ts';
import type { RunnerHere } from '../base/runnerCommand.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { findHolder } from '../local/start/findHolder.ts';
import { chooseServiceManager } from '../service/chooseServiceManager.ts';
import { buildServicePlan } from '../service/buildServicePlan.ts';
import { type Installation, findInstallation } from './findInstallation.ts';
import { type HomeService, type KnownManager, findServicesHere } from './findServicesHere.ts';
import { findShellCompletion, type StartFile } from './findShellCompletion.ts';
import { explainRunningDatabase, findTrialDatabase, type TrialDatabase } from './trialDatabase.ts';

/** Most jobs that the runner lists at once. */
const PAGE = 500;
/** Of jobs, for its list: all but those that are over for good. */
const NOT_OVER = 'needs-you,queued,working,waiting,failed,partial';

export interface UninstallPlan {
  homePath: string;
  /** null = it does not exist, or is not a home. */
  home: HomeFolder | null;
  runner: RunnerHere | null;
  /** Process of a runner that does not answer yet; null = none is known. */
  silentRunner: number | null;
  services: HomeService[];
  /** What svc cloud start has made for this home; null = nothing. */
  database: TrialDatabase | null;
  completion: StartFile[];
  /** Copies of the program that the home keeps; null = none. */
  copies: string | null;
  installation: Installation;
  /** With --purge: what would be lost with the home; null = the home stays. */
  stakes: Stake[] | null;
  byHand: string[];
  /** Why it cannot be done now; null = it can. */
  blocked: string | null;
}

/** What the configuration says of places, as far as it can be read. */
interface ConfiguredPlaces {
  workingDir: string;
  local: NamedRepository[];
  hasConfig: boolean;
  problem: string | null;
}

/** Finds everything of svc that an uninstall concerns. Changes nothing. */
export async function buildUninstallPlan(
  io: Io,
  {
    version,
    purge,
    runner,
    note,
  }: { version: string; purge: boolean; runner: RunnerHere | null; note(text: string): void },
): Promise<UninstallPlan> {
  const { env, homeDir } = io;
  const root = findPackageRoot(import.meta.url);
  const homePath = resolveHomeFolder(env.SVC_HOME || null, homeDir);
  const places = await readConfiguredPlaces(io, homePath, root);
  const plans = [null, []].map(
    (more) =>
      buildServicePlan({
        more,
        node: process.execPath,
        script: join(root, 'cli', 'bin', 'run.js'),
        version,
        home: homePath,
        userHome: homeDir,
        systemUser: null,
        env,
      }).plan,
  );
  const home = await findRemovableHome(homePath, homeDir, purge, places.hasConfig);
  const services = await findServicesHere(listServiceManagers(io), plans, root);
  const database = home === null ? null : await findTrialDatabase(home.path);
  const completion = await findShellCompletion(homeDir, env);
  const copies = home?.own.includes('programs') ? join(home.path, 'programs') : null;
  const installation = await findInstallation(root, process.platform);
  const [other] = services.others;
  const silentRunner =
    home === null || runner !== null ? null : await findHolder(home.path, io.now());
  return {
    homePath,
    home,
    runner,
    silentRunner,
    services: services.own,
    database,
    // Completion files of an installation that stays are not removed.
    completion: other === undefined ? completion.files : [],
    copies: installation.command === null ? null : copies,
    installation:
      other === undefined
        ? installation
        : {
            root,
            command: null,
            byHand: `The program stays: the service ${other} of another home uses it.`,
          },
    stakes: purge && home !== null ? await listStakes(home, places, runner, note) : null,
    byHand: [
      ...completion.left.map((line) => `Check ${line}, which names svc.`),
      ...(purge && home !== null ? await listLeftOutside(home, places) : []),
    ],
    blocked:
      explainBlock({ home, runner, silentRunner, services: services.own }, purge, io) ??
      explainRunningDatabase(database, { purge, services: services.own }),
  };
}

export const recheckStakes = async (io: Io, { home, homePath }: UninstallPlan): Promise<Stake[]> =>
  home === null
    ? []
    : listStakes(
        home,
        await readConfiguredPlaces(io, homePath, findPackageRoot(import.meta.url)),
        null,
        () => {},
      );

async function readConfiguredPlaces(
  { env, homeDir }: Io,
  home: string,
  root: string,
): Promise<ConfiguredPlaces> {
  try {
    const { settings } = await loadSettings({ env, homeDir, flags: {}, packageRoot: root });
    const { paths, forges, configFile } = settings;
    return {
      workingDir: paths.workingDir,
      local: Object.entries(forges.local.repos).map(([slug, { path }]) => ({ slug, path })),
      hasConfig: existsSync(configFile),
      problem: null,
    };
  } catch (error) {
    const problem = toErrorMessage(error);
    return { workingDir: join(home, 'work'), local: [], hasConfig: false, problem };
  }
}

/** Throws SvcError `conflict` where something is to be removed in a folder that is not a home. */
async function findRemovableHome(
  path: string,
  userHome: string,
  purge: boolean,
  hasConfig: boolean,
): Promise<HomeFolder | null> {
  try {
    return await inspectHomeToRemove(path, { userHome, hasConfig });
  } catch (error) {
    if (purge) throw error;
    return null;
  }
}

function listServiceManagers({ env, homeDir }: Io): KnownManager[] {
  const platform = process.platform;
  const of = (isSystem: boolean): KnownManager => ({
    isSystem,
    manager: chooseServiceManager(
      {
        platform,
        env,
        userHome: homeDir,
        userName: readUserName(),
        uid: process.getuid?.() ?? 0,
        isSystem,
      },
      true,
    ),
  });
  return platform === 'win32' ? [of(false)] : [of(false), of(true)];
}

/** Many containers have no name for their user. */
function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

async function readOpenJobs(
  home: HomeFolder,
  runner: RunnerHere | null,
): Promise<StakeRequest['jobs']> {
  if (runner === null) {
    const file = join(home.path, 'state.db');
    if (!existsSync(file)) return { jobs: [] };
    return readClosedJobs(file);
  }
  const jobs: { id: string; description: string }[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await runner.client.jobs({ is: NOT_OVER, limit: PAGE, offset, sort: 'created' });
    for (const { id, description, ended } of page.jobs) if (!ended) jobs.push({ id, description });
    if (page.jobs.length < PAGE) return { jobs };
  }
}

async function listStakes(
  home: HomeFolder,
  { workingDir, local }: ConfiguredPlaces,
  runner: RunnerHere | null,
  note: (text: string) => void,
): Promise<Stake[]> {
  // The person saw what its removal loses, and agreed, when the removal began.
  if (home.begun) return [];
  return collectStakes({
    home: home.path,
    workingDir,
    local,
    jobs: await readOpenJobs(home, runner),
    createName: randomIds.next,
    onFolder: (n, of) => {
      if (n === 1 || n % 50 === 0) note(`Checking the folders of jobs for work: ${n} of ${of} …\n`);
    },
  });
}

/** What removing the home leaves behind, because it is elsewhere or not svc's. */
async function listLeftOutside(home: HomeFolder, places: ConfiguredPlaces): Promise<string[]> {
  const { workingDir, problem } = places;
  const work = await realpath(workingDir).catch(() => null);
  const isElsewhere = work !== null && !work.startsWith(`${home.path}${sep}`);
  const links: string[] = [];
  for (const name of home.own)
    if ((await lstat(join(home.path, name)).catch(() => null))?.isSymbolicLink())
      links.push(
        `${join(home.path, name)} is a link: it goes, and ${await realpath(join(home.path, name)).catch(() => 'what it led to')} stays.`,
      );
  return [
    ...(isElsewhere ? [`The folders of jobs are elsewhere and stay: ${work}`] : []),
    ...links,
    ...(home.others.length > 0
      ? [
          `Not svc's, so it stays, and with it ${home.named}: ${home.others.slice(0, 5).join(', ')}${home.others.length > 5 ? ', …' : ''}`,
        ]
      : []),
    ...(problem === null
      ? []
      : [`The configuration cannot be read, so its repositories are unknown. ${problem}`]),
  ];
}

function explainBlock(
  {
    home,
    runner,
    silentRunner,
    services,
  }: Pick<UninstallPlan, 'home' | 'runner' | 'silentRunner' | 'services'>,
  purge: boolean,
  { env }: Io,
): string | null {
  const ofMachine = services.find(({ isSystem }) => isSystem);
  if (ofMachine && process.getuid?.() !== 0) {
    const variable = env.SVC_HOME ? `SVC_HOME='${env.SVC_HOME}' ` : '';
    const cloud = ofMachine.plan.serves === 'cloud' ? ' --cloud' : '';
    return `${ofMachine.file} keeps this home running for the whole machine. Remove it first: sudo ${variable}svc service uninstall${cloud} --system --as ${readUserName()}`;
  }
  if (home === null || runner !== null) return null;
  const state = join(home.path, 'state.db');
  if (!existsSync(state) || !isStateHeld(state)) return null;
  if (silentRunner !== null)
    return purge
      ? `The runner (process ${silentRunner}) does not answer yet, so it cannot be asked for its jobs. Run svc stop, then svc uninstall again.`
      : null;
  return `A process has ${state} but does not answer as a runner. End it first (runner.lock.json beside it names it), then run svc uninstall again.`;
}

/** Throws SvcError for what an uninstall cannot do now. */
export function refuseBlocked({ blocked }: UninstallPlan): void {
  if (blocked !== null) throw new SvcError('not-possible-now', `${blocked} Nothing was changed.`);
}
