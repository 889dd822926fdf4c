import { compareReleases } from '../../base/settings/compareReleases.ts';
import type { RunnerProcess } from '../../contract/runner/runnerProcess.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { raceDeadline, sleep } from '../../base/time/waiting.ts';
import { HANDOVER_PROTOCOL, type RestartReply } from '../../contract/schema/runner/handover.ts';
import { awaitHealthy } from './awaitHealthy.ts';
import type { ChildRunner } from './childRunner.ts';
import { type RunningRunner, toRunningRunner } from './runningRunner.ts';
import { openFailedBuild, type UpgradePlan, openUpgradePlan } from './upgradePlan.ts';
import { isOtherProgram, type Program, readProgramAt, formatProgramName } from './program.ts';
import { copyState, putBack } from './stateCopy.ts';

/**
 * How long a new program may take to load, ms. The runner before works meanwhile, and a machine with
 * much other work needs a minute for it.
 */
export const LOADING_MS = 120_000;
/**
 * How long a program waits for a state that another process still has, ms: the new one before it is
 * taken back, and the one before it until it continues.
 */
export const STATE_WAIT_MS = 600_000;
/** Between two checks of the lock, ms. */
const LOOK_MS = 100;
/** How long a program that is taken back may take to end by itself, ms. */
const ENDING_MS = 3_000;

export interface UpgradeSupervisorOptions {
  home: string;
  stateDb: string;
  clock: Clock;
  createId(): string;
  pid: number;
  isHeld(stateDb: string): boolean;
  holder(stateDb: string): string;
  /** The folder that the program in a folder is run from. */
  keepProgram(root: string): Promise<string>;
  /** Starts a program that is to take over; it waits until the home is free. */
  start(program: Program): ChildRunner;
  /** Whether the runner at the address is healthy; rejects where it is not, or not yet. */
  isHealthy(url: string): Promise<void>;
  /** Starts the previous program again: in this process, or as a child. */
  startAgain(program: Program, port: number): Promise<RunningRunner>;
  tell(line: string): void;
}

/**
 * Keeps a runner for the home in this process or in a child of it, and lets another program take its
 * place while jobs run.
 *
 * ## Statechart, in prose
 *
 * - **keeping** (initial): the runner runs. When it ends, the supervisor ends with its exit code.
 *   `restart(root)` → loading.
 * - **loading**: the new program reads its configuration and loads its code, and opens nothing; the
 *   running runner works. It is refused, and all stays as it is → keeping: where it is not svc, is an older
 *   release or reads an older state only, does not load within 120 s, or ends. Loaded → releasing.
 * - **releasing**: the running runner interrupts its sessions and gives port and home free; its state is
 *   copied where the builds differ → trial.
 * - **trial**: the new program opens the state and brings its jobs back; it answers nothing but
 *   /health. While another process still has the state, it waits for it, 10 minutes at most. Healthy
 *   within 120 s of the free state → keeping, with the new one as the running runner. Otherwise → taking back.
 * - **taking back**: the new program is ended, the copy replaces the state, and the previous program
 *   is started again → keeping. No one was given an answer by the new one.
 *
 * `handover.json` names the step before it begins; a start after a crash finishes it (`finishUpgrade.ts`).
 */
export class UpgradeSupervisor implements Pick<RunnerProcess, 'restart'> {
  readonly #options: UpgradeSupervisorOptions;
  #running: RunningRunner;
  #next: ChildRunner | null = null;
  #stopping = false;
  /** Whether the running runner is being replaced: then its end does not end the supervisor. */
  #releasing = false;
  #busy = false;
  #end: (code: number) => void = () => {};
  /** Exit code of the runner that was kept last. */
  readonly ended: Promise<number>;

  constructor(running: RunningRunner, options: UpgradeSupervisorOptions) {
    this.#options = options;
    this.#running = running;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#follow();
  }

  signal(signal: NodeJS.Signals): void {
    if (signal !== 'SIGHUP') this.#stopping = true;
    this.#next?.signal(signal);
    this.#running.signal(signal);
  }

  stopHandingOver(): void {
    this.#stopping = true;
    this.#next?.signal('SIGTERM');
    this.#running.stopHandingOver();
  }

  async restart(root: string | null): Promise<RestartReply> {
    if (this.#busy || this.#stopping)
      throw new SvcError(
        'not-possible-now',
        this.#stopping ? 'The runner is stopping.' : 'Another program is already taking over.',
      );
    this.#busy = true;
    try {
      const from = await this.#running.program;
      const to = await readProgramAt(await this.#options.keepProgram(root ?? from.root));
      const next = await this.#load(from, to);
      const id = this.#options.createId();
      void this.#upgrade({ id, from, to }, next).finally(() => {
        this.#busy = false;
      });
      return { id, from: pickVersionAndBuild(from), to: pickVersionAndBuild(to) };
    } catch (error) {
      this.#busy = false;
      throw error;
    }
  }

  /** Throws SvcError where it cannot take over; it is then ended. */
  async #load(from: Program, to: Program): Promise<ChildRunner> {
    this.#refuseOlder(from, to, null);
    const next = this.#options.start(to);
    this.#next = next;
    try {
      const { protocol, storeVersion } = await raceDeadline(
        this.#options.clock,
        LOADING_MS,
        next.ready,
        () => {
          throw new SvcError('conflict', `It did not load within ${LOADING_MS / 1000} s.`);
        },
      );
      if (protocol !== HANDOVER_PROTOCOL)
        throw new SvcError(
          'conflict',
          'This version cannot take over from the running one. Stop the runner first.',
        );
      this.#refuseOlder(from, to, storeVersion);
      return next;
    } catch (error) {
      this.#next = null;
      await this.#endChild(next);
      const code = error instanceof SvcError ? error.code : 'conflict';
      throw new SvcError(
        code,
        `${formatProgramName(to)} cannot take over; the runner continues unchanged. ${toErrorMessage(error)}`,
        { cause: error },
      );
    }
  }

  #refuseOlder(from: Program, to: Program, storeVersion: number | null): void {
    const { storeVersion: present } = this.#running;
    const isOlder = compareReleases(to.version, from.version) < 0;
    if (!isOlder && (storeVersion === null || storeVersion >= present)) return;
    const copy = this.#toCopyFolder(to.version);
    throw new SvcError(
      'conflict',
      `svc ${to.version} is older than svc ${from.version}, which has written the state of this home. To go back, stop the runner and put the copy ${copy} (or a backup of that release) in the place of ${this.#options.stateDb}; later changes are lost.`,
    );
  }

  #toCopyFolder(release: string): string {
    return `${this.#options.stateDb}.${release}`;
  }

  async #upgrade(names: Pick<UpgradePlan, 'id' | 'from' | 'to'>, next: ChildRunner): Promise<void> {
    const { home, stateDb, clock, tell, pid } = this.#options;
    const before = this.#running;
    const file = openUpgradePlan(home);
    const startedAt = new Date(clock.now()).toISOString();
    let plan: UpgradePlan = {
      ...names,
      step: 'releasing',
      copy: null,
      reason: null,
      pid,
      startedAt,
    };
    tell(`${formatProgramName(names.to)} takes over from ${formatProgramName(names.from)}.`);
    try {
      await file.write(plan);
      this.#releasing = true;
      await before.release();
      const isOther = isOtherProgram(names.from, names.to);
      const copy = isOther ? this.#toCopyFolder(names.from.version) : null;
      if (copy !== null) await copyState(stateDb, copy);
      plan = { ...plan, step: 'trial', copy };
      await file.write(plan);
      const healthy = awaitHealthy(next, plan, this.#options);
      next.say({ type: 'go', port: before.port });
      const url = await healthy;
      const { storeVersion } = await next.ready;
      await openFailedBuild(home).remove();
      await file.write({ ...plan, step: 'over' });
      this.#next = null;
      this.#running = toRunningRunner(next, storeVersion, Number(new URL(url).port));
      this.#follow();
      next.say({ type: 'confirmed' });
      tell(`${formatProgramName(names.to)} has taken over at ${url}.`);
    } catch (error) {
      await this.#takeBack(plan, before, next, toErrorMessage(error));
    }
  }

  async #takeBack(
    plan: UpgradePlan,
    before: RunningRunner,
    next: ChildRunner,
    reason: string,
  ): Promise<void> {
    const { home, stateDb, clock, tell, startAgain } = this.#options;
    await this.#endChild(next);
    this.#next = null;
    try {
      await openUpgradePlan(home).write({ ...plan, step: 'taking-back' });
      if (plan.copy !== null) {
        await this.#awaitFree(stateDb);
        await putBack(stateDb, plan.copy);
      }
      if (isOtherProgram(plan.from, plan.to)) {
        const at = new Date(clock.now()).toISOString();
        const { id, to: program, from: instead } = plan;
        await openFailedBuild(home).write({ id, program, instead, reason, at });
      }
      await openUpgradePlan(home).write({ ...plan, step: 'over', reason });
      if (this.#stopping) return this.#end(0);
      tell(`${formatProgramName(plan.to)} was rolled back: ${reason}`);
      this.#running = await startAgain(plan.from, before.port);
      tell(`${formatProgramName(plan.from)} continues.`);
      this.#follow();
      // One that came while it started.
      if (this.#isStopping()) this.#running.signal('SIGTERM');
    } catch (error) {
      tell(`The runner could not be started again: ${toErrorMessage(error)}`);
      this.#end(1);
    }
  }

  /** Resolves when no process has the state. Throws SvcError `locked` after ten minutes. */
  async #awaitFree(stateDb: string): Promise<void> {
    const { clock, isHeld, holder } = this.#options;
    const end = clock.now() + STATE_WAIT_MS;
    while (isHeld(stateDb)) {
      if (clock.now() >= end)
        throw new SvcError('locked', `${stateDb} is still in use by ${holder(stateDb)}.`);
      await sleep(clock, LOOK_MS);
    }
  }

  async #endChild(child: ChildRunner): Promise<void> {
    child.say({ type: 'release' });
    child.signal('SIGTERM');
    await raceDeadline(this.#options.clock, ENDING_MS, child.ended, () => child.signal('SIGKILL'));
    await child.ended;
  }

  #isStopping(): boolean {
    return this.#stopping;
  }

  /** Ends with the running runner, unless it was released for another. */
  #follow(): void {
    this.#releasing = false;
    const followedRunner = this.#running;
    followedRunner.onRestart?.((root) => this.restart(root));
    void followedRunner.ended.then((code) => {
      if (this.#running !== followedRunner || this.#releasing) return;
      this.#next?.signal('SIGKILL');
      this.#end(code);
    });
  }
}

const pickVersionAndBuild = ({ version, build }: Program) => ({ version, build });
