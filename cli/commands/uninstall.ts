import { existsSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { Flags } from '@oclif/core';
import { Database } from '../../src/kernel/sqlite/database.ts';
import { removeTree } from '../../src/git/cleanup/tree.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Stake } from '../../src/contract/schema/runner/uninstall.ts';
import { removeHome } from '../../src/host/uninstall/removeHome.ts';
import { RunnerCommand } from '../base/runnerCommand.ts';
import { stopRunnerProcess, untilKilled } from '../remote/stopRunnerProcess.ts';
import { confirmOrRefuse } from '../input/confirmOrRefuse.ts';
import { releaseHome } from '../cloud/releaseHome.ts';
import { yesFlag } from '../input/flags.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';
import {
  formatManualSteps,
  removesNothing,
  formatUninstallPlan,
  formatStakes,
  describeStartFile,
} from '../render/runner/formatUninstallPlan.ts';
import { uninstallService } from '../service/installService.ts';
import { runServiceProgram } from '../service/runServiceProgram.ts';
import { refuseRunningDatabase, removeDatabase } from '../uninstall/trialDatabase.ts';
import { formatShellCommand, removeProgram } from '../uninstall/findInstallation.ts';
import { removeCompletion, type StartFile } from '../uninstall/findShellCompletion.ts';
import {
  refuseBlocked,
  recheckStakes,
  type UninstallPlan,
  buildUninstallPlan,
} from '../uninstall/buildUninstallPlan.ts';

interface UninstallReply {
  /** false = only shown, or declined. */
  done: boolean;
  home: string;
  /** What becomes of the home; `none`: it does not exist. */
  homeIs: 'kept' | 'removed' | 'none';
  /** Process of the runner that was stopped; null = none ran. */
  runner: number | null;
  services: string[];
  completion: StartFile[];
  program: { root: string; command: string | null };
  /** Folder of the database that svc cloud start made; null = none. --purge removes it. */
  database: string | null;
  /** With --purge: what would be lost with the home. */
  atStake: Stake[];
  byHand: string[];
}

export default class UninstallCommand extends RunnerCommand {
  static override summary =
    'Remove svc: services, completion and program. The home with its jobs and the database of a control plane are kept, unless --purge is given.';
  static override description =
    'Lists everything first and asks; without a terminal, --yes is required. A running runner of this home is stopped. --purge also removes the home: it lists work that exists only there, and asks for the name of the home. If interrupted, run it again. Exits with 1 if you decline.';
  static override examples = [
    '<%= config.bin %> uninstall --dry-run',
    '<%= config.bin %> uninstall',
    '<%= config.bin %> uninstall --purge',
  ];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only show what would be removed.' }),
    purge: Flags.boolean({
      description:
        'Remove the home too: state, configuration, tokens, checkouts, and the database that svc cloud start made for it.',
    }),
    'discard-work': Flags.boolean({
      description:
        'With --purge and --yes: remove the home even if it holds work that exists only there. Default: refused.',
      dependsOn: ['purge', 'yes'],
    }),
    yes: yesFlag,
  };

  async run(): Promise<UninstallReply> {
    const { flags } = await this.parse(UninstallCommand);
    const plan = await buildUninstallPlan(this.io, {
      version: this.config.version,
      purge: flags.purge,
      runner: await this.runnerOrNull(),
      note: (text) => this.note(text),
    });
    if (flags['dry-run'] || removesNothing(plan)) {
      this.print(formatUninstallPlan(plan));
      return toUninstallReply(plan, false);
    }
    refuseBlocked(plan);
    if (!flags.yes || !this.jsonEnabled()) this.io.err(formatUninstallPlan(plan));
    if (!(await this.#confirmRemoval(plan, flags))) {
      this.io.err('Nothing was done.\n');
      this.io.exitWith(1);
      return toUninstallReply(plan, false);
    }
    await this.#carryOut(plan);
    return toUninstallReply(plan, true);
  }

  /**
   * Asks for consent. Throws SvcError if no one can be asked and work would be lost that no flag
   * gives up.
   */
  async #confirmRemoval(
    { home, stakes }: UninstallPlan,
    flags: { yes: boolean; 'discard-work': boolean },
  ): Promise<boolean> {
    if (stakes === null || home === null)
      return confirmOrRefuse(this.io, flags.yes, 'Uninstall svc?');
    if (flags.yes && (stakes.length === 0 || flags['discard-work'])) return true;
    if (!this.io.ask && flags.yes)
      throw new SvcError(
        'not-possible-now',
        `The home contains work that exists only there (${stakes.length}; --dry-run lists it). Nothing was changed. Save the work, or give --discard-work to delete it.`,
      );
    if (!this.io.ask) return confirmOrRefuse(this.io, false, '');
    const name = basename(home.named);
    const question = `To uninstall svc and remove ${toPrintableLine(home.named)} for good, type its name (${toPrintableLine(name)}): `;
    return (await this.io.ask(question))?.trim() === name;
  }

  /** The order matters: after each step the same command can be run again. */
  async #carryOut(plan: UninstallPlan): Promise<void> {
    const { runner, silentRunner, services, completion, installation } = plan;
    if (runner !== null) {
      await stopRunnerProcess(runner);
      this.print(`Stopped the runner (process ${runner.pid}).\n`);
      await this.#refuseMore(plan);
    }
    if (silentRunner !== null) {
      await untilKilled(silentRunner);
      this.print(`Stopped the runner (process ${silentRunner}).\n`);
      await this.#refuseMore(plan);
    }
    if (plan.home !== null && plan.stakes !== null) await this.#release(plan);
    for (const { manager, plan: ofService } of services)
      for (const file of await uninstallService(manager, ofService, runServiceProgram))
        this.print(`Removed the service: ${toPrintableLine(file)}\n`);
    for (const one of completion) {
      const isDone = await removeCompletion(one);
      const what = toPrintableLine(describeStartFile(one));
      if (isDone) this.print(`Removed completion: ${what}\n`);
      else plan.byHand.push(`svc could not remove ${describeStartFile(one)}. Remove it.`);
    }
    await this.#home(plan);
    if (installation.command !== null) {
      await removeProgram(installation.command, runServiceProgram);
      this.print(`Removed the program: ${toPrintableLine(installation.root)}\n`);
    }
    this.print(formatManualSteps(plan));
  }

  async #release({ byHand }: UninstallPlan): Promise<void> {
    const release = await releaseHome(this.io);
    if (release.outcome === 'released')
      this.print('Released the home: another runner of its team may continue its jobs.\n');
    if (release.outcome === 'claimed')
      this.print('Another runner of the team has the jobs of this home, and continues them.\n');
    if (release.outcome === 'refused')
      byHand.push(
        `The home was not released: ${toPrintableLine(release.url)} does not accept its token any more. Its jobs are still there; an admin of the team decides about them on the page Runners.`,
      );
  }

  async #home({ home, homePath, stakes, copies, database }: UninstallPlan): Promise<void> {
    if (home !== null && stakes !== null) {
      await refuseRunningDatabase(database);
      if (database?.isOutside) {
        await removeDatabase(database);
        this.print(
          `Removed the database of the control plane: ${toPrintableLine(database.folder)}\n`,
        );
      }
      // npm does not run in a folder that is gone.
      if (`${process.cwd()}${sep}`.startsWith(`${home.path}${sep}`)) process.chdir('/');
      const at = new Date(this.io.now()).toISOString();
      const leftFiles = await removeHome({ home, at, takeState });
      const rest =
        leftFiles.length > 0 || existsSync(home.named) ? '; the folder itself stays' : '';
      this.print(`Removed the home: ${toPrintableLine(home.named)}${rest}\n`);
      return;
    }
    if (copies !== null) {
      await removeTree(copies);
      this.print(`Removed the copies of the program: ${toPrintableLine(copies)}\n`);
    }
    if (database?.isOutside)
      this.print(`The database of the control plane stays: ${toPrintableLine(database.folder)}\n`);
    if (home !== null)
      this.print(
        `The home stays, with every job: ${toPrintableLine(homePath)}\nA later svc installation continues them. To remove it: rm -r ${toPrintableLine(formatShellCommand([homePath]))}\n`,
      );
  }

  /** Throws SvcError `conflict` where agents left more, between the list and the runner's end. */
  async #refuseMore(plan: UninstallPlan): Promise<void> {
    if (plan.stakes === null) return;
    const shownStakes = new Set(plan.stakes.map(identifyStake));
    const more = (await recheckStakes(this.io, plan)).filter(
      (one) => !shownStakes.has(identifyStake(one)),
    );
    if (more.length === 0) return;
    this.io.err(formatStakes(more));
    throw new SvcError(
      'conflict',
      'This was added after the list was shown. The runner has stopped; nothing else was changed. Run svc uninstall --purge again.',
    );
  }
}

/** The same work has the same name after one more commit. */
const identifyStake = ({ kind, jobId, path, what }: Stake): string =>
  kind === 'job' ? `${jobId}` : [kind, path, what.replace(/ \([0-9a-f]{12}\)$/, '')].join('\n');

/** Takes the state for this process alone, and gives it back. */
function takeState(stateDb: string): () => void {
  const db = new Database(stateDb);
  return () => {
    try {
      db.close();
    } catch {
      // The state is removed next; a full disk must not prevent that.
    }
  };
}

const toUninstallReply = (plan: UninstallPlan, isDone: boolean): UninstallReply => ({
  done: isDone,
  home: plan.homePath,
  homeIs: plan.home === null ? 'none' : plan.stakes === null ? 'kept' : 'removed',
  runner: plan.runner?.pid ?? plan.silentRunner,
  services: plan.services.map(({ file }) => file),
  completion: plan.completion,
  program: {
    root: plan.installation.root,
    command:
      plan.installation.command === null ? null : formatShellCommand(plan.installation.command),
  },
  database: plan.database?.folder ?? null,
  atStake: plan.stakes ?? [],
  byHand: [...plan.byHand, ...(plan.installation.byHand === '' ? [] : [plan.installation.byHand])],
});
