import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSampleRepository } from '../../demo/sampleRepository.ts';
import { CommandLedger } from './commandLedger.ts';
import { ledgerProblems, leftOver, type Outcome, readOutcome } from './crashOutcome.ts';
import { type CrashScenario, REPO } from './crashScenario.ts';
import { type Ending, MortalRunner } from './mortalRunner.ts';

const runnerBin = join(import.meta.dirname, '..', '..', 'cli', 'bin', 'run.js');

/** Longest time from a lost connection to the end of the runner, ms. */
const DEATH_MS = 10_000;

/** One play of a scenario. */
export interface Played {
  outcome: Outcome;
  /** What is wrong beside the outcome: acknowledged commands, what is left undone. */
  problems: string[];
  /** The fault points that the first process reached, in order. */
  points: string[];
  /** How the first process ended by itself; null = it did not. */
  death: Ending | null;
  /** From the death to the first answer after it, ms. */
  revivedMs: number | null;
  ms: number;
}

/** Plays a scenario on fresh homes, each a copy of one template. */
export class CrashMatrix {
  readonly #scenario: CrashScenario;
  readonly #dir = mkdtempSync(join(tmpdir(), 'svc-crash-'));
  readonly #template: string;
  #homes = 0;

  constructor(scenario: CrashScenario) {
    this.#scenario = scenario;
    const template = join(this.#dir, 'template');
    mkdirSync(template);
    this.#template = makeSampleRepository(template);
  }

  /** Plays to the end; with `dieAt` the runner dies at that point and is started again without. */
  async play(dieAt?: string): Promise<Played> {
    const began = performance.now();
    this.#homes += 1;
    const dir = join(this.#dir, String(this.#homes));
    const home = join(dir, 'home');
    const repository = join(dir, `${REPO}.git`);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    cpSync(this.#template, repository, { recursive: true });
    const settings = {
      tenant: { overlay: { kind: 'localDir', path: this.#scenario.tenant } },
      forges: { local: { repos: { [REPO]: repository } } },
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });

    const countFile = join(dir, 'points');
    const runner = new MortalRunner(home, runnerBin);
    let death: Ending | null = null;
    let revivedMs: number | null = null;
    const revive = async () => {
      death = await within(DEATH_MS, runner.ended, `nobody answers, but the runner has not ended:\n${runner.said}`);
      const diedAt = performance.now();
      if (runner.starts > 1 || !(await runner.start())) throw new Error(`the runner died a second time:\n${runner.said}`);
      revivedMs = performance.now() - diedAt;
    };
    try {
      if (!(await runner.start({ countFile, ...(dieAt === undefined ? {} : { dieAt }) }))) await revive();
      const people = new CommandLedger(() => runner.client, revive);
      const job = await this.#scenario.play(people);
      // The last points lie behind the job's end: whoever asks next finds the runner gone.
      const outcome = await people.ask((client) => readOutcome(client, job, repository));
      const journal = await people.ask((client) => client.journal(job.id, { limit: 1000 }));
      await runner.kill();
      const problems = [...ledgerProblems(people.acknowledged, journal), ...leftOver(join(home, 'state.db'), job)];
      return { outcome, problems, points: pointsIn(countFile), death, revivedMs, ms: performance.now() - began };
    } catch (error) {
      throw new Error(`${dieAt ?? 'the clean run'}: ${error instanceof Error ? error.message : String(error)}\n${runner.said}`, { cause: error });
    } finally {
      await runner.kill();
      rmSync(dir, { recursive: true, force: true });
    }
  }

  /**
   * Plays once for each point, `atOnce` at a time, with a crash there. A play that did not come by its point (a group of
   * events was cut otherwise this time) is repeated, up to `tries` plays a point.
   */
  async playAll(points: readonly string[], atOnce: number, tries: number, onPlayed: (point: string, played: Played) => void) {
    const queue = [...points];
    const crashed = new Map<string, Played>();
    const worker = async () => {
      for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
        for (let play = 0; play < tries && !crashed.has(point); play += 1) {
          const played = await this.play(point);
          onPlayed(point, played);
          if (played.death === 'SIGKILL' && played.points.at(-1) === point) crashed.set(point, played);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return crashed;
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** Lines `<number> <point>` of a count file. */
const pointsIn = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(line.indexOf(' ') + 1))
    : [];

function within<T>(ms: number, promise: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
