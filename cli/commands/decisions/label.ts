import { Flags } from '@oclif/core';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { DecisionEntry } from '../../../src/contract/schema/policy/decisionEntry.ts';
import { SvcCommand } from '../../base/base.ts';
import { refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { keyArg, findRating, parseRatingWords } from '../../input/findRating.ts';
import { formatDecisionEntry } from '../../render/policy/formatDecisionEntry.ts';

export default class DecisionsLabelCommand extends SvcCommand {
  static override summary = 'Say whether the work of a rated phase was good.';
  static override description =
    'The label is about the work, not the rating: it overrides every derived outcome, and ratings are measured against it. A new label replaces the old one.';
  static override examples = [
    '<%= config.bin %> decisions label shop-job-1790000000000 --good',
    '<%= config.bin %> decisions label shop-job-1790000000000 overseer/3/1 --bad --note "The tests were deleted."',
    '<%= config.bin %> decisions label shop-job-1790000000000 --clear',
  ];
  static override args = { job: jobArg, key: keyArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    good: Flags.boolean({ description: 'The work was good.', exclusive: ['bad', 'clear'] }),
    bad: Flags.boolean({ description: 'The work was bad.', exclusive: ['good', 'clear'] }),
    clear: Flags.boolean({ description: 'Remove the label.', exclusive: ['good', 'bad'] }),
    note: Flags.string({ description: 'Why.', helpValue: '<text>' }),
  };

  async run(): Promise<DecisionEntry> {
    const parsed = await this.parse(DecisionsLabelCommand);
    refuseInsideSession(this.io.env, 'say how rated work was');
    const { good, bad, clear, note } = parsed.flags;
    const { rest, key } = parseRatingWords(parsed);
    const { job } = this.objects(['job'], rest);
    if (!good && !bad && !clear)
      throw new SvcError(
        'bad-argument',
        'Say how the work was: --good or --bad; --clear takes it back.',
      );
    const client = await this.client(parsed.flags);
    const entry = await client.labelDecision({
      job,
      key: (await findRating(client, job, key)).key,
      verdict: clear ? null : good ? 'good' : 'bad',
      ...(note === undefined ? {} : { note }),
    });
    this.print(formatDecisionEntry(entry, this.io));
    return entry;
  }
}
