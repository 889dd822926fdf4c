import type { JournalRow } from '../../kernel/writer.ts';
import type { EndedSession } from './buildJobSpans.ts';
import type { ToolLine } from './parseToolLine.ts';
import { PLAIN_SPAN, pickKnownAttributes, toSessionKey, type TraceSpan } from './traceSpan.ts';

/** Most tool calls of a session that have a span. */
const MOST_TOOL_SPANS = 2_000;

/** Before the names of the tools by which agents change their job. */
const OWN_TOOL = 'tool.';
const FORGE_WRITE = 'tool.forge_write';
const FORGE_ANSWER = 'forge.wrote';

/** A tool call as its agent's program has reported it. */
interface ReportedCall {
  key: string;
  name: string;
  from: number;
  to: number;
  failed: boolean;
}

export interface SessionFacts {
  session: EndedSession;
  /** Of its journal and what follows it, oldest first. */
  journal: readonly JournalRow[];
  /** Oldest first. */
  lines: readonly ToolLine[];
}

const readText = ({ event }: JournalRow, name: string): string => {
  const value = event[name];
  return typeof value === 'string' ? value : '';
};

/** The start of a call belongs to the first end that has its name. */
function pairLines(lines: readonly ToolLine[], end: number): ReportedCall[] {
  const calls: ReportedCall[] = [];
  const open: ReportedCall[] = [];
  for (const { n, at, name, is } of lines) {
    if (is === 'start') {
      const call = { key: `call/${n}`, name, from: at, to: end, failed: false };
      calls.push(call);
      open.push(call);
      continue;
    }
    const index = open.findIndex((one) => one.name === name);
    const [call] = index < 0 ? [] : open.splice(index, 1);
    if (call === undefined) continue;
    call.to = at;
    call.failed = is === 'failed';
  }
  return calls;
}

/** Before the name of a tool in that of its server's, such as `mcp__svc__add_insight`. */
const SEPARATORS: ReadonlySet<string | undefined> = new Set(['_', '.', '/']);

/** Whether a program's name of a tool is that of svc's own one. */
const isNamedAs = (reported: string, own: string): boolean =>
  reported === own || (reported.endsWith(own) && SEPARATORS.has(reported.at(-own.length - 1)));

/**
 * Spans of a session's tool calls and of its writes to forges. A call that changed the job is in the
 * journal; its time is what the agent's program has reported, or that of the commit.
 */
export function buildToolSpans({ session, journal, lines }: SessionFacts): TraceSpan[] {
  const parent = toSessionKey(session.visit, session.session);
  const reportedCalls = pairLines(lines, session.to);
  const usedCalls = new Set<ReportedCall>();
  const answers = new Map(
    journal
      .filter(({ event }) => event.type === FORGE_ANSWER)
      .map((row) => [readText(row, 'key'), row]),
  );
  const ownSpans = journal
    .filter(
      ({ event }) =>
        event.type.startsWith(OWN_TOOL) &&
        event['visit'] === session.visit &&
        event['session'] === session.session,
    )
    .flatMap((row) => {
      const answer = row.event.type === FORGE_WRITE ? answers.get(readText(row, 'key')) : undefined;
      const name = nameOwnTool(row);
      const call = reportedCalls.find(
        (one) =>
          !usedCalls.has(one) &&
          isNamedAs(one.name, name) &&
          one.from <= row.at &&
          row.at <= one.to,
      );
      if (call !== undefined) usedCalls.add(call);
      const failed = call?.failed === true || answer?.event['ok'] === false;
      const span: TraceSpan = {
        ...PLAIN_SPAN,
        key: toToolKey(row),
        parent,
        name: `execute_tool ${name}`,
        from: call?.from ?? row.at,
        to: Math.max(call?.to ?? row.at, answer?.at ?? row.at),
        attributes: toToolAttributes(name),
        error: failed ? 'failed' : null,
      };
      return [span, ...(answer === undefined ? [] : [toForgeSpan(row, answer)])];
    });
  const otherSpans = reportedCalls
    .filter((call) => !usedCalls.has(call))
    .map(
      ({ key, name, from, to, failed }): TraceSpan => ({
        ...PLAIN_SPAN,
        key,
        parent,
        name: `execute_tool ${name}`,
        from,
        to,
        attributes: toToolAttributes(name),
        error: failed ? 'failed' : null,
      }),
    );
  return [...ownSpans, ...otherSpans].slice(0, MOST_TOOL_SPANS);
}

const toToolKey = ({ seq }: JournalRow): string => `tool/${seq}`;

const toToolAttributes = (name: string) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.type': 'function',
});

function nameOwnTool(row: JournalRow): string {
  if (row.event.type !== FORGE_WRITE) return row.event.type.slice(OWN_TOOL.length);
  return `${readText(row, 'forge')}_${readText(row, 'operation')}`;
}

/** The write to a forge or tracker that a tool call has asked for, and its answer. */
export function toForgeSpan(request: JournalRow, answer: JournalRow): TraceSpan {
  const { forge, operation, args } = request.event;
  const { repo, number } = Object(args) as { repo?: unknown; number?: unknown };
  return {
    ...PLAIN_SPAN,
    key: `forge/${request.seq}`,
    parent: toToolKey(request),
    name: `forge ${String(operation)}`,
    kind: 'client',
    from: request.at,
    to: Math.max(request.at, answer.at),
    attributes: pickKnownAttributes({
      'svc.forge.id': String(forge),
      'svc.forge.operation': String(operation),
      'vcs.repository.name': typeof repo === 'string' ? repo : null,
      'vcs.change.id': typeof number === 'number' ? String(number) : null,
    }),
    error: answer.event['ok'] === false ? 'refused' : null,
  };
}
