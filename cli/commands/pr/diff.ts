import type { Client } from '../../../src/api/client/client.ts';
import { SvcCommand } from '../../base/base.ts';
import { pickJobPullRequest } from '../../remote/pickJobPullRequest.ts';
import { prFlag } from '../../input/flags.ts';
import {
  jobFlag,
  teamFlag,
  numberArg,
  numberFlag,
  repoArg,
  repoFlag,
} from '../../input/resolveObjects.ts';
import { toPrintable } from '../../render/text/toPrintable.ts';

export default class PrDiffCommand extends SvcCommand {
  static override summary =
    'Print the diff of a pull request of a job, or of one of the local forge.';
  static override examples = [
    '<%= config.bin %> pr diff --job shop-job-1790000000000',
    '<%= config.bin %> pr diff --repo shop --number 1',
  ];
  static override args = { repo: repoArg, number: numberArg };
  static override flags = {
    job: { ...jobFlag, exclusive: ['repo', 'number'] },
    team: teamFlag,
    pr: { ...prFlag, dependsOn: ['job'] },
    repo: repoFlag,
    number: numberFlag,
  };

  async run(): Promise<{ diff: string }> {
    const parsed = await this.parse(PrDiffCommand);
    const { flags } = parsed;
    const client = await this.client(flags);
    const diff =
      flags.job === undefined
        ? await this.#ofForge(client, parsed)
        : await readJobPrDiff(client, flags);
    // A file gets the very bytes, so that the diff can be applied; a terminal gets what is safe to
    // show.
    this.print(this.io.columns > 0 ? toPrintable(diff) : diff);
    return { diff };
  }

  #ofForge(client: Client, parsed: { argv: readonly unknown[]; flags: object }): Promise<string> {
    const { repo, number } = this.objects(['repo', 'number'], parsed);
    return client.pullRequestDiff(repo, Number(number));
  }
}

async function readJobPrDiff(
  client: Client,
  { job = '', pr }: { job?: string | undefined; pr?: string | undefined },
): Promise<string> {
  return (await client.jobPullRequestDiff(job, await pickJobPullRequest(client, job, pr))).text;
}
