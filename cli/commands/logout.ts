import { toErrorMessage } from '../../src/base/errors/errors.ts';
import { RunnerCommand } from '../base/runnerCommand.ts';
import { type CloudLogin, readCloudLogin, removeCloudLogin } from '../cloud/cloudLoginFile.ts';
import { openCloudSession } from '../cloud/cloudSession.ts';
import { postForm } from '../cloud/oauthTokens.ts';
import { readCloudConfig, writeCloudConfig } from '../cloud/pairHome.ts';
import { refuseInsideSession } from '../input/confirmOrRefuse.ts';
import { openHomeConfig } from '../remote/selectConfigSource.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

interface LogoutReply {
  /** null: this home was neither logged in nor paired. */
  url: string | null;
  /** Whether the control plane has ended the login and the runner's token; false where it was not reached. */
  revoked: boolean;
  restart: readonly string[];
}

export default class LogoutCommand extends RunnerCommand {
  static override summary =
    'Log out of the control plane and disconnect the runner of this machine.';
  static override description =
    "Ends your login and the runner's token at the control plane, and removes both, with cloud.url and cloud.token, from this home. Jobs stay on this machine. Where the control plane does not answer, they are removed here only.";
  static override examples = ['<%= config.bin %> logout'];

  async run(): Promise<LogoutReply> {
    await this.parse(LogoutCommand);
    refuseInsideSession(this.io.env, 'log out of a control plane');
    const home = this.home();
    const login = await readCloudLogin(home);
    const source = (await this.runnerOrNull())?.client ?? (await openHomeConfig(this.io));
    const { url: configured } = await readCloudConfig(source);
    const url = login?.url ?? configured;
    if (url === null) {
      this.print('This home is not logged in to a control plane.\n');
      return { url, revoked: false, restart: [] };
    }
    const fault = login === null ? null : await this.#revoke(home, login);
    await removeCloudLogin(home);
    const restart = configured === null ? [] : await writeCloudConfig(source, null);
    this.#tell(url, login, fault);
    if (restart.length > 0) this.print('Takes effect after svc restart.\n');
    return { url, revoked: login !== null && fault === null, restart };
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
      await postForm({ io, url: login.url, version }, '/auth/token/revocation', { token });
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
