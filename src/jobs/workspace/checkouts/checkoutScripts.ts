import { sleep } from '../../../base/time/waiting.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { TEARDOWN_MS } from '../../../base/settings/checkouts.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import {
  runScriptInCheckout,
  type ScriptEnd,
  type ScriptStart,
} from '../../../executors/process/runScriptInCheckout.ts';
import type { OpenedSandbox, Sandboxes } from '../../../executors/sandbox/sandboxes.ts';
import { surveyTree } from '../../../git/cleanup/tree.ts';
import type { Workplace } from '../workplace.ts';

/** Time between two checks whether the job still waits for its setup, ms. */
const LOOK_MS = 1_000;
/** Most of the last output that the reason of a parked job shows, characters. */
const MAX_WORDS_CHARS = 400;
const MIB = 1024 * 1024;

/** A setup was ended because no one waits for it any more: nothing is to be reported. */
export class SetupStopped extends Error {}

interface ScriptLine {
  from: 'runner';
  tag: string;
  line: string;
}

export interface CheckoutScriptsDeps {
  settings: Pick<Settings, 'home' | 'paths' | 'runner'>;
  clock: Clock;
  workplace: Pick<Workplace, 'session' | 'jobDir'>;
  sandboxes: Pick<Sandboxes, 'open'>;
  readParams(jobId: string): Readonly<Record<string, unknown>>;
  /** The runner's URL, for sandboxes. */
  baseUrl(): string;
  /** Appends lines to the job's log, without secrets; never rejects. */
  log(
    at: { jobId: string; phase: string; visit: number },
    lines: readonly ScriptLine[],
  ): Promise<void>;
  screen(text: string): string;
  /** Whether the job still waits for the preparation of this visit. */
  isPreparing(jobId: string, visit: number): boolean;
}

interface Run {
  jobId: string;
  absDir: string;
  script: string;
  variables: Readonly<Record<string, string>>;
  /** Folders outside of the job's that it may write to. */
  shared: readonly string[];
}

interface SetupRun extends Run {
  phase: string;
  visit: number;
  minutes: number;
  signal: AbortSignal;
}

/** Session number of scripts: those of agents begin with 1. */
const NO_SESSION = 0;

/** Runs the scripts of checkouts in the sandbox and the environment of agents. */
export class CheckoutScripts {
  readonly #deps: CheckoutScriptsDeps;

  constructor(deps: CheckoutScriptsDeps) {
    this.#deps = deps;
  }

  /** Makes the HOME of the job's agents. */
  async makeHome(jobId: string, visit: number): Promise<void> {
    await this.#deps.workplace.session({ jobId, visit, session: NO_SESSION });
  }

  /**
   * Answers why the setup failed; null = it has not. Throws {@link SetupStopped} if the runner stops
   * or the job no longer waits for it.
   */
  async setUp(run: SetupRun): Promise<string | null> {
    const { clock, log } = this.#deps;
    const { minutes, signal } = run;
    const say = (line: string) => log(run, [{ from: 'runner', tag: 'setup', line }]);
    const leaving = new AbortController();
    const over = new AbortController();
    const watch = this.#watch(run, leaving, over.signal);
    await say(`the checkout is set up, for at most ${minutes} minutes`);
    const beganAt = clock.now();
    try {
      const end = await this.#run(run, {
        timeMs: minutes * 60_000,
        signal: AbortSignal.any([signal, leaving.signal]),
        onLines: (lines) =>
          log(
            run,
            lines.map((line) => ({ from: 'runner', tag: 'setup', line })),
          ),
      });
      if (end.how === 'stopped') throw new SetupStopped();
      const seconds = Math.round((clock.now() - beganAt) / 1000);
      if (end.how === 'failed') {
        await say(`the setup failed after ${seconds} s: ${end.reason}`);
        return this.#describe('setup', end);
      }
      const { bytes } = await surveyTree(run.absDir);
      await say(
        `the checkout is set up after ${seconds} s and takes ${Math.ceil(bytes / MIB)} MiB on this disk`,
      );
      return null;
    } finally {
      over.abort();
      await watch;
    }
  }

  /** Answers why the teardown failed; null = it has not. */
  async tearDown(run: Run): Promise<string | null> {
    const at = { ...run, visit: 0, phase: '' };
    const end = await this.#run(at, {
      timeMs: TEARDOWN_MS,
      signal: new AbortController().signal,
      onLines: async () => {},
    });
    return end.how === 'failed' ? this.#describe('teardown', end) : null;
  }

  #describe(what: string, { reason, words }: Extract<ScriptEnd, { how: 'failed' }>): string {
    const last = this.#deps.screen(words).slice(-MAX_WORDS_CHARS);
    return `the ${what} of the checkout failed: ${reason}. ${last === '' ? 'It wrote no output.' : `Its last lines:\n${last}`}`;
  }

  /** Ends the setup of a job that was cancelled or paused meanwhile. */
  async #watch(
    { jobId, visit }: SetupRun,
    leaving: AbortController,
    over: AbortSignal,
  ): Promise<void> {
    while (!over.aborted) {
      await sleep(this.#deps.clock, LOOK_MS, over);
      if (!over.aborted && !this.#deps.isPreparing(jobId, visit)) return leaving.abort();
    }
  }

  async #run(
    run: Run & { visit: number; phase: string },
    rest: Pick<ScriptStart, 'timeMs' | 'signal' | 'onLines'>,
  ): Promise<ScriptEnd> {
    const { settings, clock, workplace, log } = this.#deps;
    const { jobId, visit, absDir, script, variables } = run;
    const { dir: sessionDir, env } = await workplace.session({
      jobId,
      visit,
      session: NO_SESSION,
    });
    const sandbox = await this.#openSandbox(run, sessionDir);
    try {
      return await runScriptInCheckout({
        ...rest,
        script,
        cwd: absDir,
        env: { ...env, ...variables },
        sessionDir,
        marker: `${settings.home}#${jobId}/${visit}.${NO_SESSION}`,
        sandbox: sandbox.sandbox,
        clock,
        graceMs: settings.runner.stopGraceSeconds * 1000,
      });
    } finally {
      const refusedHosts = await sandbox.close();
      if (refusedHosts.length > 0 && visit > 0)
        await log(
          run,
          refusedHosts.map((line) => ({
            from: 'runner',
            tag: 'sandbox',
            line: `refused: ${line}`,
          })),
        );
    }
  }

  #openSandbox({ jobId, shared }: Run, sessionDir: string): Promise<OpenedSandbox> {
    const { settings, sandboxes, workplace, readParams, baseUrl } = this.#deps;
    return sandboxes.open({
      settings: settings.runner,
      unattended: readParams(jobId).unattended !== undefined,
      // The one whose programs a sandbox always confines.
      executor: 'command',
      places: {
        home: settings.home,
        workingDir: settings.paths.workingDir,
        jobDir: workplace.jobDir(jobId),
        shared: [],
        caches: shared,
      },
      layer: null,
      hosts: [],
      toolUrl: baseUrl(),
      sessionDir,
    });
  }
}
