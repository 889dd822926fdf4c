import { Flags } from '@oclif/core';
import { type Client, createClient } from '../../src/api/client/client.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import { noticeQuietRunner } from '../remote/noticeQuietRunner.ts';
import { resolveConnection } from '../remote/resolveConnection.ts';
import { resolveObjects } from '../input/resolveObjects.ts';
import { LocalCommand } from './localCommand.ts';

/** A command that reaches a runner: `--url` and the client. */
export abstract class SvcCommand extends LocalCommand {
  static override baseFlags = {
    ...LocalCommand.baseFlags,
    url: Flags.string({
      description: 'Base URL of the runner. Default: SVC_URL, else the runner of this home.',
      helpGroup: 'GLOBAL',
      helpValue: '<url>',
    }),
  };

  /**
   * The objects that the command acts on: each from its flag, the others from the arguments in
   * order.
   */
  protected objects<const Name extends string>(
    names: readonly Name[],
    parsed: { argv: readonly unknown[]; flags: object },
  ): Record<Name, string> {
    return resolveObjects(names, parsed, (this.ctor.id ?? '').replaceAll(':', ' '));
  }

  /** Once per command, however many replies leave rows out. */
  #tellBroken(count: number): void {
    if (this.#hasToldBroken) return;
    this.#hasToldBroken = true;
    const rows = count === 1 ? '1 stored row' : `${count} stored rows`;
    this.io.err(
      `${rows} of this cannot be read. svc doctor names them; svc doctor --fix repairs them.\n`,
    );
  }

  #hasToldBroken = false;

  /** `team`: the control plane is asked, which passes it on to the runner of the job. */
  protected async client(flags: {
    url: string | undefined;
    team?: string | undefined;
  }): Promise<Client> {
    const { env, homeDir } = this.io;
    const team = flags.team === undefined ? null : await this.#openTeam(flags.team);
    return createClient({
      ...(team ?? (await resolveConnection({ env, homeDir, url: flags.url }))),
      userAgent: `${OWN_CLIENT}${this.config.version}`,
      onBrokenRows: (count) => this.#tellBroken(count),
      // A team's sends the token of the login.
      fetch: noticeQuietRunner(this.io, team?.fetch),
    });
  }

  /** Loaded only here: without a team no command needs a library of schemas. */
  async #openTeam(team: string) {
    const { openTeamConnection } = await import('../cloud/openTeamConnection.ts');
    return openTeamConnection(this.io, this.config.version, team);
  }
}
