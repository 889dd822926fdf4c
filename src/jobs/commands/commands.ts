import {
  hashApprovalContent,
  findApprovalProblems,
  toPublicStatus,
  findRerunProblems,
  mustNameVersion,
  type JobContext,
  type PersonEvent,
} from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { KernelUse, RowChange } from '../../contract/records/changes.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import type { DurableStore } from '../../kernel/writer.ts';
import { sha256, type Ids } from '../../base/system/ids/ids.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { CommandReply } from '../../contract/schema/api/bodies.ts';
import { MANUAL_RESUME } from '../../base/jobs/resumeKeys.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { Asker } from '../../contract/runner/runnerMethods.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import { translateKernelErrors, requireAcceptedSeq, type Causes } from './refusals.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Exceeded } from '../../contract/schema/policy/exceeded.ts';
import { refuseUnenforced, type Enforcement } from '../terms/enforcement.ts';
import { refuseApprovalEvent } from '../../policy/guardrails/refuseApprovalEvent.ts';
import { parseUnattendedUntil } from '../terms/unattendedLimit.ts';
import { buildBudgetRaise, listSpentBudgets } from '../../policy/budgets/budgetRaise.ts';
import type { Requests } from './requests.ts';
import {
  listMessageReceipts,
  findMessageItem,
  type MessageStanding,
} from '../views/messageRows.ts';
import { isInboxItemOpen, listPhaseVisits } from '../views/jobRows.ts';

const WITH_SESSION: ReadonlySet<string> = new Set(['working.inSession', 'working.stopping']);
/** A failed job is missing here: it can be resumed, and then its messages are read. */
const FINAL: ReadonlySet<string> = new Set([
  'ended.complete',
  'ended.escalated',
  'ended.cancelled',
]);

/** `since`: when the current state began, epoch ms. */
function readMessageStanding(
  { value, context }: ActorState<JobContext>,
  since: number,
  rows: RowReader,
): MessageStanding {
  const at = listLeafPaths(value);
  const phases = new Map(
    listPhaseVisits(rows, context.id).map(({ visit, phase }) => [visit, phase]),
  );
  return {
    live: at.some((state) => WITH_SESSION.has(state))
      ? { visit: context.visit, session: context.session }
      : null,
    endedAt: at.some((state) => FINAL.has(state)) ? since : null,
    findPhase: (visit) => phases.get(visit) ?? null,
  };
}

/**
 * The number of the inbox item of a message that another one may replace. Throws SvcError
 * `not-found`, or `not-possible-now` if an agent was given it. If one is given it in the same
 * commit, the replacement is not sent.
 */
function requireReplaceable(rows: RowReader, jobId: string, id: string): number {
  const item = findMessageItem(rows, jobId, id);
  if (!item) throw new SvcError('not-found', `${jobId} has no message ${id}.`);
  if (!isInboxItemOpen(item) || rows.count('message_offers', { job_id: jobId, id }) > 0) {
    throw new SvcError(
      'not-possible-now',
      `The message ${id} has already been given to an agent or replaced. Send another one that corrects it.`,
    );
  }
  return item.n;
}

type Commands = Pick<Runner, 'resume' | 'cancel' | 'pause' | 'message' | 'messages' | 'rerun'>;

interface CommandDeps {
  kernel: KernelUse;
  requests: Requests;
  ids: Ids;
  readState(jobId: string): ActorState<JobContext>;
  inbox: DurableStore['inbox'];
  rows: RowReader;
  /** When the job's present state began, epoch ms. */
  readSince(jobId: string): number;
  budgets: Pick<Budgets, 'findProblems' | 'runChange'>;
  /** Whether the budgets of an unattended job can be enforced. */
  enforcement: Pick<Enforcement, 'phases'>;
  now(): number;
}

/**
 * Source of commands with an Idempotency-Key: the key identifies the delivery, so that its journal
 * row can be found again.
 */
const REQUEST = 'request';
const MESSAGE_ID_CHARS = 16;
/** The author of a message of whom no name is known. */
const DEVELOPER = 'developer';

/** The journal has the name, where one is known. */
const namePerson = ({ person }: Asker): { person?: string } =>
  person === undefined ? {} : { person };

/** Exact causes with values, where the chart can name them. */
const collectRefusalCauses = (
  { value, context }: ActorState<JobContext>,
  event: PersonEvent,
): Causes => {
  if (
    event.type === 'job.rerun' &&
    !listLeafPaths(value).some((leaf) => leaf.startsWith('working.'))
  ) {
    return { sentences: findRerunProblems(context, event.phase) };
  }
  if (event.type !== 'job.resume' || !listLeafPaths(value).includes('parked.approval'))
    return { sentences: [] };
  return {
    ...(mustNameVersion(context, event) ? { code: 'shown-required' } : {}),
    sentences: findApprovalProblems(context, event),
    data: { shown: hashApprovalContent(context) },
  };
};

const refuseSpent = (id: string, budgets: readonly Exceeded[]): void => {
  const [budget] = budgets;
  if (budget === undefined) return;
  const texts = budgets.map(({ text }) => text).join(' ');
  throw new SvcError('over-budget', `${id} cannot continue: ${texts}`, { data: { budget } });
};

/** Commands of people on one job: each is one event of the chart, answered after its commit. */
export const createCommands = ({
  kernel,
  requests,
  ids,
  readState,
  inbox,
  rows,
  readSince: since,
  budgets,
  enforcement,
  now,
}: CommandDeps): Commands => {
  const buildReply = (jobId: string, seq: number): CommandReply => {
    const state = readState(jobId);
    return {
      jobId,
      status: toPublicStatus(state),
      phase: state.context.phase,
      state: listLeafPaths(state.value),
      seq,
    };
  };

  /**
   * The answer to a command that was committed but never answered: its own row, not the newest one.
   */
  const repliedAgain = (jobId: string, key: string): CommandReply => {
    const row = inbox(jobId, REQUEST, key);
    if (!row)
      throw new SvcError(
        'internal',
        `the command ${key} of ${jobId} was done, but its row was not found`,
      );
    return buildReply(jobId, row.seq);
  };

  /**
   * `toEvent` is called only when the command is really carried out, so that a repeat does not find
   * its own first attempt in the way.
   */
  const send = (
    jobId: string,
    command: string,
    toEvent: () => PersonEvent,
    request: RequestKey | undefined,
    more: () => RowChange[] = () => [],
  ): Promise<CommandReply> => {
    readState(jobId);
    return requests.runOnce(
      request,
      () => repliedAgain(jobId, request?.key ?? ''),
      (scope) =>
        translateKernelErrors(jobId, async () => {
          const event = toEvent();
          const once = request ? { source: REQUEST, externalId: request.key } : {};
          const { sends } = await budgets.runChange(more, (rowChanges) =>
            kernel.submit({
              sends: [{ to: jobId, event, ...once }],
              rows: [...scope.claim(jobId), ...rowChanges],
              allOrNothing: true,
            }),
          );
          return buildReply(
            jobId,
            requireAcceptedSeq(jobId, command, sends[0], () =>
              collectRefusalCauses(readState(jobId), event),
            ),
          );
        }),
    );
  };

  return {
    resume: (id, { eventKey = MANUAL_RESUME, shown, budget, unattended }, asker) =>
      send(
        id,
        'resume',
        () => ({
          type: 'job.resume',
          eventKey,
          ...(shown === undefined ? {} : { shown }),
          by: asker.by,
          ...namePerson(asker),
          ...(unattended === undefined
            ? {}
            : { unattended: parseUnattendedUntil(unattended.until, now(), '/unattended/until') }),
        }),
        asker.requestKey,
        () => {
          const { context } = readState(id);
          refuseApprovalEvent(id, context.parked, eventKey);
          if (unattended !== undefined)
            refuseUnenforced(enforcement.phases(context), context.workflowPath);
          const raise =
            budget === undefined
              ? []
              : buildBudgetRaise(rows, listSpentBudgets(context, budgets.findProblems(context)), {
                  given: budget,
                  at: now(),
                  by: asker.by,
                });
          if (context.parked?.kind === 'budget')
            refuseSpent(id, budgets.findProblems(context, raise));
          return raise;
        },
      ),
    cancel: (id, { reason = null }, asker) =>
      send(
        id,
        'cancel',
        () => ({ type: 'job.cancel', reason, ...namePerson(asker) }),
        asker.requestKey,
      ),
    pause: (id, asker) =>
      send(id, 'pause', () => ({ type: 'job.pause', ...namePerson(asker) }), asker.requestKey),
    rerun: (id, phase, asker) =>
      send(
        id,
        `a rerun of ${phase}`,
        () => ({ type: 'job.rerun', phase, ...namePerson(asker) }),
        asker.requestKey,
      ),
    async message(id, { message: text, replaces }, { person = DEVELOPER, requestKey }) {
      // Derived from the key if there is one, so that a repeat after a crash gets the id that is in
      // the inbox.
      const messageId = requestKey
        ? sha256(`message/${requestKey.key}`).slice(0, MESSAGE_ID_CHARS)
        : ids.next();
      const event = { type: 'job.message' as const, id: messageId, text, author: person };
      const place = () =>
        replaces === undefined ? {} : { replaces: requireReplaceable(rows, id, replaces) };
      const reply = await send(id, 'message', () => ({ ...event, ...place() }), requestKey);
      return { ...reply, receipt: { id: messageId, state: 'queued' } };
    },
    messages: (id, page) =>
      listMessageReceipts(rows, id, readMessageStanding(readState(id), since(id), rows), page),
  };
};
