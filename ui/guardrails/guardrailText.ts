import type { GuardrailAct, GuardrailMoment } from '../../src/base/agents/guardrails.ts';
import type {
  GuardrailDecision,
  GuardrailRule,
} from '../../src/contract/schema/policy/guardrailView.ts';
import { formatShortCount, type Tone } from '../jobs/jobText.ts';
import { capitalizeReason } from '../jobs/plainText.ts';

export const ACTS: Readonly<Record<GuardrailAct, { says: string; tone: Tone }>> = {
  deny: { says: 'Deny', tone: 'bad' },
  park: { says: 'Ask a person', tone: 'needs-you' },
  redact: { says: 'Redact', tone: 'working' },
  note: { says: 'Record', tone: 'over' },
};

export const RESULTS: Readonly<Record<GuardrailAct, { says: string; tone: Tone }>> = {
  deny: { says: 'Denied', tone: 'bad' },
  park: { says: 'Asked a person', tone: 'needs-you' },
  redact: { says: 'Redacted', tone: 'working' },
  note: { says: 'Recorded', tone: 'over' },
};

const MOMENTS: Readonly<Record<GuardrailMoment, string>> = {
  'tool.before': 'before a tool call',
  'write.before': 'before a write',
  'merge.before': 'before a merge',
  'phase.end': 'at the end of a phase',
  'job.start': 'before a job starts',
};

const SOURCES = {
  'built-in': 'built-in',
  config: 'configuration',
  script: 'script',
} as const;

export const describeGuardrailRule = ({ source, when, tools, limit }: GuardrailRule): string =>
  [
    SOURCES[source],
    `${when.map((moment) => MOMENTS[moment]).join(' and ')}`,
    ...(tools === null ? [] : [`tools ${tools.join(', ')}`]),
    ...(limit === null ? [] : [`limit ${formatShortCount(limit)}`]),
  ].join(' · ');

export const describeWantedTool = ({
  tool,
  phase,
  moment,
}: Pick<GuardrailDecision, 'tool' | 'phase' | 'moment'>): string =>
  [tool === '' ? MOMENTS[moment] : tool, ...(phase === '' ? [] : [`phase ${phase}`])].join(', ');

/** The words of a decision without the name of its rule, which is beside them. */
export const formatGuardrailMessage = ({
  rule,
  message,
}: Pick<GuardrailDecision, 'rule' | 'message'>): string =>
  capitalizeReason(message.replace(`guardrail ${rule}: `, ''));
