import { homedir } from 'node:os';
import { Command, Flags } from '@oclif/core';
import { type Client, createClient } from '../../src/client/client.ts';
import { OWN_CLIENT } from '../../src/lib/ownClient.ts';
import { connection } from '../connect/connection.ts';
import { failureOf } from '../failure.ts';
import { flagHint } from '../input/flagHint.ts';
import { type Io, processIo } from '../io.ts';

/**
 * What every command has: `--json`, `--url`, the client, and one place where errors become a text
 * and an exit code. A command's `run` gives its data for `--json` back and writes its text with
 * `print`.
 */
export abstract class SvcCommand extends Command {
  static override enableJsonFlag = true;

  static override baseFlags = {
    url: Flags.string({
      description: 'Base URL of the runner. Default: SVC_URL, else the runner of this home.',
      helpGroup: 'GLOBAL',
      helpValue: '<url>',
    }),
  };

  /** The world around all commands. A test puts its own here before it runs one. */
  static io: Io = processIo(process, homedir());

  protected get io(): Io {
    return SvcCommand.io;
  }

  protected async client(flags: { url: string | undefined }): Promise<Client> {
    return createClient({
      ...(await connection({ env: this.io.env, homeDir: this.io.homeDir, url: flags.url })),
      userAgent: `${OWN_CLIENT}${this.config.version}`,
    });
  }

  /** Text for a person; nothing with `--json`. */
  protected print(text: string): void {
    if (!this.jsonEnabled()) this.io.out(text);
  }

  override logJson(json: unknown): void {
    this.io.out(`${JSON.stringify(json, null, 2)}\n`);
  }

  /** oclif's own `catch` forgets the exit code of an error with `--json`. */
  protected override async catch(error: Error): Promise<void> {
    const failure = failureOf(
      error,
      flagHint(error, Object.keys({ ...this.ctor.flags, ...this.ctor.baseFlags })),
    );
    this.io.exitWith(failure.exitCode);
    if (failure.text === '') return;
    if (this.jsonEnabled()) this.logJson({ error: failure.problem });
    else this.io.err(failure.text);
  }
}
