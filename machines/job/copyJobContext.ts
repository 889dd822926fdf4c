import type { JobContext } from './jobContext.ts';

/** Every field, those that may be left out as undefined. */
type Whole<Context> = { [Name in keyof Required<Context>]: Context[Name] };

/**
 * A copy of a context whose fields always come in the same order. Field by field, since V8 (Node 20)
 * gives each copy of a copy that a spread makes another hidden class: it takes 2 µs, not 0.1, and
 * whatever reads such a context finds its fields the slow way.
 */
export const copyJobContext = (context: JobContext): Whole<JobContext> => ({
  id: context.id,
  type: context.type,
  tenantId: context.tenantId,
  workflowPath: context.workflowPath,
  params: context.params,
  interactive: context.interactive,
  limits: context.limits,
  workflow: context.workflow,
  phase: context.phase,
  status: context.status,
  visit: context.visit,
  session: context.session,
  newSessions: context.newSessions,
  visitOpen: context.visitOpen,
  visitItem: context.visitItem,
  workItems: context.workItems,
  prs: context.prs,
  inbox: context.inbox,
  unread: context.unread,
  signals: context.signals,
  stop: context.stop,
  continued: context.continued,
  setbacks: context.setbacks,
  given: context.given,
  awaited: context.awaited,
  shown: context.shown,
  approvals: context.approvals,
  next: context.next,
  stopFor: context.stopFor,
  pausedFrom: context.pausedFrom,
  pauseCause: context.pauseCause,
  admitted: context.admitted,
  fallback: context.fallback,
  gateBlocks: context.gateBlocks,
  prompt: context.prompt,
  eventKey: context.eventKey,
  parked: context.parked,
  escalationMessage: context.escalationMessage,
  escalationHistory: context.escalationHistory,
  workflowPathHistory: context.workflowPathHistory,
  subRuns: context.subRuns,
  finalizedIn: context.finalizedIn,
  subRunFailures: context.subRunFailures,
  subRunOf: context.subRunOf,
  judged: context.judged,
  writes: context.writes,
  progress: context.progress,
  monitors: context.monitors,
  createdAt: context.createdAt,
  queuedAt: context.queuedAt,
});
