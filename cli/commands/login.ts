import type { PairedRunner } from '../../src/contract/schema/cloud/teamRunner.ts';
import { platform } from 'node:os';
import { Flags } from '@oclif/core';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Me } from '../../src/contract/schema/cloud/team.ts';
import { readEnvironment } from '../../src/host/config/home/env.ts';
import { RunnerCommand } from '../base/runnerCommand.ts';
import { chooseTeam } from '../cloud/chooseTeam.ts';
import { writeCloudLogin } from '../cloud/cloudLoginFile.ts';
import { askCloud, type CloudPlace, createJsonInit } from '../cloud/cloudRequest.ts';
import { toStoredTokens } from '../cloud/cloudSession.ts';
import { logInByBrowser } from '../cloud/logInByBrowser.ts';
import { logInByDevice } from '../cloud/logInByDevice.ts';
import { logInByPassword } from '../cloud/logInByPassword.ts';
import {
  type CloudMetadata,
  discoverCloud,
  revokeToken,
  type Tokens,
  toLoginError,
} from '../cloud/oauthTokens.ts';
import { readCloudConfig, redeemPairingCode, writeCloudConfig } from '../cloud/pairHome.ts';
import { DEFAULT_CLOUD_URL, parseCloudUrl } from '../cloud/parseCloudUrl.ts';
import { readTextArgument } from '../input/readTextArgument.ts';
import { refuseInsideSession } from '../input/confirmOrRefuse.ts';
import { openBrowser, shouldOpenBrowser } from '../remote/browser.ts';
import { openHomeConfig } from '../remote/selectConfigSource.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

interface LoginReply {
  url: string;
  /** null: paired with a code, so no one is logged in. */
  email: string | null;
  team: { id: string; slug: string; name: string };
  runner: { id: string; name: string };
  restart: readonly string[];
}

interface LoginFlags {
  device: boolean;
  email: string | undefined;
  password: string | undefined;
  team: string | undefined;
}

/** Said before anything is sent. */
const WHAT_IT_HOLDS =
  'It will hold what the jobs of your team show: prompts, plans, logs, artefacts, and source code in diffs. The members of the team and the operators of the control plane can read it.';

export default class LoginCommand extends RunnerCommand {
  static override summary = 'Log in to a control plane and connect the runner of this machine.';
  static override description =
    "Opens the browser; over SSH, without a display or with --device it shows a code that you type into a browser on any machine. Then pairs this home's runner with the team, and writes cloud.url and cloud.token. With --pair no one is logged in: the code of an admin connects the runner alone.";
  static override examples = [
    '<%= config.bin %> login --cloud-url https://svc.example.com',
    '<%= config.bin %> login --device --team acme',
    '<%= config.bin %> login --cloud-url https://svc.example.com --pair K7Q2M4X9TB',
    '<%= config.bin %> login --email ada@example.com --password - < password.txt',
  ];
  static override flags = {
    'cloud-url': Flags.string({
      description: `Address of the control plane. Default: cloud.url of the configuration, else ${DEFAULT_CLOUD_URL}.`,
      helpValue: '<url>',
    }),
    team: Flags.string({
      description: 'Team that this machine works for. Needed if you are in several.',
      helpValue: '<slug>',
      exclusive: ['pair'],
    }),
    device: Flags.boolean({
      description: 'Show a code to type into a browser on any machine, and open none here.',
      exclusive: ['pair', 'email'],
    }),
    pair: Flags.string({
      description: 'Pairing code of an admin, for a machine that no person works at.',
      helpValue: '<code>',
      exclusive: ['email'],
    }),
    email: Flags.string({
      description: 'Log in with a password instead of the browser, for scripts.',
      helpValue: '<email>',
    }),
    password: Flags.string({
      description: 'The password for --email; - reads it from standard input.',
      helpValue: '-',
      dependsOn: ['email'],
    }),
  };

  async run(): Promise<LoginReply> {
    const { flags } = await this.parse(LoginCommand);
    refuseInsideSession(this.io.env, 'log in to a control plane');
    const running = await this.runnerOrNull();
    const source = running?.client ?? (await openHomeConfig(this.io));
    const cloudConfig = await readCloudConfig(source);
    const url = parseCloudUrl(flags['cloud-url'] ?? cloudConfig.url ?? DEFAULT_CLOUD_URL);
    refuseOtherTeam(cloudConfig.url, url);
    const place = { io: this.io, url, version: this.config.version };
    const metadata = await discoverCloud(place);
    this.note(`Control plane: ${url}\n${WHAT_IT_HOLDS}\n`);
    const home = this.home();
    const person =
      flags.pair === undefined ? await this.#logIn(place, metadata, home, flags) : null;
    const code = flags.pair ?? (await this.#fetchCode(place, person));
    const pairing = await redeemPairingCode(place, home, code, cloudConfig.name);
    if (person !== null)
      await writeCloudLogin(home, { ...person.login, runnerId: pairing.runnerId });
    const { token, labels } = pairing;
    const cloud = { url, token, ...(labels.length > 0 ? { labels } : {}) };
    const restart = await writeCloudConfig(source, cloud);
    this.#tell(pairing, running !== null, restart);
    return {
      url,
      email: person?.login.email ?? null,
      team: pairing.team,
      runner: { id: pairing.runnerId, name: pairing.name },
      restart,
    };
  }

  /** Logs a person in, and keeps their login: what follows can be repeated without another one. */
  async #logIn(place: CloudPlace, metadata: CloudMetadata, home: string, flags: LoginFlags) {
    const tokens = await this.#requestTokens(place, metadata, flags).catch((error: unknown) => {
      throw toLoginError(error);
    });
    const { me, team } = await this.#findTeam(place, tokens, flags.team);
    const login = {
      url: place.url,
      email: me.email,
      ...toStoredTokens(tokens, this.io.now()),
      team: { id: team.id, slug: team.slug },
      runnerId: null,
    };
    await writeCloudLogin(home, login);
    this.print(
      `Logged in as ${toPrintableLine(me.email)}: team ${toPrintableLine(team.name)}, role ${team.role}.\n`,
    );
    return { login, teamId: team.id };
  }

  /** Revokes the tokens where no team is found: nothing here would keep them, so that no logout could end them. */
  async #findTeam(place: CloudPlace, { accessToken, refreshToken }: Tokens, wantedTeam?: string) {
    try {
      const headers = { Authorization: `Bearer ${accessToken}` };
      const me = await askCloud<Me>(place, '/me', { headers });
      return { me, team: await chooseTeam({ io: this.io, url: place.url }, me.teams, wantedTeam) };
    } catch (error) {
      // The first failure is the one to report.
      await revokeToken(place, refreshToken).catch(() => undefined);
      throw error;
    }
  }

  async #requestTokens(
    place: CloudPlace,
    metadata: CloudMetadata,
    flags: LoginFlags,
  ): Promise<Tokens> {
    const { io } = this;
    if (flags.email !== undefined) {
      const password = await this.#readPassword(flags.password);
      return logInByPassword(place, metadata, { email: flags.email, password });
    }
    const { browser } = readEnvironment(io.env);
    const withBrowser = !flags.device && shouldOpenBrowser(undefined, browser, platform());
    const tokens = withBrowser
      ? await logInByBrowser({ ...place, io }, metadata, openBrowser)
      : null;
    return tokens ?? logInByDevice({ ...place, io });
  }

  async #readPassword(argument: string | undefined): Promise<string> {
    if (argument === '-') return readTextArgument(argument, 'The password', this.io);
    if (argument !== undefined) {
      this.io.err(
        'Warning: other programs can read the command line. Give --password - and the password on standard input.\n',
      );
      return argument;
    }
    const password = (await this.io.ask?.('Password: ', true)) ?? null;
    if (password === null || password === '')
      throw new SvcError(
        'bad-argument',
        '--email needs a password. Give --password - and the password on standard input.',
      );
    return password;
  }

  async #fetchCode(
    place: CloudPlace,
    person: { login: { accessToken: string }; teamId: string } | null,
  ): Promise<string> {
    if (person === null) throw new Error('No one is logged in.');
    const { code } = await askCloud<{ code: string }>(
      place,
      `/teams/${person.teamId}/pairing-codes`,
      createJsonInit('POST', {}, person.login.accessToken),
    );
    return code;
  }

  #tell({ name, team }: PairedRunner, isRunning: boolean, restart: readonly string[]): void {
    this.print(
      `This machine is paired with the team ${toPrintableLine(team.name)} as ${toPrintableLine(name)}.\n`,
    );
    if (restart.length > 0) this.print('Takes effect after svc restart.\n');
    else
      this.print(
        isRunning
          ? 'Its runner connects now. To see it: svc runner status\n'
          : 'Start its runner to connect it: svc start\n',
      );
  }
}

/** The state of a home is at one control plane. */
function refuseOtherTeam(pairedUrl: string | null, url: string): void {
  if (pairedUrl === null || parseCloudUrl(pairedUrl) === url) return;
  throw new SvcError(
    'not-possible-now',
    `This home works for a team at ${pairedUrl}, where its state is. Run svc logout first, then svc login again.`,
  );
}
