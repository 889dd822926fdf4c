import { by, type JobChange } from './change.ts';
import { isoTime } from '../kit/eventTime.ts';
import type { JobContext } from './jobContext.ts';
import { goAgain, goTo, goToReader } from './phaseChanges.ts';
import { pausedBy, pausedText } from './unattendedChanges.ts';
import { approvalHash } from './rules/approval.ts';
import { needsApproval, skippedBySwitch, withRejection, withVersion } from './rules/checkpoints.ts';
import { givenBack, NO_SIGNALS } from './rules/contextOf.ts';
import { eventKeyOf } from './rules/eventKey.ts';
import { withoutLaps } from './rules/laps.ts';
import { happened } from './rules/monitors.ts';
import { MAX_ESCALATIONS, MAX_OLD_REASON_CHARS } from './rules/limits.ts';
import { shorten } from '../../src/domain/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/domain/jobLimits.ts';
import { quoted } from './rules/quoted.ts';
import { approvalStatus, phaseNamed } from './rules/phases.ts';
import { wakeAlready, wakesTo } from './rules/wakeMatch.ts';
import type { ParkKind } from '../../src/schema/job.ts';
import type { ProviderEvent } from '../../src/schema/pr.ts';

const CONTINUED = 'This job had ended, and a developer has continued it.';

/**
 * The prompt of an agent that continues after an end. Only the last end is described: it may have
 * been a write with an unknown outcome.
 */
const afterEnd = ({ prompt, escalationMessage }: JobContext): string | null => {
  if (escalationMessage === null) return prompt;
  const before = prompt?.split(CONTINUED)[0]?.trim() ?? '';
  const note = `${CONTINUED} It had ended with:\n${quoted(escalationMessage)}\n\nCheck the current state before you repeat anything.`;
  return before === '' ? note : `${before}\n\n${note}`;
};

/** A park record with its reason. */
export const park = (
  context: JobContext,
  event: { at?: number },
  kind: ParkKind,
  reason: string,
) => ({
  parked: { kind, since: isoTime(context, event), reason: shorten(reason, MAX_KEPT_REASON_CHARS) },
});

const REJECTED =
  'The developer rejected what this phase has shown. Find out what is wrong with it, or ask, and show a better one.';

/** In the words of rules: a person has answered, written, or had something run again. */
const PERSON = 'person';

export const awaitedOf = ({ awaited }: JobContext) => {
  if (!awaited) throw new Error('an event is awaited but not specified');
  return awaited;
};

export const closedEscalation = ({ escalationHistory, escalationMessage }: JobContext) => ({
  escalationMessage: null,
  escalationHistory:
    escalationMessage === null
      ? escalationHistory
      : [...escalationHistory, shorten(escalationMessage, MAX_OLD_REASON_CHARS)].slice(
          -MAX_ESCALATIONS,
        ),
});

export const newsOf = ({ kind, prId }: ProviderEvent): string => `${kind} on ${prId}`;

/** Changes that people bring about, and where what wakes a job leads. */
export const personChanges = {
  parkForApproval: (context, event) => {
    const { phase, status, workflow, signals } = context;
    const agentless = phaseNamed(workflow, phase)?.agent === null;
    const skipped = skippedBySwitch(context);
    const past =
      skipped === null
        ? ''
        : `, which leads to ${signals.switch?.workflowPath}, past the checkpoint of its phase ${skipped}`;
    return {
      context: {
        ...park(context, event, 'approval', `phase ${phase} waits for your approval${past}`),
        approvals: withVersion(context, approvalHash(context)),
        status: agentless ? status : approvalStatus(status),
        given: null,
      },
    };
  },
  parkPaused: (context, event) => {
    const { parked } = park(context, event, 'paused', pausedText(context));
    const { pauseCause: cause } = context;
    return cause === undefined
      ? { context: { parked } }
      : { context: { parked: { ...parked, cause }, pauseCause: undefined } };
  },
  unpark: (context, event) => ({
    context: { parked: null, ...(event.type === 'job.resume' ? withoutLaps(context) : {}) },
  }),

  reject: (context) => ({
    context: {
      ...goToReader(context, { prompt: REJECTED, eventKey: context.eventKey }),
      approvals: withRejection(context.approvals),
    },
  }),
  keepEventKey: by(['job.resume'], (context, { eventKey }) => ({
    context: { eventKey, ...happened(context, [PERSON]) },
  })),
  wakeByEvent: by(['forge.event'], (context, { event }) => {
    const awaited = awaitedOf(context);
    const woken = needsApproval(context) ? awaited.from : wakesTo(context, event);
    return {
      context: goTo(woken ?? context.phase, {
        eventKey: eventKeyOf(event.kind),
        wokenBy: newsOf(event),
      }),
    };
  }),
  wakeByPerson: by(['job.resume', 'job.message'], (context, event) => ({
    context: {
      ...goTo(awaitedOf(context).from, {
        eventKey: event.type === 'job.resume' ? event.eventKey : null,
      }),
      ...happened(context, [PERSON]),
    },
  })),
  wakeByInbox: (context) => {
    const awaited = awaitedOf(context);
    const woken = wakeAlready(awaited, context.unread, context);
    // A message is read by the phase that awaited before anybody approves it.
    const phase = needsApproval(context) ? awaited.from : woken?.phase;
    return {
      context: goTo(phase ?? context.phase, {
        eventKey: woken && woken.by !== 'message' ? woken.by : null,
        ...(woken && woken.by !== 'message' ? { wokenBy: woken.by } : {}),
      }),
    };
  },
  keepResumeKey: by(['job.resume'], (context, { eventKey }) => {
    const { next, prompt } = context;
    const words = next
      ? { next: { ...next, eventKey }, eventKey, prompt: next.prompt ?? prompt }
      : {};
    return { context: { ...words, ...happened(context, [PERSON]) } };
  }),
  runAgain: by(['job.resume', 'job.message'], (context, event) => ({
    context: {
      ...happened(context, [PERSON]),
      ...closedEscalation(context),
      ...goTo(context.phase, {
        prompt: afterEnd(context),
        eventKey: event.type === 'job.resume' ? event.eventKey : null,
      }),
      gateBlocks: 0,
    },
  })),
  rerun: by(['job.rerun'], (context, { phase }) => ({
    context: {
      ...withoutLaps(context),
      ...happened(context, [PERSON]),
      ...closedEscalation(context),
      ...goTo(phase, { prompt: afterEnd({ ...context, prompt: null }) }),
      gateBlocks: 0,
      signals: NO_SIGNALS,
      pausedFrom: null,
    },
  })),

  pauseQueued: (context, event) => ({
    context: { ...pausedBy(context, event), pausedFrom: 'queued' },
  }),
  pauseAwaiting: (context, event) => ({
    context: { ...pausedBy(context, event), pausedFrom: 'event' },
  }),
  pauseExternal: (context, event) => ({
    context: { ...pausedBy(context, event), pausedFrom: 'external' },
  }),
  /** The next step stays: a resume tries in the same visit. */
  pauseInVisit: (context, event) => ({
    context: { ...pausedBy(context, event), pausedFrom: 'session' },
  }),
  /**
   * A new visit: a late answer of this preparation can then be distinguished from that of the next
   * one.
   */
  pausePreparing: (context, event) => ({
    context: { ...goAgain(context, false), ...pausedBy(context, event), pausedFrom: 'session' },
  }),
  askPause: (context, event) => ({
    context: { ...pausedBy(context, event), stopFor: 'pause' },
  }),
  pauseStopped: (context) => ({
    context: {
      ...givenBack(context),
      ...goAgain({ ...context, ...givenBack(context) }, true),
      signals: NO_SIGNALS,
      stopFor: null,
      pausedFrom: 'session',
    },
  }),
  /** Why it had failed or escalated stays in the history. */
  cancelEnded: by(['job.cancel'], (context, { reason }) => ({
    context: {
      ...closedEscalation(context),
      escalationMessage: reason === null ? null : shorten(reason, MAX_KEPT_REASON_CHARS),
    },
  })),
  storeReason: by(['job.cancel'], (_context, { reason }) => ({
    context: {
      escalationMessage: reason === null ? null : shorten(reason, MAX_KEPT_REASON_CHARS),
    },
  })),
  askCancel: by(['job.cancel'], (_context, { reason }) => ({
    context: {
      stopFor: 'cancel',
      escalationMessage: reason === null ? null : shorten(reason, MAX_KEPT_REASON_CHARS),
    },
  })),
  /** What an ended job keeps: nothing that only its way on needed. */
  settleEnd: () => ({
    context: {
      next: null,
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
