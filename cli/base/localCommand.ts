import { homedir } from 'node:os';
import { Command, Flags } from '@oclif/core';
import { toFailure } from '../failure.ts';
import { checkNotEmpty } from '../input/checkNotEmpty.ts';
import { toUsageError } from '../input/toUsageError.ts';
import { type Io, createProcessIo } from '../io.ts';

/**
 * What every command has: `--json`, and one place where errors become a text and an exit code. A
 * command's `run` returns its data for `--json` and writes its text with `print`. By itself it
 * reaches no runner; `SvcCommand` does.
 */
export abstract class LocalCommand extends Command {
  static override enableJsonFlag = true;

  static override baseFlags = {
    json: Flags.boolean({
      description: 'Print one JSON value instead of text, also for errors.',
      helpGroup: 'GLOBAL',
    }),
  };

  /** The environment of all commands. A test sets its own before it runs one. */
  static io: Io = createProcessIo(process, homedir());

  /** Whether an argument may be an empty text; flags and arguments otherwise never are. */
  protected acceptsEmpty = false;

  protected get io(): Io {
    return LocalCommand.io;
  }

  protected override async init(): Promise<void> {
    await super.init();
    if (!this.acceptsEmpty) checkNotEmpty(this.argv, this.#flags());
  }

  #flags(): { name: string; char: string | undefined }[] {
    return Object.entries({ ...this.ctor.flags, ...this.ctor.baseFlags }).map(
      ([name, { char }]) => ({ name, char }),
    );
  }

  /** Text for a person; nothing with `--json`. */
  protected print(text: string): void {
    if (!this.jsonEnabled()) this.io.out(text);
  }

  /** A hint for a person beside the data; nothing with `--json`. */
  protected note(text: string): void {
    if (!this.jsonEnabled()) this.io.err(text);
  }

  override logJson(json: unknown): void {
    this.io.out(`${JSON.stringify(json, null, 2)}\n`);
  }

  /** oclif's own `catch` forgets the exit code of an error with `--json`. */
  protected override async catch(error: Error): Promise<void> {
    const flags = this.#flags().map(({ name }) => name);
    const name = (this.ctor.id ?? '').replaceAll(':', ' ');
    const failure = toFailure(toUsageError(error, { name, flags, argv: this.argv }));
    this.io.exitWith(failure.exitCode);
    if (failure.text === '') return;
    if (this.jsonEnabled()) this.logJson({ error: failure.problem });
    else this.io.err(failure.text);
  }
}
