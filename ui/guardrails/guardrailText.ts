import type { GuardrailAct, GuardrailMoment } from '../../src/domain/guardrails.ts';
import type { GuardrailDecision, GuardrailRule } from '../../src/schema/guardrailView.ts';
import { count, type Tone } from '../jobs/jobText.ts';
import { capital } from '../jobs/plainText.ts';

/** What a rule does, in a word, and its colour. */
export const ACTS: Readonly<Record<GuardrailAct, { says: string; tone: Tone }>> = {
  deny: { says: 'refuses', tone: 'bad' },
  park: { says: 'asks a person', tone: 'needs-you' },
  redact: { says: 'takes out', tone: 'working' },
  note: { says: 'notes', tone: 'over' },
};

/** What a rule did. */
export const RESULTS: Readonly<Record<GuardrailAct, { says: string; tone: Tone }>> = {
  deny: { says: 'Refused', tone: 'bad' },
  park: { says: 'Asked a person', tone: 'needs-you' },
  redact: { says: 'Taken out', tone: 'working' },
  note: { says: 'Noted', tone: 'over' },
};

const MOMENTS: Readonly<Record<GuardrailMoment, string>> = {
  'tool.before': 'before a call of a tool',
  'write.before': 'before a write',
  'merge.before': 'before a merge',
  'phase.end': 'at the end of a phase',
  'job.start': 'before a job begins',
};

const SOURCES = {
  'built-in': 'of svc',
  config: 'of the configuration',
  script: 'a script',
} as const;

/** Where a rule comes from, and when it is asked. */
export const aboutRule = ({ source, when, tools, limit }: GuardrailRule): string =>
  [
    SOURCES[source],
    `asked ${when.map((moment) => MOMENTS[moment]).join(' and ')}`,
    ...(tools === null ? [] : [`about ${tools.join(', ')}`]),
    ...(limit === null ? [] : [`limit ${count(limit)}`]),
  ].join(' · ');

/** What was wanted, and in which phase. */
export const wantedText = ({
  tool,
  phase,
  moment,
}: Pick<GuardrailDecision, 'tool' | 'phase' | 'moment'>): string =>
  [tool === '' ? MOMENTS[moment] : tool, ...(phase === '' ? [] : [`phase ${phase}`])].join(', ');

/** The words of a decision without the name of its rule, which is beside them. */
export const saidBy = ({ rule, message }: Pick<GuardrailDecision, 'rule' | 'message'>): string =>
  capital(message.replace(`guardrail ${rule}: `, ''));
