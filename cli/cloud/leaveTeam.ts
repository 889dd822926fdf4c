import { existsSync } from 'node:fs';
import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { isStateHeld } from '../../src/kernel/sqlite/inspectStore.ts';
import {
  countUnsent,
  endStoppedLog,
  leaveStoppedHome,
} from '../../src/host/start/homes/leaveStoppedHome.ts';
import { openHomeClient } from '../../src/host/start/homes/openHomeClient.ts';
import { isPaired } from '../../src/host/start/isPaired.ts';
import { confirmOrRefuse } from '../input/confirmOrRefuse.ts';
import type { Io } from '../io.ts';

type RunningHome = Pick<Client, 'health' | 'leaveTeam'>;

interface Leave {
  /** null = none is running. */
  runner: RunningHome | null;
  settings: Settings;
  abandon: boolean;
  yes: boolean;
}

const describeLoss = (unsent: number): string =>
  `The control plane keeps its copy of this home${unsent === 0 ? '' : `, perhaps without the last ${unsent} change(s), which may be on this machine alone`}. Until this machine is revoked on its page Runners, another runner may continue the jobs from that copy: they would run twice.\n`;

/**
 * Makes this home local: its state and jobs are on this machine alone. Waits while the control plane is away, unless it
 * is abandoned. null = a person has said no. Throws SvcError `home-claimed` where another runner has the home.
 */
export async function leaveTeam(
  io: Pick<Io, 'err' | 'ask' | 'now' | 'onInterrupt'>,
  leave: Leave,
): Promise<{ unsent: number } | null> {
  const { runner, settings, abandon, yes } = leave;
  const { stateDb } = settings.paths;
  if (runner === null && existsSync(stateDb) && isStateHeld(stateDb))
    throw new SvcError(
      'locked',
      `${stateDb} is in use. Stop its runner, or wait until it answers.`,
    );
  const unsent =
    runner === null ? countUnsent(stateDb) : ((await runner.health()).cloud?.state.changes ?? null);
  if (unsent === null) return { unsent: 0 };
  if (abandon) return abandonTeam(io, { runner, stateDb, unsent, yes });
  if (runner !== null) return leaveRunning(io, runner);
  if (!isPaired(settings.cloud))
    throw new SvcError(
      'not-possible-now',
      'The state of this home belongs to a log at a control plane, and its configuration names none. To continue without it: svc logout --abandon',
    );
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort(createInterruptedError()));
  try {
    await leaveStoppedHome(openHomeClient(settings), stateDb, {
      signal: stop.signal,
      onProblem: createWaitNote(io),
    });
  } finally {
    release();
  }
  return { unsent: 0 };
}

async function abandonTeam(
  io: Pick<Io, 'err' | 'ask'>,
  {
    runner,
    stateDb,
    unsent,
    yes,
  }: { runner: RunningHome | null; stateDb: string; unsent: number; yes: boolean },
): Promise<{ unsent: number } | null> {
  io.err(describeLoss(unsent));
  if (!(await confirmOrRefuse(io, yes, 'Continue on this machine alone?'))) return null;
  if (runner !== null) return { unsent: (await runner.leaveTeam({ abandon: true })).unsent };
  endStoppedLog(stateDb);
  return { unsent };
}

/** The runner answers every few seconds, and continues meanwhile. */
async function leaveRunning(io: Pick<Io, 'err'>, runner: RunningHome): Promise<{ unsent: number }> {
  const note = createWaitNote(io);
  for (;;) {
    const { left, unsent } = await runner.leaveTeam({});
    if (left) return { unsent: 0 };
    note(`${unsent} change(s) wait for it`);
  }
}

/** Says once that it waits, and for what. */
function createWaitNote(io: Pick<Io, 'err'>): (problem: string | null) => void {
  let isSaid = false;
  return (problem) => {
    if (isSaid || problem === null) return;
    isSaid = true;
    io.err(
      `The control plane is away (${problem}). svc waits for it; Ctrl-C ends the wait, and svc logout --abandon does without it.\n`,
    );
  };
}

const createInterruptedError = (): SvcError =>
  new SvcError('not-possible-now', 'Interrupted. This home still belongs to its team.');
