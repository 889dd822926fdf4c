import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSampleRepository } from '../../../demo/sampleRepository.ts';
import { toErrorMessage } from '../../../src/base/errors/errors.ts';
import { CommandLedger } from '../cli/commandLedger.ts';
import { ledgerProblems, leftOver, type Outcome, readOutcome } from './crashOutcome.ts';
import { type CrashScenario, REPO } from './crashScenario.ts';
import { type Ending, MortalRunner } from './mortalRunner.ts';

const runnerBin = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'run.js');

export interface Played {
  outcome: Outcome;
  /** What is wrong beside the outcome: acknowledged commands, what is left undone. */
  problems: string[];
  points: string[];
  /** How the first process ended on its own; null = it did not. */
  death: Ending | null;
  /** From the first death to the next answer, ms. */
  revivedMs: number | null;
  ms: number;
}

export class CrashStage {
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

  /** Plays to the end. The nth process dies at the nth point of `dieAt`; the last one lives. */
  async play(...dieAt: string[]): Promise<Played> {
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
      ...this.#scenario.settings,
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });

    const countFile = join(dir, 'points');
    const runner = new MortalRunner(home, runnerBin);
    let death: Ending | null = null;
    let revivedMs: number | null = null;
    const start = async () => {
      for (let answers = false; !answers; ) {
        const point = dieAt[runner.starts];
        if (runner.starts > dieAt.length)
          throw new Error(`the runner ended unasked: ${runner.ending}`);
        const countOptions = runner.starts === 0 ? { countFile } : {};
        answers = await runner.start({
          ...countOptions,
          ...(point === undefined ? {} : { dieAt: point }),
        });
        if (!answers) death ??= runner.ending;
      }
    };
    const revive = async () => {
      const ending = await runner.gone();
      death ??= ending;
      const diedAt = performance.now();
      await start();
      revivedMs ??= performance.now() - diedAt;
    };
    try {
      await start();
      const people = new CommandLedger(() => runner.client, revive);
      const job = await this.#scenario.play(people);
      // The last points are after the job's end: the next request finds the runner gone.
      const outcome = await people.ask((client) => readOutcome(client, job, repository));
      const journal = await people.ask((client) => client.journal(job.id, { limit: 1000 }));
      await runner.kill();
      // Every command of a scenario is possible when it is sent: a refused repeat was done before.
      const refused = people.refused.map(
        ({ key, reply }) => `${key} was refused: ${JSON.stringify(reply)}`,
      );
      const problems = [
        ...refused,
        ...ledgerProblems(people.acknowledged, journal),
        ...leftOver(join(home, 'state.db'), job),
      ];
      return {
        outcome,
        problems,
        points: pointsIn(countFile),
        death,
        revivedMs,
        ms: performance.now() - began,
      };
    } catch (error) {
      throw new Error(
        `${dieAt.join(', ') || 'the clean run'}: ${toErrorMessage(error)}\n${runner.said}`,
        { cause: error },
      );
    } finally {
      await runner.kill();
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
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
