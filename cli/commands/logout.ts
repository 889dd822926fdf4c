import { Flags } from '@oclif/core';
import { toErrorMessage } from '../../src/base/errors/errors.ts';
import { RunnerCommand } from '../base/runnerCommand.ts';
import { type CloudLogin, readCloudLogin, removeCloudLogin } from '../cloud/cloudLoginFile.ts';
import { openCloudSession } from '../cloud/cloudSession.ts';
import { leaveTeam } from '../cloud/leaveTeam.ts';
import { readHomeSettings } from '../cloud/readHomeSettings.ts';
import { revokeToken } from '../cloud/oauthTokens.ts';
import { readCloudConfig, writeCloudConfig } from '../cloud/pairHome.ts';
import { yesFlag } from '../input/flags.ts';
import { refuseInsideSession } from '../input/confirmOrRefuse.ts';
import { openHomeConfig } from '../remote/selectConfigSource.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

interface LogoutReply {
  /** null: this home was neither logged in nor paired. */
  url: string | null;
  /** Changes that the control plane never got; only with --abandon more than 0. */
  unsent: number;
  /** Whether the control plane has ended the login and the runner's token; false where it was not reached. */
  revoked: boolean;
  restart: readonly string[];
}

export default class LogoutCommand extends RunnerCommand {
  static override summary =
    'Log out of the control plane and disconnect the runner of this machine.';
  static override description =
    "Sends the last changes of this home to the control plane, which then deletes its copy: the state and all jobs are on this machine alone. Then ends your login and the runner's token there, and removes both, with cloud.url and cloud.token, from this home. Waits while the control plane is away; --abandon does not.";
  static override examples = ['<%= config.bin %> logout', '<%= config.bin %> logout --abandon'];
  static override flags = {
    abandon: Flags.boolean({
      description:
        'Do not wait for a control plane that is away. It keeps its copy of this home, and another runner may continue its jobs from there: they would run twice. Says what it does not have, and asks.',
    }),
    yes: yesFlag,
  };

  async run(): Promise<LogoutReply> {
    const { flags } = await this.parse(LogoutCommand);
    refuseInsideSession(this.io.env, 'log out of a control plane');
    const home = this.home();
    const login = await readCloudLogin(home);
    const runner = await this.runnerOrNull();
    const source = runner?.client ?? (await openHomeConfig(this.io));
    const { url: configuredUrl } = await readCloudConfig(source);
    const url = login?.url ?? configuredUrl;
    const settings = await readHomeSettings(this.io);
    const departure = await leaveTeam(this.io, {
      runner: runner?.client ?? null,
      settings,
      ...flags,
    });
    if (departure === null) {
      this.io.err('Nothing was done.\n');
      this.io.exitWith(1);
      return { url, unsent: 0, revoked: false, restart: [] };
    }
    const { unsent } = departure;
    if (url === null) {
      this.print('This home is not logged in to a control plane.\n');
      return { url, unsent, revoked: false, restart: [] };
    }
    const fault = login === null ? null : await this.#revoke(home, login);
    await removeCloudLogin(home);
    const restart = configuredUrl === null ? [] : await writeCloudConfig(source, null);
    this.#tell(url, login, fault);
    if (restart.length > 0) this.print('Takes effect after svc restart.\n');
    return { url, unsent, revoked: login !== null && fault === null, restart };
  }

  /** null = both are ended; else why they are not. */
  async #revoke(home: string, login: CloudLogin): Promise<string | null> {
    const { io } = this;
    const { version } = this.config;
    try {
      if (login.runnerId !== null) {
        const session = await openCloudSession({ io, home, version });
        const path = `/teams/${login.team.id}/runners/${login.runnerId}`;
        const answer = await session.send(path, { method: 'DELETE' });
        // 404: an admin has revoked it, or the team is gone.
        if (!answer.ok && answer.status !== 404) return `it answered ${answer.status}`;
      }
      const token = (await readCloudLogin(home))?.refreshToken ?? login.refreshToken;
      await revokeToken({ io, url: login.url, version }, token);
      return null;
    } catch (error) {
      return toErrorMessage(error);
    }
  }

  #tell(url: string, login: CloudLogin | null, fault: string | null): void {
    const place = toPrintableLine(url);
    this.print(`Logged out of ${place}.\n`);
    if (login === null)
      this.io.err(
        `This home was paired with a code: no login can revoke its runner. Revoke it on the page Runners of ${place}.\n`,
      );
    else if (fault !== null)
      this.io.err(
        `The control plane has not ended them (${toPrintableLine(fault)}). Revoke this machine on the page Runners of ${place}.\n`,
      );
  }
}
