import type { Client } from '../../src/api/client/client.ts';
import type { PullRequest } from '../../src/contract/schema/api/replies.ts';
import { refuseInsideSession } from '../input/confirmOrRefuse.ts';
import { authorFlag, toAuthorField, prReason } from '../input/flags.ts';
import { numberArg, numberFlag, repoArg, repoFlag } from '../input/resolveObjects.ts';
import { formatPrLine } from '../render/job/formatPullRequest.ts';
import { SvcCommand } from './base.ts';

type Change = Client['closePullRequest'];

/** A command with which a person closes or reopens a pull request of the local forge. */
export abstract class PrChangeCommand extends SvcCommand {
  static override args = { repo: repoArg, number: numberArg };
  static override flags = {
    repo: repoFlag,
    number: numberFlag,
    author: authorFlag,
    reason: prReason,
  };

  /** `act`: what it does to pull requests, for the refusal within the session of an agent. */
  protected async change(
    act: 'close' | 'reopen',
    toChange: (client: Client) => Change,
  ): Promise<PullRequest> {
    const parsed = await this.parse(PrChangeCommand);
    const { flags } = parsed;
    refuseInsideSession(this.io.env, `${act} pull requests with this command`);
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    const pr = await toChange(await this.client(flags))(repo, Number(number), {
      ...toAuthorField(flags.author),
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    });
    this.print(formatPrLine(pr));
    return pr;
  }
}
