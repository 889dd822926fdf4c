import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeSampleRepository } from '../../../demo/sampleRepository.ts';
import { listMarkedProcesses } from '../../../src/executors/process/processTable.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { CommandLedger } from '../cli/commandLedger.ts';
import { type Audit, audit } from './killAudit.ts';
import { LOAD_REPO, LoadPerson } from './loadOfJobs.ts';
import { MortalRunner } from './mortalRunner.ts';
import { seededRandom } from '../charts/randomWalk.ts';

const packageRoot = join(import.meta.dirname, '..', '..', '..');

/** How many people make jobs at the same time, and how many jobs may work at the same time. */
const PEOPLE = 6;
const SLOTS = 3;
/** The kill comes within this time of the start of the process, ms, the start included. */
const MOST_LIFE_MS = 1_800;
/** Every so many rounds jobs get time to move on: five restarts without progress park a job. */
const ROUNDS_WITHOUT_PROGRESS = 3;
/** Longest wait for that, and for a job without a session to get on, ms. */
const PROGRESS_MS = 60_000;
/** Every so many rounds the runner is checked 5 s after its start. */
const ROUNDS_BETWEEN_LOOKS = 20;
const LOOK_AFTER_MS = 5_000;
/** Longest time until the end of a process is known, ms. */
const END_KNOWN_MS = 2_000;
/** Pause between two checks of a job that had no session, ms. */
const NEXT_LOOK_MS = 100;

export interface KillLoopOptions {
  rounds: number;
  seed: number;
  /** More people beside those of the load; default: none. */
  others?: readonly ((people: CommandLedger, closing: () => boolean) => Promise<void>)[];
  /** Longest life of a runner, ms; default 1,800. */
  mostLifeMs?: number;
  /** What a kill takes with it; default: nothing. */
  disk?: LossyDisk;
  onRound?(line: string): void;
}

/** A disk below the home that is not there at a kill: what was not synced may be lost. */
export interface LossyDisk {
  /** Called with the home before the first start. */
  below(home: string): void;
  /** Environment of the runner of a round, 1 and up; 0: the last one, which nothing may kill. */
  env(round: number): Record<string, string>;
  /** Called when the runner of a round is gone; answers what was taken, for people. */
  losePower(round: number): string;
}

export interface KillSummary {
  rounds: number;
  seed: number;
  seconds: number;
  jobs: number;
  commands: { acknowledged: number; repeated: number; refused: number };
  /** Kills before the runner answered, and after. */
  kills: { starting: number; running: number };
  /** From the start of the process to its first answer, ms. */
  answersAfterMs: { median: number; slowest: number };
  lost: number;
  doubled: number;
  stuck: number;
  spoiled: number;
}

interface Result {
  summary: KillSummary;
  problems: string[];
}

/**
 * Kills a runner again and again under a load of jobs, messages and pull requests, and audits what
 * is left. When one of the people fails, it ends at once and throws that error.
 */
export async function killLoop({
  rounds,
  seed,
  others = [],
  mostLifeMs = MOST_LIFE_MS,
  disk,
  onRound = () => {},
}: KillLoopOptions): Promise<Result> {
  const began = performance.now();
  const dir = mkdtempSync(join(tmpdir(), 'svc-kill-'));
  const { home, repository } = writeHome(dir);
  const runner = new MortalRunner(home, join(packageRoot, 'cli', 'bin', 'run.js'));
  disk?.below(home);
  const loop = new Rounds(runner, seed, mostLifeMs, disk);
  const people = new CommandLedger(
    () => runner.client,
    () => loop.answering(),
  );
  const persons = Array.from(
    { length: PEOPLE },
    (_, index) => new LoadPerson(`p${index}`, people, seededRandom(seed + index)),
  );
  let closing = false;
  try {
    const load = Promise.all([
      ...persons.map((person) => person.work(() => closing)),
      ...others.map((work) => work(people, () => closing)),
    ]);
    /** What the loop does, unless the load fails before. */
    const meanwhile = <T>(act: Promise<T>): Promise<T> => Promise.race([act, load.then(() => act)]);
    for (let round = 1; round <= rounds; round += 1) onRound(await meanwhile(loop.round(round)));
    closing = true;
    await meanwhile(loop.last());
    await load;
    const audited = await audit(runner.client, people, repository);
    return toResult(audited, loop, people, {
      rounds,
      seed,
      seconds: (performance.now() - began) / 1000,
    });
  } finally {
    closing = true;
    loop.close();
    await runner.kill();
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function writeHome(dir: string): { home: string; repository: string } {
  const home = join(dir, 'home');
  mkdirSync(home, { mode: 0o700 });
  const repository = makeSampleRepository(dir);
  const settings = {
    tenant: { overlay: { kind: 'localDir', path: join(packageRoot, 'test', 'crash', 'load') } },
    forges: { local: { repos: { [LOAD_REPO]: repository } } },
    runner: { maxConcurrentJobs: SLOTS, stopGraceSeconds: 1 },
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  return { home, repository };
}

function toResult(
  { jobs, lost, doubled, spoiled }: Audit,
  { starting, running, answers, stuck }: Rounds,
  { acknowledged, refused }: CommandLedger,
  run: Pick<KillSummary, 'rounds' | 'seed' | 'seconds'>,
): Result {
  const sorted = answers.toSorted((a, b) => a - b).map(Math.round);
  const summary: KillSummary = {
    ...run,
    seconds: Math.round(run.seconds),
    jobs,
    commands: {
      acknowledged: acknowledged.length,
      repeated: acknowledged.filter(({ sent }) => sent > 1).length,
      refused: refused.length,
    },
    kills: { starting, running },
    answersAfterMs: { median: sorted[sorted.length >> 1] ?? 0, slowest: sorted.at(-1) ?? 0 },
    lost: lost.length,
    doubled: doubled.length,
    stuck: stuck.length,
    spoiled: spoiled.length,
  };
  return { summary, problems: [...lost, ...doubled, ...stuck, ...spoiled] };
}

const over = (): Error => new Error('the kill loop is over');

class Rounds {
  readonly #runner: MortalRunner;
  readonly #chance: () => number;
  readonly #disk: LossyDisk | undefined;
  readonly #mostLifeMs: number;
  #round = 0;
  #waiting: { go: () => void; giveUp: (error: Error) => void }[] = [];
  #up = false;
  #closed = false;
  starting = 0;
  running = 0;
  readonly answers: number[] = [];
  readonly stuck: string[] = [];

  constructor(runner: MortalRunner, seed: number, mostLifeMs: number, disk: LossyDisk | undefined) {
    this.#runner = runner;
    this.#mostLifeMs = mostLifeMs;
    this.#disk = disk;
    this.#chance = seededRandom(seed - 1);
  }

  /** Resolves when the runner answers; rejects when none will any more. */
  async answering(): Promise<void> {
    // The connection is lost before the end of the process is known.
    await wait(20);
    if (this.#closed) throw over();
    if (!this.#up) await new Promise<void>((go, giveUp) => this.#waiting.push({ go, giveUp }));
  }

  /** No runner is started any more: waiting for one would never end. */
  close(): void {
    this.#closed = true;
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(over());
  }

  async round(round: number): Promise<string> {
    this.#round = round;
    const life = this.#chance() * this.#mostLifeMs;
    const began = performance.now();
    const starting = this.#start();
    // It is awaited below; until then its failure must not end the process.
    starting.catch(() => undefined);
    const patient = round % ROUNDS_WITHOUT_PROGRESS === 0 || round % ROUNDS_BETWEEN_LOOKS === 0;
    if (patient) {
      await starting;
      await this.#progress().catch(async (error: unknown) => {
        // The connection is lost before the end of the process is known.
        await Promise.race([this.#runner.ended, wait(END_KNOWN_MS)]);
        const { ending, said } = this.#runner;
        throw ending === null ? error : new Error(`the runner ended with ${ending}:\n${said}`);
      });
      if (round % ROUNDS_BETWEEN_LOOKS === 0) await this.#look(round, began);
    }
    await wait(patient ? life / 4 : life);
    const wasUp = this.#up;
    this.#up = false;
    await this.#runner.kill();
    await starting;
    this.#up = false;
    const lossText = this.#disk?.losePower(round) ?? '';
    if (wasUp) this.running += 1;
    else this.starting += 1;
    return `round ${round}: killed ${wasUp ? 'while it ran' : 'in its start'}, ${Math.round(performance.now() - began)} ms after its start${lossText}`;
  }

  /** The last start: nothing kills it. */
  async last(): Promise<void> {
    this.#round = 0;
    const began = performance.now();
    if (!(await this.#start()))
      throw new Error(`the runner ended on its own:\n${this.#runner.said}`);
    await this.#look(0, began);
  }

  async #start(): Promise<boolean> {
    const began = performance.now();
    const answers = await this.#runner.start({ env: this.#disk?.env(this.#round) ?? {} });
    if (!answers) {
      if (this.#runner.ending !== 'SIGKILL')
        throw new Error(`the runner ended with ${this.#runner.ending}:\n${this.#runner.said}`);
      return false;
    }
    this.answers.push(performance.now() - began);
    this.#up = true;
    for (const { go } of this.#waiting.splice(0)) go();
    return true;
  }

  async #working(): Promise<Job[]> {
    const { jobs } = await this.#runner.client.jobs({ limit: 500 });
    const open = jobs.filter(({ ended, parked }) => !ended && parked === null);
    const whole = await Promise.all(open.map(({ id }) => this.#runner.client.job(id)));
    return whole.filter(({ state }) => state.some((leaf) => leaf.startsWith('working.')));
  }

  async #progress(): Promise<void> {
    const deadline = performance.now() + PROGRESS_MS;
    for (const before of await this.#working()) {
      for (;;) {
        const { journalLength } = await this.#runner.client.job(before.id);
        if (journalLength > before.journalLength) break;
        if (performance.now() > deadline)
          throw new Error(`${before.id} does not move on: ${JSON.stringify(before, null, 2)}`);
        await wait(20);
      }
    }
  }

  /**
   * 5 s after the start every job that is at work has a session, or gets on without one: it
   * prepares a phase, which takes seconds on a busy machine.
   */
  async #look(round: number, began: number): Promise<void> {
    await wait(Math.max(0, began + LOOK_AFTER_MS - performance.now()));
    let idle = await this.#withoutSession();
    const deadline = performance.now() + PROGRESS_MS;
    while (idle.length > 0 && performance.now() < deadline) {
      await wait(NEXT_LOOK_MS);
      const now = await this.#withoutSession();
      idle = idle.filter((before) =>
        now.some(
          ({ id, journalLength }) => id === before.id && journalLength === before.journalLength,
        ),
      );
    }
    for (const { id, state } of idle)
      this.stuck.push(`round ${round}: ${id} is ${state.join()} and has no session`);
  }

  async #withoutSession(): Promise<Job[]> {
    const prefix = `${this.#runner.home}#`;
    const running = new Set<string>();
    await listMarkedProcesses((marker) => {
      if (marker.startsWith(prefix)) running.add(marker.slice(prefix.length).split('/')[0] ?? '');
      return false;
    });
    return (await this.#working()).filter(({ id }) => !running.has(id));
  }
}
