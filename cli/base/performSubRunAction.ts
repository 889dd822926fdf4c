import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type {
  SubRunAction,
  SubRunActionBody,
  SubRunReply,
  SubRunWhatIf,
} from '../../src/contract/schema/job/subRun.ts';
import { refuseInsideSession, confirmAtTerminal } from '../input/confirmOrRefuse.ts';
import { formatSubRunEffects } from '../render/job/formatCampaign.ts';
import type { Io } from '../io.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

interface SubRunActionRequest {
  client: Client;
  io: Io;
  jobId: string;
  child: string;
  action: SubRunAction;
  body: SubRunActionBody;
  yes: boolean;
}

/**
 * Shows what the action would change, asks a person at a terminal, and does it. Exit code 1 and the
 * what-if as the answer when the person says no. Throws SvcError `not-possible-now` when it cannot
 * be done now, and `forbidden` within the session of an agent.
 */
export async function performSubRunAction({
  client,
  io,
  jobId,
  child,
  action,
  body,
  yes,
}: SubRunActionRequest): Promise<SubRunReply | SubRunWhatIf> {
  refuseInsideSession(io.env, `${action} sub-runs with this command`);
  const whatIf = await client.subRunWhatIf(jobId, child, { action, ...body });
  if (whatIf.refused !== null) {
    const why = `${action} of ${child} is not possible now: ${whatIf.refused}`;
    throw new SvcError('not-possible-now', why.endsWith('.') ? why : `${why}.`);
  }
  if (!yes && io.ask !== null)
    io.err(
      `${action} ${toPrintableLine(child)} of ${toPrintableLine(jobId)}:\n${formatSubRunEffects(whatIf, true)}`,
    );
  if (!(await confirmAtTerminal(io, yes, 'Do it?'))) {
    io.err('Nothing was done.\n');
    io.exitWith(1);
    return whatIf;
  }
  return action === 'unskip'
    ? client.unskipSubRun(jobId, child, body)
    : client[`${action}Child`](jobId, child, body);
}

/** What has been done, for people; empty if nothing was. */
export const formatSubRunReply = (reply: SubRunReply | SubRunWhatIf): string =>
  'name' in reply
    ? `${toPrintableLine(reply.name)}: ${reply.status}\n${formatSubRunEffects(reply, false)}`
    : '';
