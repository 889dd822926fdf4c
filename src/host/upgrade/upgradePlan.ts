import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { ProgramName } from '../../contract/schema/runner/handover.ts';

const FiledProgram = Type.Object({ ...ProgramName.properties, root: Type.String() });

/**
 * `handover.json`: the last take-over, which may be under way. Written before each step, so that a start after a
 * crash knows what was left.
 *
 * - `releasing`: the runner before is being stopped; the state is its own.
 * - `trial`: the new program has the home, and nothing that it did was acknowledged to anyone.
 * - `taking-back`: the copy is being put in place of the state.
 * - `over`: `to` has the home, or, with a `reason`, `from` has it again.
 */
export const UpgradePlan = Type.Object({
  id: Type.String(),
  step: Type.Enum(['releasing', 'trial', 'taking-back', 'over']),
  from: FiledProgram,
  to: FiledProgram,
  /** Copy of the state as `from` has left it; null: both are the same build, which needs none. */
  copy: Type.Union([Type.String(), Type.Null()]),
  /** What the new program waits for on trial, for people. */
  waitsFor: Type.Optional(Type.String()),
  /** Why it was taken back, for people; null = it was not. */
  reason: Type.Union([Type.String(), Type.Null()]),
  pid: Type.Integer(),
  /** ISO 8601. */
  startedAt: Type.String(),
});
export type UpgradePlan = Type.Static<typeof UpgradePlan>;

/**
 * `failed-build.json`: the program that was rolled back last. While the installed program is this one,
 * a start runs `instead`.
 */
export const FailedBuild = Type.Object({
  id: Type.String(),
  program: FiledProgram,
  instead: FiledProgram,
  reason: Type.String(),
  /** ISO 8601. */
  at: Type.String(),
});
export type FailedBuild = Type.Static<typeof FailedBuild>;

/** A file of the home that is written whole or not at all, mode 0600. */
class HomeFile<Schema extends Type.TSchema> {
  readonly #path: string;
  readonly #schema: Schema;

  constructor(path: string, schema: Schema) {
    this.#path = path;
    this.#schema = schema;
  }

  /** null where it does not exist, or is not one of ours. */
  async read(): Promise<Type.Static<Schema> | null> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      return Check(this.#schema, value) ? value : null;
    } catch {
      return null;
    }
  }

  /** Durable when it resolves. */
  async write(value: Type.Static<Schema>): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}.draft`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.#path);
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

export const openUpgradePlan = (home: string) =>
  new HomeFile(join(home, 'handover.json'), UpgradePlan);

export const openFailedBuild = (home: string) =>
  new HomeFile(join(home, 'failed-build.json'), FailedBuild);
