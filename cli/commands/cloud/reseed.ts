import { Flags } from '@oclif/core';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { readOwnHomeId } from '../../../src/host/backup/homeRecord.ts';
import { openHomeClient } from '../../../src/host/start/homes/openHomeClient.ts';
import { resolveCheckerProgram } from '../../../src/host/start/homes/openPairedHome.ts';
import {
  readReseedChoice,
  type ReseedChoice,
  reseedHome,
  takeCloudState,
} from '../../../src/host/start/homes/reseedHome.ts';
import { isPaired } from '../../../src/host/start/isPaired.ts';
import { isStateHeld } from '../../../src/kernel/sqlite/inspectStore.ts';
import { RunnerCommand } from '../../base/runnerCommand.ts';
import { readHomeSettings } from '../../cloud/readHomeSettings.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { confirmOrRefuse, refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import { yesFlag } from '../../input/flags.ts';

interface ReseedReply {
  /** Whether it was done. */
  done: boolean;
  /** Which state counts now. */
  counts: 'machine' | 'cloud';
  /** The last entry of this machine's state; null = it has none, or no log. */
  machine: number | null;
  /** The last entry of the control plane; null = it has no log of this home. */
  cloud: number | null;
}

const REASON = 'svc cloud reseed';

export default class CloudReseedCommand extends RunnerCommand {
  static override summary =
    "Decide which state of this home counts: this machine's, or the control plane's.";
  static override description =
    "Needed where the two do not fit, as after the control plane's database was restored from a backup: the runner then does not start, and nothing is decided by itself. By default this machine's state counts: the log begins again from it, and what the control plane has of this home is given up. With --from-cloud the control plane's state counts; this machine's stays beside it as state.db.diverged-<n>. The runner must be stopped.";
  static override examples = [
    '<%= config.bin %> cloud reseed',
    '<%= config.bin %> cloud reseed --from-cloud',
  ];
  static override flags = {
    'from-cloud': Flags.boolean({
      description: "The control plane's state counts. Default: this machine's.",
    }),
    yes: yesFlag,
  };

  async run(): Promise<ReseedReply> {
    const { flags } = await this.parse(CloudReseedCommand);
    refuseInsideSession(this.io.env, 'decide which state of a home counts');
    const settings = await readHomeSettings(this.io);
    const { home, paths } = settings;
    if (!isPaired(settings.cloud))
      throw new SvcError('not-possible-now', 'This home belongs to no team. See svc login.');
    if ((await this.runnerOrNull()) !== null || isStateHeld(paths.stateDb))
      throw new SvcError('locked', `The runner of ${home} is running. Stop it first: svc stop`);
    const stop = new AbortController();
    const release = this.io.onInterrupt(() => stop.abort(createInterruptedError()));
    const client = openHomeClient(settings);
    const patience = {
      signal: stop.signal,
      onProblem: (problem: string | null) => this.note(problem === null ? '' : `${problem}\n`),
    };
    try {
      const choice = await readReseedChoice(client, { home, stateDb: paths.stateDb }, patience);
      const counts = flags['from-cloud'] ? 'cloud' : 'machine';
      const { machine, cloud } = choice;
      this.io.err(describeChoice(choice, counts));
      if (!(await confirmOrRefuse(this.io, flags.yes, 'Do this?'))) {
        this.io.err('Nothing was done.\n');
        this.io.exitWith(1);
        return { done: false, counts, machine, cloud };
      }
      if (counts === 'cloud') {
        refuseNothing(choice);
        await takeCloudState(home);
      } else
        await reseedHome({
          client,
          home,
          stateDb: paths.stateDb,
          homeId: (await readOwnHomeId(home)) ?? randomIds.next(),
          reason: REASON,
          checker: resolveCheckerProgram(findPackageRoot(import.meta.url)),
          ids: randomIds,
          patience,
        });
      this.print('Done. Start the runner: svc start\n');
      return { done: true, counts, machine, cloud };
    } finally {
      release();
    }
  }
}

const describeEntry = (n: number | null): string => (n === null ? 'has none' : `is at entry ${n}`);

function describeChoice(
  { machine, cloud, diverged }: ReseedChoice,
  counts: ReseedReply['counts'],
): string {
  const loser =
    counts === 'machine'
      ? "What the control plane has of this home beyond this machine's state is given up: jobs and answers that only it has."
      : 'What only this machine has is not used; it stays beside state.db. Steps that were already acted on may be taken again.';
  return [
    diverged === null ? '' : `They do not fit: ${diverged.detail}.\n`,
    `This machine's state ${describeEntry(machine)}; the control plane's ${describeEntry(cloud)}.\n`,
    `${loser}\n`,
  ].join('');
}

function refuseNothing({ cloud }: ReseedChoice): void {
  if (cloud !== null) return;
  throw new SvcError(
    'not-found',
    'The control plane has no log of this home: only the state of this machine can count.',
  );
}

const createInterruptedError = (): SvcError =>
  new SvcError('not-possible-now', 'Interrupted. Run svc cloud reseed again.');
