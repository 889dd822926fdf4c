import { allowBody, requireChatBody, type SomeRoutes } from './route.ts';
import Type from 'typebox';
import { InvestigationBody } from '../schema/planning/investigationBody.ts';
import {
  IntakeBody,
  Investigation,
  InvestigationList,
  InvestigationsQuery,
} from '../schema/planning/intake.ts';
import {
  CitationsBody,
  CitationsReply,
  EvidenceText,
  IntakeStreamQuery,
  PinnedLines,
  PinnedLinesQuery,
  StoppedTurn,
} from '../schema/planning/intakeReplies.ts';
import { EmptyBody } from '../schema/api/bodies.ts';

const writes = ['not-found', 'too-large', 'conflict', 'stopping', 'store-failed'] as const;

const reads = [
  'not-found',
  'forbidden',
  'not-possible-now',
  'rate-limited',
  'unreachable',
] as const;

export const intakeRoutes = {
  intakeStream: {
    access: 'write',
    team: null,
    summary:
      'Sends a message to a plan-mode chat and streams the answer as server-sent events: token, thinking, tool_start, tool_end, done, error. The turn continues if the client leaves. 503 with reason no-llm where no executor can hold a chat; 409 with reason turn-running while a turn runs, unless queue is true.',
    body: requireChatBody(IntakeBody),
    refusals: ['no-llm', 'conflict', 'cannot-run', 'busy', 'stopping', 'store-failed'],
  },
  watchInvestigation: {
    access: 'read',
    team: null,
    summary:
      'Server-sent events of the turn that runs. Last-Event-ID resumes them without a gap; gap: they are no longer kept, read the session again; idle: nothing runs.',
    query: IntakeStreamQuery,
    refusals: ['not-found', 'bad-argument', 'busy'],
  },
  investigations: {
    access: 'read',
    team: null,
    summary: 'Plan-mode chats, the ones that were used last first.',
    query: InvestigationsQuery,
    reply: InvestigationList,
    refusals: [],
  },
  investigation: {
    access: 'read',
    team: null,
    summary: 'One plan-mode chat: turns, look-ups, findings, readiness, citations, transcript.',
    reply: Investigation,
    refusals: ['not-found'],
  },
  saveInvestigation: {
    access: 'write',
    team: null,
    summary:
      'Stores what the dashboard keeps of a chat; members that are left out stay unchanged. null where the chat is empty: it is not stored. 409 with reason findings-changed where findings.replaces is not the current text.',
    body: requireChatBody(InvestigationBody),
    reply: Type.Union([Investigation, Type.Null()]),
    refusals: writes,
  },
  removeInvestigation: {
    access: 'write',
    team: null,
    summary: 'Removes a chat from memory and from the store; a turn that runs is stopped.',
    refusals: writes,
  },
  stopInvestigation: {
    access: 'write',
    team: null,
    summary: 'Stops the turn that runs; the answer so far is kept.',
    body: allowBody(EmptyBody),
    reply: StoppedTurn,
    refusals: ['not-found'],
  },
  checkCitations: {
    access: 'write',
    team: null,
    summary: 'Checks cited places against the pinned commit.',
    body: allowBody(CitationsBody),
    reply: CitationsReply,
    refusals: reads,
  },
  pinnedLines: {
    access: 'write',
    team: null,
    summary: 'Lines of a file at the pinned commit.',
    query: PinnedLinesQuery,
    reply: PinnedLines,
    refusals: reads,
  },
  pinNewest: {
    access: 'write',
    team: null,
    summary: 'Pins the newest commit of the branch and checks the citations again.',
    body: allowBody(EmptyBody),
    reply: Investigation,
    refusals: reads,
  },
  evidenceText: {
    access: 'read',
    team: null,
    summary: 'What one look-up found.',
    reply: EvidenceText,
    refusals: ['not-found'],
  },
} satisfies SomeRoutes;
