import type { JobAnswer, JobPorts } from '../../machines/index.ts';
import type { EffectOutcome, Port } from '../durable/port.ts';
import { SvcError } from '../lib/errors.ts';
import type { PrEvent, PrMapping } from '../schema/pr.ts';
import type { Forge, ForgeOperation, ForgeOperations } from '../scm/forge.ts';

export interface WriteForgeDeps {
  forge(id: string): Forge | undefined;
  /** Name under which a job acts. */
  author(jobId: string): string;
  /** The job that owns a pull request; null = none. */
  ownerOf(pr: Pick<PrMapping, 'forge' | 'repo' | 'number'>): string | null;
  /** The owners of the pull requests, as sends; the job that acts is left out. */
  sendsOf(events: readonly PrEvent[], actor: string): NonNullable<EffectOutcome['sends']>;
}

/** Errors that are an answer for the agent; everything else is worth another attempt. */
const ANSWERS = new Set(['bad-argument', 'not-found', 'conflict', 'invalid', 'config-invalid', 'too-large']);

/**
 * `forge.write`: one write to a forge. The effect id is the operation's id, so a repeat after a crash finds what was
 * done; the forge's rows, the answer and the events for other jobs are one commit.
 */
export const writeForge =
  ({ forge: forgeById, author, ownerOf, sendsOf }: WriteForgeDeps): Port<JobPorts['forge.write']> =>
  async ({ key, forge: forgeId, operation, args, at }, { actorId, effectId }) => {
    const answer = (wrote: Omit<Extract<JobAnswer, { type: 'forge.wrote' }>, 'type' | 'key' | 'operation'>) => ({
      type: 'forge.wrote' as const,
      key,
      operation,
      ...wrote,
    });
    const forge = forgeById(forgeId);
    if (!forge) {
      return { events: [answer({ ok: false, pr: null, result: { error: `There is no forge ${forgeId}.`, code: 'not-found' } })] };
    }
    try {
      // The tool server has validated the arguments against the operation's schema.
      const change = await forge.write(operation as ForgeOperation, args as ForgeOperations[ForgeOperation], {
        author: author(actorId),
        at,
        operationId: effectId,
      });
      // Opened by another call whose rows are not committed yet: whose it is can be told at the next attempt.
      if (operation === 'create_pr' && change.result.existing === true && change.rows.length > 0) {
        throw new Error(`${change.pr?.prId} is being opened by another call at this moment`);
      }
      const owner = operation === 'create_pr' && change.pr ? ownerOf(change.pr) : null;
      // The branches have an open pull request already; taking it over would leave its job waiting for ever.
      if (change.pr && owner !== null && owner !== actorId) {
        const error = `${change.pr.prId} for these branches belongs to ${owner}: use a branch of this job's own`;
        return { events: [answer({ ok: false, pr: null, result: { error, code: 'conflict' } })] };
      }
      return {
        events: [answer({ ok: true, pr: change.pr, result: change.result })],
        sends: sendsOf(change.events, actorId),
        rows: change.rows,
      };
    } catch (error) {
      if (error instanceof SvcError && ANSWERS.has(error.code)) {
        return { events: [answer({ ok: false, pr: null, result: { error: error.message, code: error.code } })] };
      }
      throw error;
    }
  };
