import { Args, Flags } from '@oclif/core';
import type { CreateJobBody } from '../../../src/contract/schema/api/bodies.ts';
import { SvcCommand } from '../../base/base.ts';
import { readCampaignFile } from '../../input/readCampaignFile.ts';
import { drawCampaignGraph } from '../../render/job/drawCampaignGraph.ts';
import {
  type FollowedCreation,
  createAndFollowJob,
  parseFollowFlags,
} from '../../remote/createAndFollowJob.ts';
import { followFlags } from '../../input/flags.ts';

export default class CampaignStartCommand extends SvcCommand {
  static override summary = 'Start a campaign from a markdown file and follow its log.';
  static override description =
    'Front matter: repo and sub-runs, a list of { name, description, dependsOn, params, trackerRef }; also title, workflow, ' +
    'maxParallelSubRuns, failurePolicy and params. The text below it describes the campaign.';
  static override examples = [
    '<%= config.bin %> campaign start split-the-shop.md --dry-run',
    '<%= config.bin %> campaign start split-the-shop.md --wait --timeout 2h --json',
  ];
  static override args = {
    file: Args.string({ description: 'Campaign file, or - for standard input.', required: true }),
  };
  static override flags = {
    'dry-run': Flags.boolean({
      description: 'Check the file and draw its graph, without starting anything. Needs no runner.',
    }),
    ...followFlags,
  };

  async run(): Promise<FollowedCreation | CreateJobBody> {
    const { args, flags } = await this.parse(CampaignStartCommand);
    const following = parseFollowFlags(flags);
    const body = await readCampaignFile(args.file, this.io);
    if (flags['dry-run']) {
      const drawnSubRuns = body.subRuns.map(({ name, dependsOn = [] }) => ({
        name,
        dependsOn,
        status: 'pending' as const,
        attempt: 1,
        reason: null,
        waitsFor: null,
      }));
      this.print(drawCampaignGraph(drawnSubRuns, [], this.io));
      return body;
    }
    const client = await this.client(flags);
    return createAndFollowJob({
      client,
      create: () => client.createJob(body),
      following,
      io: this.io,
      asJson: this.jsonEnabled(),
    });
  }
}
