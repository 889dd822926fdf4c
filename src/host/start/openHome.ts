import { join } from 'node:path';
import { removeLeftCopy } from '../backup/startBackup.ts';
import { STATE } from '../backup/backupFormat.ts';
import {
  findHomeOrigin,
  type HomeOrigin,
  isBeingRestored,
  findOriginalHome,
  saveHomeRecord,
} from '../backup/homeRecord.ts';
import { relocateCheckouts } from '../backup/relocate.ts';
import { ensureHome } from '../config/home/ensureHome.ts';
import { readOrMintToken } from '../config/home/runnerToken.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { CHARTS } from '../runner/charts.ts';
import { createFaultPoints, type FaultPoints } from '../runner/faultPoints.ts';
import { isStateHeld, isLocked } from '../../kernel/sqlite/inspectStore.ts';
import { findLostState } from '../../jobs/store/findLostState.ts';
import { readLogPosition } from '../../kernel/sqlite/log/outgoing.ts';
import { createLockedError, toLockFilePath } from '../../kernel/sqlite/openKernelStore.ts';
import { setAside } from '../../kernel/sqlite/pair/setAside.ts';
import { type OpenStore, openStoreOfRunner } from '../../jobs/store/openStore.ts';
import { isBeingRemoved } from '../uninstall/inspectHomeToRemove.ts';
import { isPaired } from './isPaired.ts';
import { openWhenFree } from './openWhenFree.ts';
import { noteHolder } from './homes/noteHolder.ts';
import type { PairedHome } from './homes/pairedHome.ts';
import type { Start } from './startOptions.ts';
import type { ThreadProgram } from '../../kernel/sqlite/thread/writerThread.ts';

/** From the built package, or from its sources where the runner itself runs from them. */
export const resolveWriterProgram = (packageRoot: string, fromSource: boolean): ThreadProgram =>
  fromSource
    ? {
        file: join(packageRoot, 'src/host/start/stateWriter.ts'),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { file: join(packageRoot, 'dist/runner/stateWriter.js'), execArgv: [] };

export interface Home {
  /** The runner's own token. */
  token: string;
  store: OpenStore;
  /** null = the runner works for no team. */
  paired: PairedHome | null;
  /** Left out where the runner does not kill itself. */
  faultPoints?: FaultPoints;
}

const MOVED = {
  thread: 'the disk is slow: commits are now written on a separate thread',
  inline: 'the disk is fast again: commits of a few events are written in the main thread',
};

/** Where two connections of a process can have a file together that no other process has. */
const canShare = process.platform !== 'win32';

/** Throws SvcError `store-failed` where files of the state are missing; a person may accept that. */
function refuseLost({ settings, acceptLoss, clock, log }: Start): void {
  const { stateDb, workingDir } = settings.paths;
  const lostState = findLostState(stateDb, workingDir);
  if (lostState === null) return;
  if (acceptLoss !== true)
    throw new SvcError(
      'store-failed',
      `${lostState.detail}. Nothing was changed. ${lostState.fix}`,
    );
  if (isLocked(stateDb))
    throw new SvcError('locked', `${stateDb} is in use. Stop its runner first.`);
  const movedFiles = setAside(stateDb, clock.now());
  log.warn({ kept: movedFiles }, `${lostState.detail}. The runner starts without it, as asked for`);
}

/** Creates the home if it does not exist. Throws SvcError `store-failed` for one that no runner may use. */
export async function checkHome({ settings }: Pick<Start, 'settings'>): Promise<void> {
  if (isBeingRestored(settings.home))
    throw new SvcError(
      'store-failed',
      `A restore into ${settings.home} has not finished. Run the same svc restore again: it continues.`,
    );
  if (await isBeingRemoved(settings.home))
    throw new SvcError(
      'store-failed',
      `The removal of ${settings.home} was started but did not finish, so the home is incomplete. svc uninstall --purge finishes it.`,
    );
  await ensureHome(settings);
}

/** Throws SvcError `store-failed` where another home has the same jobs. Gives where the home was before. */
async function findUniqueOrigin({ settings }: Start): Promise<HomeOrigin> {
  const origin = await findHomeOrigin(settings.home);
  if (origin !== 'here' && origin.isCopy)
    throw new SvcError(
      'store-failed',
      `${settings.home} is a copy of the home ${origin.from}, which still exists: two runners would continue the same jobs. Move ${origin.from} away, or make the copy with svc backup and svc restore.`,
    );
  const original = await findOriginalHome(settings.home);
  if (original !== null && isStateHeld(join(original, STATE)))
    throw new SvcError(
      'store-failed',
      `${settings.home} was restored from a backup of ${original}, whose runner is running: two runners would continue the same jobs. Stop that one first, and do not start it again.`,
    );
  return origin;
}

/**
 * Opens the store of a home, which exists. Throws SvcError `locked` when another runner holds it, `store-failed` when
 * its state was lost.
 */
export const openHome = async (start: Start): Promise<Home> => {
  const { settings, ids, log, pid, clock, faults } = start;
  const origin = await findUniqueOrigin(start);
  const pairedHome = await claimPairedHome(start);
  if (pairedHome?.isClaimed !== true) refuseLost(start);
  const token = await readOrMintToken(settings.paths.tokenFile, ids);
  start.secrets.add([token]);
  const faultPoints = faults
    ? createFaultPoints(faults, () => process.kill(process.pid, 'SIGKILL'))
    : undefined;
  const { commits: place = 'auto' } = start;
  const openState = () =>
    openStoreOfRunner({
      file: settings.paths.stateDb,
      pid,
      now: clock.now(),
      clock: () => clock.now(),
      later: (run, ms) => clock.at(clock.now() + ms, run),
      release: settings.version,
      charts: CHARTS.map(({ id }) => id),
      tell: (facts, text) => log.info(facts, text),
      metBroken: (row) =>
        log.error(row, 'a stored row cannot be read and was skipped; svc doctor --fix repairs it'),
      thread:
        place === 'inline' || !canShare
          ? undefined
          : resolveWriterProgram(start.packageRoot, import.meta.url.endsWith('.ts')),
      commits: {
        place,
        measureElapsed: () => performance.now(),
        onMove: ({ place, ms }) => log.info({ place, ms: Math.round(ms * 10) / 10 }, MOVED[place]),
        ...(faultPoints && { onHandOver: faultPoints.passHandOver }),
      },
    });
  const store = await openWhenFree(openState, clock, start.stateWait);
  start.releasers.add('store', () => store.release());
  if (origin !== 'here') {
    const move = { from: origin.from, to: settings.home };
    const checkouts = await relocateCheckouts(settings.paths.workingDir, move);
    log.info({ ...move, checkouts }, 'the home was moved; the paths in it were changed');
  }
  await saveHomeRecord(settings.home, ids);
  await removeLeftCopy(settings.home);
  if (pairedHome !== null) {
    const { putStaleCheckoutsAside } = await import('./homes/staleCheckouts.ts');
    await putStaleCheckoutsAside(start, store);
    await pairedHome.begin(store);
  } else if (readLogPosition(store.db) !== null) throw createNoLogError();
  if (!faultPoints) return { token, store, paired: pairedHome };
  faultPoints.wrapCommits(store.durable);
  return { token, store, paired: pairedHome, faultPoints };
};

/**
 * Takes the home from the control plane of the runner's team, before its state is opened; null = it works for no team.
 * What speaks with the control plane is loaded only then.
 */
async function claimPairedHome(start: Start): Promise<PairedHome | null> {
  const { settings, clock, stateWait } = start;
  if (!isPaired(settings.cloud)) return null;
  const { openPairedHome } = await import('./homes/openPairedHome.ts');
  const pairedHome = openPairedHome(start);
  start.releasers.add('home at the control plane', () => pairedHome.close());
  const waitForFree = async (): Promise<void> => {
    const { stateDb } = settings.paths;
    if (isStateHeld(stateDb))
      throw createLockedError(stateDb, toLockFilePath(stateDb), new SvcError('locked', stateDb));
  };
  await openWhenFree(waitForFree, clock, stateWait);
  await pairedHome.claim().catch((error: unknown) => {
    noteHolder(settings.home, error);
    throw error;
  });
  return pairedHome;
}

const createNoLogError = (): SvcError =>
  new SvcError(
    'config-invalid',
    'The state of this home belongs to a log at a control plane, and cloud.url or cloud.token is missing in its configuration. Set both again, or run svc logout --abandon to continue on this machine alone.',
  );
