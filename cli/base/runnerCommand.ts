import { type Client, createClient } from '../../src/api/client/client.ts';
import { resolveConfigPlace } from '../../src/host/config/home/resolveConfigPlace.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import { noticeQuietRunner } from '../remote/noticeQuietRunner.ts';
import { resolveConnection } from '../remote/resolveConnection.ts';
import { type HomeRunner, findHomeRunner } from '../remote/findHomeRunner.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { LocalCommand } from './localCommand.ts';

export interface RunnerHere extends HomeRunner {
  home: string;
  client: Client;
}

/** A command about the runner of this home itself, whatever SVC_URL names. */
export abstract class RunnerCommand extends LocalCommand {
  protected home(): string {
    return resolveConfigPlace(this.#place()).home;
  }

  #place() {
    const { homeDir } = this.io;
    const env = { ...this.io.env, SVC_URL: undefined, SVC_TOKEN: undefined };
    return { env, homeDir, flags: {}, packageRoot: findPackageRoot(import.meta.url) };
  }

  /** null = none answers. */
  protected async runnerOrNull(): Promise<RunnerHere | null> {
    const runner = await findHomeRunner(this.io, this.config.version);
    if (runner === null) return null;
    const { env, homeDir } = this.#place();
    const client = createClient({
      ...(await resolveConnection({ env, homeDir, url: undefined })),
      userAgent: `${OWN_CLIENT}${this.config.version}`,
      fetch: noticeQuietRunner(this.io),
    });
    return { ...runner, home: this.home(), client };
  }

  /** Throws SvcError `unreachable` where none answers. */
  protected async runnerHere(): Promise<RunnerHere> {
    const runner = await this.runnerOrNull();
    if (runner === null)
      throw new SvcError(
        'unreachable',
        'No runner is running for this home. Start one with: svc start',
      );
    return runner;
  }
}
