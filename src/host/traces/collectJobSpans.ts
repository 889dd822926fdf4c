import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StateFrame } from '../../contract/schema/job/frames.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { listPhaseVisits } from '../../jobs/views/jobRows.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import type { JournalRow } from '../../kernel/writer.ts';
import { buildCallSpans, NO_SESSION } from './buildCallSpans.ts';
import { buildJobSpans, type EndedSession, type JobFacts } from './buildJobSpans.ts';
import { buildSessionSpans } from './buildSessionSpans.ts';
import { toForgeSpan } from './buildToolSpans.ts';
import { parseToolLine, type ToolLine } from './parseToolLine.ts';
import { toSessionKey, type TraceSpan } from './traceSpan.ts';

/** Rows of a journal and lines of a log that are read at once, before other work has its turn. */
const ROWS_AT_ONCE = 200;
const LINES_AT_ONCE = 1_000;
/** Lines of a session's log in which tool calls are found. */
const MOST_SESSION_LINES = 20_000;
/** Rows before the mark in which the request of a late answer is looked for. */
const LOOKED_BACK_ROWS = 500;

const IN_SESSION: ReadonlySet<string> = new Set(['working.inSession', 'working.stopping']);

/** Up to where the spans of a job were delivered: a frame of its stream and a row of its journal. */
export interface TraceMark {
  frame: number;
  seq: number;
}

export const NO_MARK: TraceMark = { frame: 0, seq: 0 };

export type SpanSources = Pick<OpenStore, 'rows' | 'frames' | 'durable'>;

interface NumberedState {
  n: number;
  frame: StateFrame;
}

/**
 * The spans of a job that have ended since the mark, and the mark after them; null = nothing has.
 * All of it is read from what is committed, so that a crash loses none and repeats give the same.
 */
export async function collectJobSpans(
  sources: SpanSources,
  jobId: string,
  mark: TraceMark,
): Promise<{ spans: TraceSpan[]; mark: TraceMark } | null> {
  const { rows, frames } = sources;
  const states = frames
    .ofKind(jobId, 'state', 0)
    .map(({ n, data }): NumberedState => ({ n, frame: JSON.parse(data) }));
  const last = states.at(-1);
  const row = rows.one('job_list', { job_id: jobId });
  if (last === undefined || last.n <= mark.frame || row === undefined) return null;
  const restarts = frames.listRecoveries(jobId);
  const facts: JobFacts = {
    jobId,
    kind: row.kind,
    workflow: row.workflow,
    repository: row.repo,
    parentJob: row.parent,
    states: states.map(({ frame }) => frame),
    visits: listPhaseVisits(rows, jobId),
    restarts,
  };
  const now = buildJobSpans(facts);
  const known = buildJobSpans({
    ...facts,
    states: states.filter(({ n }) => n <= mark.frame).map(({ frame }) => frame),
  });
  const journal = await readJournal(sources, jobId, mark.seq);
  const knownSpans = new Set(known.spans.map(({ key }) => key));
  const knownSessions = new Set(known.sessions.map(toKey));
  const sessions = now.sessions.filter((session) => !knownSessions.has(toKey(session)));
  const spans = now.spans.filter(({ key }) => !knownSpans.has(key));
  const agents = sessions.length === 0 ? new Map() : readAgents(sources, jobId);
  for (const session of sessions) {
    const { visit, session: number } = session;
    spans.push(
      ...buildSessionSpans({
        jobId,
        agent: agents.get(session.phase) ?? null,
        session,
        journal,
        lines: await readToolLines(sources, jobId, states, session),
        calls: rows.all('usage_calls', { subject: jobId, visit, session: number }),
        restarts,
      }),
    );
  }
  for (const visit of now.visits.filter((one) => !known.visits.includes(one))) {
    const calls = rows.all('usage_calls', { subject: jobId, visit, session: NO_SESSION });
    spans.push(...buildCallSpans(jobId, calls, []));
  }
  spans.push(...findLateForgeSpans(sources, jobId, mark, journal));
  return { spans, mark: { frame: last.n, seq: findNextSeq(last.frame, journal, mark) } };
}

const toKey = ({ visit, session }: EndedSession): string => toSessionKey(visit, session);

/** The journal after row `after`. */
async function readJournal(
  { durable }: SpanSources,
  jobId: string,
  after: number,
): Promise<JournalRow[]> {
  const journal: JournalRow[] = [];
  for (let from = after; ; ) {
    const page = durable.journal(jobId, from, ROWS_AT_ONCE);
    journal.push(...page);
    if (page.length < ROWS_AT_ONCE) return journal;
    from = page.at(-1)?.seq ?? from;
    await nextTurn();
  }
}

/** What a session that lasts has done is read again when it has ended. */
function findNextSeq(last: StateFrame, journal: readonly JournalRow[], mark: TraceMark): number {
  if (last.state.some((state) => IN_SESSION.has(state))) return mark.seq;
  const at = Date.parse(last.at);
  return journal.findLast((row) => row.at <= at)?.seq ?? mark.seq;
}

/** Lines about tool calls, between the states in which a session began and ended. */
async function readToolLines(
  { frames }: SpanSources,
  jobId: string,
  states: readonly NumberedState[],
  { from, to }: EndedSession,
): Promise<ToolLine[]> {
  const isInSession = ({ frame }: NumberedState) => frame.state.some((one) => IN_SESSION.has(one));
  const first = states.find((one) => Date.parse(one.frame.at) === from && isInSession(one));
  if (first === undefined) return [];
  const last = states.find(
    (one) => one.n > first.n && Date.parse(one.frame.at) === to && !isInSession(one),
  );
  const lines: ToolLine[] = [];
  let next = first.n;
  for (let read = 0; read < MOST_SESSION_LINES; read += LINES_AT_ONCE) {
    const page = frames.logFrom(jobId, next, LINES_AT_ONCE);
    for (const { n, data } of page) {
      if (last !== undefined && n > last.n) return lines;
      const line = parseToolLine(n, data);
      if (line !== null) lines.push(line);
    }
    if (page.length < LINES_AT_ONCE) return lines;
    next = (page.at(-1)?.n ?? next) + 1;
    await nextTurn();
  }
  return lines;
}

/** Path of the agent of each phase, as the workflow of the job has it now. */
function readAgents({ durable }: SpanSources, jobId: string): Map<string, string> {
  const snapshot = parseJsonOrNull(durable.actor(jobId)?.snapshot ?? '');
  const { phases } = Object(Object(Object(snapshot).context).workflow);
  const agents: [string, string][] = [];
  for (const phase of Array.isArray(phases) ? phases : []) {
    const { name, agent } = Object(phase);
    if (typeof name === 'string' && typeof agent === 'string') agents.push([name, agent]);
  }
  return new Map(agents);
}

/** Writes to forges whose session had ended, and was delivered, before they were answered. */
function findLateForgeSpans(
  { durable }: SpanSources,
  jobId: string,
  mark: TraceMark,
  journal: readonly JournalRow[],
): TraceSpan[] {
  const isRequest = ({ event }: JournalRow) => event.type === 'tool.forge_write';
  const requests = new Set(journal.filter(isRequest).map(({ event }) => event['key']));
  const late = journal.filter(
    ({ event }) => event.type === 'forge.wrote' && !requests.has(event['key']),
  );
  if (late.length === 0) return [];
  const earlier = durable.journal(
    jobId,
    Math.max(0, mark.seq - LOOKED_BACK_ROWS),
    LOOKED_BACK_ROWS,
  );
  return late.flatMap((answer) => {
    const request = earlier.find(
      (row) => isRequest(row) && row.event['key'] === answer.event['key'],
    );
    return request === undefined ? [] : [toForgeSpan(request, answer)];
  });
}
