import { Flags } from '@oclif/core';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { VARIABLE_NAME } from '../../../src/base/settings/ownVariables.ts';
import type { TrustView } from '../../../src/contract/schema/workflow/trust.ts';
import { SvcCommand } from '../../base/base.ts';
import { confirmOrRefuse } from '../../input/confirmOrRefuse.ts';
import { yesFlag } from '../../input/flags.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { repoArg, repoFlag } from '../../input/resolveObjects.ts';
import { findRepositoryTrust } from '../../remote/findRepositoryTrust.ts';
import { formatTrust } from '../../render/workflow/formatTrust.ts';

export default class TrustAddCommand extends SvcCommand {
  static override summary =
    'Trust what a repository would run, in its current version. Later changes must be trusted again.';
  static override description =
    'Shows all of it first and asks for confirmation; without a terminal, --yes is required. Exits with 1 if you decline.';
  static override examples = [
    '<%= config.bin %> trust add shop',
    '<%= config.bin %> trust add shop --yes',
    '<%= config.bin %> trust add shop --env API_TOKEN',
  ];
  static override args = { repo: repoArg };
  static override flags = {
    repo: repoFlag,
    yes: yesFlag,
    env: Flags.string({
      multiple: true,
      helpValue: 'NAME',
      summary:
        "Let its tool servers have this variable of the runner's environment, where its .mcp.json refers to it. May be repeated.",
    }),
  };

  async run(): Promise<TrustView> {
    const parsed = await this.parse(TrustAddCommand);
    const { flags } = parsed;
    const { repo } = this.objects(['repo'], parsed);
    const client = await this.client(flags);
    const view = await findRepositoryTrust(client, repo);
    const env = (flags.env ?? []).filter((name) => !view.env.includes(name));
    const bad = env.filter((name) => !VARIABLE_NAME.test(name));
    if (bad.length > 0)
      throw new SvcError(
        'bad-argument',
        `--env ${bad[0]}: give the name of an environment variable, such as API_TOKEN, and never its value.`,
      );
    if (view.state === 'trusted' && env.length === 0) {
      this.print(`${toPrintableLine(view.repo)} is already trusted.\n`);
      return view;
    }
    if (view.hash === null) {
      this.io.err(formatTrust(view));
      throw new SvcError('not-possible-now', `${repo} has nothing to trust.`);
    }
    if (!(await this.#confirmTrust(view, env, flags.yes))) {
      this.io.err('Nothing was done.\n');
      this.io.exitWith(1);
      return view;
    }
    const trust = await client.addTrust({
      repo,
      hash: view.hash,
      ...(env.length === 0 ? {} : { env }),
    });
    const files = trust.wants.length === 1 ? '1 file' : `${trust.wants.length} files`;
    this.print(`${toPrintableLine(trust.repo)} is trusted: ${files}, hash ${trust.hash}\n`);
    if (trust.env.length > 0) this.print(`Its tool servers may have ${trust.env.join(', ')}.\n`);
    return trust;
  }

  async #confirmTrust(view: TrustView, env: readonly string[], yes: boolean): Promise<boolean> {
    this.io.err(formatTrust(view));
    const more = env.length === 0 ? '' : ` Give its tool servers ${env.join(', ')}?`;
    return confirmOrRefuse(this.io, yes, `Allow all of this to run?${more}`);
  }
}
