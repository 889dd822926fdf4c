import type {
  SubRunAction,
  SubRunActionBody,
  SubRunReply,
  SubRunWhatIf,
} from '../../src/contract/schema/job/subRun.ts';
import { childArg, childFlag, jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { reasonFlag, yesAtTerminalFlag } from '../input/flags.ts';
import { SvcCommand } from './base.ts';
import { formatSubRunReply, performSubRunAction } from './performSubRunAction.ts';

/** Arguments and flags of each command that changes a sub-run. */
export const subRunArgs = { job: jobArg, child: childArg };
export const subRunFlags = {
  job: jobFlag,
  team: teamFlag,
  child: childFlag,
  reason: reasonFlag,
  yes: yesAtTerminalFlag,
};

interface SubRunInput {
  argv: readonly unknown[];
  flags: {
    url: string | undefined;
    team?: string | undefined;
    reason?: string | undefined;
    yes: boolean;
  };
}

/** A command that changes a sub-run of a campaign, after it has shown what will change. */
export abstract class SubRunCommand extends SvcCommand {
  protected async perform(
    action: SubRunAction,
    parsed: SubRunInput,
    more: SubRunActionBody = {},
  ): Promise<SubRunReply | SubRunWhatIf> {
    const { job: jobId, child } = this.objects(['job', 'child'], parsed);
    const { reason, yes } = parsed.flags;
    const reply = await performSubRunAction({
      client: await this.client(parsed.flags),
      io: this.io,
      jobId,
      child,
      action,
      body: { ...(reason === undefined ? {} : { reason }), ...more },
      yes,
    });
    this.print(formatSubRunReply(reply));
    return reply;
  }
}
