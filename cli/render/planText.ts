import type { Ansis } from 'ansis';
import type { Citation } from '../../src/schema/evidence.ts';
import type { Investigation } from '../../src/schema/intake.ts';
import type { IntakeFrame } from '../../src/schema/intakeFrames.ts';
import type { ProposedJob } from '../input/proposedJob.ts';
import { printable, printableLine } from './printable.ts';

/** One look-up in a line: `read src/a.ts:1-80, 12 ms`. */
export function lookupLine(
  { name, target, ok, ms, trust }: Extract<IntakeFrame, { type: 'tool_end' }>,
  color: Ansis,
): string {
  const what = printableLine(`${name} ${target}`);
  const marks = [...(ok ? [] : ['failed']), ...(trust === 'outside' ? ['from outside'] : [])];
  const note = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  return `${color.dim(`${what}, ${ms} ms`)}${color.yellow(note)}`;
}

const VERDICTS = {
  seen: 'was looked up',
  exists: 'exists',
  moved: 'has changed since',
  missing: 'does not exist',
  new: 'is new',
} as const;

const citationLine = ({ ref, verdict, text }: Citation, color: Ansis): string => {
  const line = `  ${printableLine(ref)} ${VERDICTS[verdict]}`;
  const shown = verdict === 'missing' || verdict === 'moved' ? color.yellow(line) : line;
  return text === null ? shown : `${shown}${color.dim(`: ${printableLine(text.trim())}`)}`;
};

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** Tokens and cost of a chat; a price that is not known is said to be unknown. */
export function costText({ counters }: Investigation): string {
  const { turns, lookups, usage, cost } = counters;
  const price = cost.usd === null ? 'unpriced' : `$${cost.usd.toFixed(4)}`;
  return `${count(turns, 'turn')}, ${count(lookups, 'look-up')}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${price}`;
}

/** What a chat has come to: findings with their citations, open questions, how ready it is. */
export function planText(investigation: Investigation, color: Ansis): string {
  const { findings, citations, status, sessionId } = investigation;
  const parts: string[] = [];
  if (findings !== null) parts.push(color.bold('Findings'), printable(findings.text.trimEnd()));
  if (citations.length > 0)
    parts.push(
      [color.bold('Places'), ...citations.map((one) => citationLine(one, color))].join('\n'),
    );
  if (status !== null && status.openQuestions.length > 0) {
    const questions = status.openQuestions.map((question) => `  - ${printableLine(question)}`);
    parts.push([color.bold('Open questions'), ...questions].join('\n'));
  }
  if (status !== null)
    parts.push(`${status.state}${status.note === '' ? '' : `: ${printableLine(status.note)}`}`);
  parts.push(
    color.dim(`${costText(investigation)}. Continue with: svc plan --continue ${sessionId} "…"`),
  );
  return `${parts.join('\n\n')}\n`;
}

/** The job that would be dispatched, for the question. */
export function proposalText({ workflowPath, params }: ProposedJob, outside: readonly string[]) {
  const lines = Object.entries(params)
    .filter(([name]) => name !== 'investigationId' && name !== 'findingsSha')
    .map(([name, value]) => `  ${name}: ${printableLine(String(value)).slice(0, 300)}`);
  const warning =
    outside.length === 0
      ? []
      : [
          'The model has read what people outside of the team wrote:',
          ...outside.map((target) => `  ${printableLine(target)}`),
        ];
  return [`A job of ${printableLine(workflowPath)} with`, ...lines, ...warning, ''].join('\n');
}
