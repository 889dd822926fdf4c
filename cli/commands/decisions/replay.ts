import { Flags } from '@oclif/core';
import type { DecisionReplay } from '../../../src/contract/schema/policy/decisionEntry.ts';
import { SvcCommand } from '../../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { keyArg, findRating, parseRatingWords } from '../../input/findRating.ts';
import { formatReplay } from '../../render/policy/formatDecisionEntry.ts';

export default class DecisionsReplayCommand extends SvcCommand {
  static override summary = "Recompute a rating's digest from stored data and compare.";
  static override description =
    'The same data gives the same bytes and the same hash. With --ask, also sends the digest to the currently configured provider and compares the answer. Nothing is recorded.';
  static override examples = [
    '<%= config.bin %> decisions replay shop-job-1790000000000',
    '<%= config.bin %> decisions replay shop-job-1790000000000 overseer/3/1 --ask',
  ];
  static override args = { job: jobArg, key: keyArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    ask: Flags.boolean({ description: 'Also ask the currently configured provider.' }),
  };

  async run(): Promise<DecisionReplay> {
    const parsed = await this.parse(DecisionsReplayCommand);
    const { rest, key } = parseRatingWords(parsed);
    const { job } = this.objects(['job'], rest);
    const client = await this.client(parsed.flags);
    const { ask } = parsed.flags;
    const entry = await findRating(client, job, key);
    const replay = await client.replayDecision({ job, key: entry.key, ...(ask ? { ask } : {}) });
    this.print(formatReplay(replay, this.io));
    return replay;
  }
}
