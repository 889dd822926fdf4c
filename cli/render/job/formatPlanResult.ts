import { formatCount } from '../../../src/base/text/formatCount.ts';
import type { Ansis } from 'ansis';
import { shorten } from '../../../src/base/text/clip.ts';
import { FINDINGS_CUT, RUN_REPAIRED, RUN_UNREADABLE } from '../../../src/base/agents/planNotes.ts';
import { describeRemovedMember } from '../../../src/base/agents/describeRemovedMember.ts';
import { formatCost } from '../../../src/base/spending/formatCost.ts';
import type { Citation } from '../../../src/contract/schema/planning/evidence.ts';
import type { Investigation } from '../../../src/contract/schema/planning/intake.ts';
import type { IntakeFrame } from '../../../src/contract/schema/planning/intakeFrames.ts';
import type { ProposedJob } from '../../input/buildProposedJob.ts';
import { toPrintable, toPrintableLine } from '../text/toPrintable.ts';

/** One look-up in a line: `read src/a.ts:1-80, 12 ms`. */
export function formatLookupLine(
  { name, target, ok, ms, trust }: Extract<IntakeFrame, { type: 'tool_end' }>,
  color: Ansis,
): string {
  const what = toPrintableLine(`${name} ${target}`);
  // A look-up that failed has brought nothing, no matter who worded the error.
  const note = ok ? (trust === 'outside' ? ' (from outside)' : '') : ' (failed)';
  return `${color.dim(`${what}, ${ms} ms`)}${color.yellow(note)}`;
}

const VERDICTS = {
  seen: 'was looked up',
  exists: 'exists',
  moved: 'has changed since',
  missing: 'does not exist',
  new: 'is new',
} as const;

const formatCitationLine = ({ ref, verdict, text }: Citation, color: Ansis): string => {
  const line = `  ${toPrintableLine(ref)} ${VERDICTS[verdict]}`;
  const shownLine = verdict === 'missing' || verdict === 'moved' ? color.yellow(line) : line;
  return text === null
    ? shownLine
    : `${shownLine}${color.dim(`: ${toPrintableLine(text.trim())}`)}`;
};

export function formatChatCost({ counters }: Pick<Investigation, 'counters'>): string {
  const { turns, lookups, usage, contextTokens, cost } = counters;
  const { inputTokens, outputTokens } = usage;
  const tokens =
    inputTokens + outputTokens === 0
      ? 'tokens unknown'
      : `${inputTokens} tokens in, ${outputTokens} out`;
  const context = contextTokens === null ? 'context unknown' : `${contextTokens} in context`;
  const price = formatCost({ usd: cost.usd, unpriced: 0 });
  return [formatCount(turns, 'turn'), formatCount(lookups, 'look-up'), tokens, context, price].join(
    ', ',
  );
}

export function formatPlanResult(investigation: Investigation, color: Ansis): string {
  const { findings, citations, status, run, sessionId } = investigation;
  const parts: string[] = [];
  if (findings !== null) parts.push(color.bold('Findings'), toPrintable(findings.text.trimEnd()));
  if (findings?.cut) parts.push(color.yellow(FINDINGS_CUT));
  if (citations.length > 0)
    parts.push(
      [color.bold('Places'), ...citations.map((one) => formatCitationLine(one, color))].join('\n'),
    );
  if (status !== null && status.openQuestions.length > 0) {
    const questions = status.openQuestions.map((question) => `  - ${toPrintableLine(question)}`);
    parts.push([color.bold('Open questions'), ...questions].join('\n'));
  }
  if (status !== null)
    parts.push(`${status.state}${status.note === '' ? '' : `: ${toPrintableLine(status.note)}`}`);
  if (run?.repaired) parts.push(color.yellow(RUN_REPAIRED));
  if (run?.unreadable) parts.push(color.yellow(RUN_UNREADABLE));
  for (const one of run?.removed ?? [])
    parts.push(color.yellow(toPrintableLine(describeRemovedMember(one))));
  parts.push(
    color.dim(
      `${formatChatCost(investigation)}. Continue with: svc plan --continue ${sessionId} "…"`,
    ),
  );
  return `${parts.join('\n\n')}\n`;
}

const MAX_VALUE_CHARS = 300;

const formatParamValue = (value: unknown): string =>
  shorten(
    toPrintableLine(Array.isArray(value) ? value.join(', ') : String(value)),
    MAX_VALUE_CHARS,
  );

export function formatProposedJob(
  { workflowPath, params }: ProposedJob,
  outside: readonly string[],
) {
  const lines = Object.entries(params)
    .filter(([name]) => name !== 'investigationId' && name !== 'findingsSha')
    .map(([name, value]) => `  ${name}: ${formatParamValue(value)}`);
  const warning =
    outside.length === 0
      ? []
      : [
          'The model has read what people outside of the team wrote:',
          ...outside.map((target) => `  ${toPrintableLine(target)}`),
        ];
  return [`A job of ${toPrintableLine(workflowPath)} with`, ...lines, ...warning, ''].join('\n');
}
