import { assignJobFieldsOnEvent, onJobEvent, type JobChange } from './change.ts';
import { toEventIsoTime } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import { goAgain, goTo, goToReader } from './phaseChanges.ts';
import { recordPauseCause, describePause } from './unattendedChanges.ts';
import { hashApprovalContent } from './rules/approval.ts';
import {
  needsApproval,
  findCheckpointSkippedBySwitch,
  rejectNewestVisit,
  rememberFirstVersion,
} from './rules/checkpoints.ts';
import { restoreKickoffContent, NO_SIGNALS } from './rules/createJobContext.ts';
import { toEventKey } from './rules/eventKey.ts';
import { resetLoops } from './rules/loops.ts';
import { recordFacts } from './rules/monitors.ts';
import { MAX_ESCALATIONS, MAX_OLD_REASON_CHARS } from './rules/limits.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import { quoteUntrustedText } from './rules/quoteUntrustedText.ts';
import { toApprovalStatus, findPhase } from './rules/phases.ts';
import { findEarlierWake, findWokenPhase } from './rules/wakeMatch.ts';
import type { ParkKind } from '../../src/contract/schema/job/job.ts';
import type { ProviderEvent } from '../../src/contract/schema/forge/pr.ts';

const CONTINUED = 'This job had ended, and a developer has continued it.';

/**
 * The prompt of an agent that continues after the job ended. Only the last end is described: it may
 * have been a write with an unknown outcome.
 */
const buildPromptAfterEnd = ({ prompt, escalationMessage }: JobContext): string | null => {
  if (escalationMessage === null) return prompt;
  const before = prompt?.split(CONTINUED)[0]?.trim() ?? '';
  const note = `${CONTINUED} It had ended with:\n${quoteUntrustedText(escalationMessage)}\n\nCheck the current state before you repeat anything.`;
  return before === '' ? note : `${before}\n\n${note}`;
};

export const createParkRecord = (
  context: JobContext,
  event: { at?: number },
  kind: ParkKind,
  reason: string,
) => ({
  parked: {
    kind,
    since: toEventIsoTime(context, event),
    reason: shorten(reason, MAX_KEPT_REASON_CHARS),
  },
});

const REJECTED =
  'The developer rejected what this phase has shown. Find out what is wrong with it, or ask, and show a better one.';

/** Name of the fact in invariants that a person answered, wrote or reran something. */
const PERSON = 'person';

export const requireEventWait = ({ awaited }: JobContext) => {
  if (!awaited) throw new Error('an event is awaited but not specified');
  return awaited;
};

export const archiveEscalation = ({ escalationHistory, escalationMessage }: JobContext) => ({
  escalationMessage: null,
  escalationHistory:
    escalationMessage === null
      ? escalationHistory
      : [...escalationHistory, shorten(escalationMessage, MAX_OLD_REASON_CHARS)].slice(
          -MAX_ESCALATIONS,
        ),
});

export const formatPrNews = ({ kind, prId }: ProviderEvent): string => `${kind} on ${prId}`;

export const personChanges = {
  parkForApproval: (context, event) => {
    const { phase, status, workflow, signals } = context;
    const agentless = findPhase(workflow, phase)?.agent === null;
    const checkpoint = findCheckpointSkippedBySwitch(context);
    const past =
      checkpoint === null
        ? ''
        : `, which leads to ${signals.switch?.workflowPath}, past the checkpoint of its phase ${checkpoint}`;
    return {
      context: {
        ...createParkRecord(
          context,
          event,
          'approval',
          `phase ${phase} waits for your approval${past}`,
        ),
        approvals: rememberFirstVersion(context, hashApprovalContent(context)),
        status: agentless ? status : toApprovalStatus(status),
        given: null,
      },
    };
  },
  parkPaused: (context, event) => {
    const { parked } = createParkRecord(context, event, 'paused', describePause(context));
    const { pauseCause: cause } = context;
    return cause === undefined
      ? { context: { parked } }
      : { context: { parked: { ...parked, cause }, pauseCause: undefined } };
  },

  reject: (context) => ({
    context: {
      ...goToReader(context, { prompt: REJECTED, eventKey: context.eventKey }),
      approvals: rejectNewestVisit(context.approvals),
    },
  }),
  keepEventKey: assignJobFieldsOnEvent(['job.resume'], (context, { eventKey }) => ({
    eventKey,
    ...recordFacts(context, [PERSON]),
  })),
  wakeByEvent: assignJobFieldsOnEvent(['forge.event'], (context, { event }) => {
    const eventWait = requireEventWait(context);
    const woken = needsApproval(context) ? eventWait.from : findWokenPhase(context, event);
    return goTo(woken ?? context.phase, {
      eventKey: toEventKey(event.kind),
      wokenBy: formatPrNews(event),
    });
  }),
  wakeByPerson: assignJobFieldsOnEvent(['job.resume', 'job.message'], (context, event) => ({
    ...goTo(requireEventWait(context).from, {
      eventKey: event.type === 'job.resume' ? event.eventKey : null,
    }),
    ...recordFacts(context, [PERSON]),
  })),
  wakeByInbox: (context) => {
    const eventWait = requireEventWait(context);
    const woken = findEarlierWake(eventWait, context.unread, context);
    // The phase that awaited reads a message before anybody approves it.
    const phase = needsApproval(context) ? eventWait.from : woken?.phase;
    return {
      context: goTo(phase ?? context.phase, {
        eventKey: woken && woken.by !== 'message' ? woken.by : null,
        ...(woken && woken.by !== 'message' ? { wokenBy: woken.by } : {}),
      }),
    };
  },
  keepResumeKey: assignJobFieldsOnEvent(['job.resume'], (context, { eventKey }) => {
    const { next, prompt } = context;
    const words = next
      ? { next: { ...next, eventKey }, eventKey, prompt: next.prompt ?? prompt }
      : {};
    return { ...words, ...recordFacts(context, [PERSON]) };
  }),
  runAgain: onJobEvent(['job.resume', 'job.message'], (context, event) => ({
    context: {
      ...recordFacts(context, [PERSON]),
      ...archiveEscalation(context),
      ...goTo(context.phase, {
        prompt: buildPromptAfterEnd(context),
        eventKey: event.type === 'job.resume' ? event.eventKey : null,
      }),
      gateBlocks: 0,
    },
  })),
  rerun: onJobEvent(['job.rerun'], (context, { phase }) => ({
    context: {
      ...resetLoops(context),
      ...recordFacts(context, [PERSON]),
      ...archiveEscalation(context),
      ...goTo(phase, { prompt: buildPromptAfterEnd({ ...context, prompt: null }) }),
      gateBlocks: 0,
      signals: NO_SIGNALS,
      pausedFrom: null,
    },
  })),

  pauseQueued: (context, event) => ({
    context: { ...recordPauseCause(context, event), queuedAt: null, pausedFrom: 'queued' },
  }),
  pauseAwaiting: (context, event) => ({
    context: { ...recordPauseCause(context, event), pausedFrom: 'event' },
  }),
  pauseExternal: (context, event) => ({
    context: { ...recordPauseCause(context, event), pausedFrom: 'external' },
  }),
  /** Keeps the next step: a resume tries in the same visit. */
  pauseInVisit: (context, event) => ({
    context: { ...recordPauseCause(context, event), pausedFrom: 'session' },
  }),
  /** A new visit, so that a late answer of this preparation can be distinguished from one of the next. */
  pausePreparing: (context, event) => ({
    context: {
      ...goAgain(context, false),
      ...recordPauseCause(context, event),
      pausedFrom: 'session',
    },
  }),
  askPause: (context, event) => ({
    context: { ...recordPauseCause(context, event), stopFor: 'pause' },
  }),
  pauseStopped: (context) => ({
    context: {
      ...restoreKickoffContent(context),
      ...goAgain({ ...context, ...restoreKickoffContent(context) }, true),
      signals: NO_SIGNALS,
      stopFor: null,
      pausedFrom: 'session',
    },
  }),
  /** The history keeps why the job had failed or escalated. */
  cancelEnded: onJobEvent(['job.cancel'], (context, { reason }) => ({
    context: {
      ...archiveEscalation(context),
      escalationMessage: reason === null ? null : shorten(reason, MAX_KEPT_REASON_CHARS),
    },
  })),
  storeReason: onJobEvent(['job.cancel'], (_context, { reason }) => ({
    context: {
      escalationMessage: reason === null ? null : shorten(reason, MAX_KEPT_REASON_CHARS),
    },
  })),
  askCancel: onJobEvent(['job.cancel'], (_context, { reason }) => ({
    context: {
      stopFor: 'cancel',
      escalationMessage: reason === null ? null : shorten(reason, MAX_KEPT_REASON_CHARS),
    },
  })),
  /** Clears what only a job that continues needs. */
  settleEnd: () => ({
    context: {
      next: null,
      parked: null,
      queuedAt: null,
      stop: null,
      stopFor: null,
      pausedFrom: null,
      awaited: null,
      given: null,
      signals: NO_SIGNALS,
      progress: undefined,
    },
  }),
} satisfies Record<string, JobChange>;
