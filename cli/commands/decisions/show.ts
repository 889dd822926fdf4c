import type { DecisionEntry } from '../../../src/contract/schema/policy/decisionEntry.ts';
import { SvcCommand } from '../../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { keyArg, findRating, parseRatingWords } from '../../input/findRating.ts';
import { formatDecisionEntry } from '../../render/policy/formatDecisionEntry.ts';

export default class DecisionsShowCommand extends SvcCommand {
  static override summary = 'Show a rating: the verdict, the question and the outcome.';
  static override description =
    'With --json it prints the entry of GET /decisions, raw answers included.';
  static override examples = [
    '<%= config.bin %> decisions show shop-job-1790000000000',
    '<%= config.bin %> decisions show shop-job-1790000000000 overseer/3/1',
  ];
  static override args = { job: jobArg, key: keyArg };
  static override flags = { job: jobFlag, team: teamFlag };

  async run(): Promise<DecisionEntry> {
    const parsed = await this.parse(DecisionsShowCommand);
    const { rest, key } = parseRatingWords(parsed);
    const { job } = this.objects(['job'], rest);
    const entry = await findRating(await this.client(parsed.flags), job, key);
    this.print(formatDecisionEntry(entry, this.io));
    return entry;
  }
}
