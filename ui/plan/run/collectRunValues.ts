import type { Evidence } from '../../../src/contract/schema/planning/evidence.ts';
import type { Investigation } from '../../../src/contract/schema/planning/intake.ts';
import type { ProposedRun } from '../../../src/contract/schema/planning/proposedRun.ts';
import type { JobFormField } from '../../jobs/newJob/newJobRequest.ts';

export type ValueSource =
  | { kind: 'you' | 'model' | 'repaired' | 'chat' | 'only repository' }
  | { kind: 'ticket' | 'outside'; name: string };

export interface RunValue {
  text: string;
  /** Null: there is no value. */
  source: ValueSource | null;
}

interface RunValuesOptions {
  fields: readonly JobFormField[];
  run: ProposedRun | null;
  /** What the person has typed, by param. */
  typed: Readonly<Record<string, string>>;
  /** Of the conversation; null = nothing is stored yet. */
  investigation: Pick<Investigation, 'title' | 'repo' | 'outside' | 'evidence'> | null;
  /** The only repository that is known; null = there are several. */
  onlyRepo: string | null;
}

const TICKET_TOOLS: ReadonlySet<string> = new Set(['tracker_get_issue', 'tracker_get_comments']);

/** The ticket that a text names, as the conversation has looked it up. */
const findTicketEvidence = (text: string, evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.find(({ tool, target, ok }) => ok && TICKET_TOOLS.has(tool) && target === text);

function findModelSource(
  text: string,
  { repaired }: ProposedRun,
  { outside, evidence }: Pick<Investigation, 'outside' | 'evidence'>,
): ValueSource {
  const ticket = findTicketEvidence(text, evidence);
  if (ticket) return { kind: ticket.trust === 'own' ? 'ticket' : 'outside', name: text };
  // What the model has read from outside may be in any of its words.
  if (outside.length > 0) return { kind: 'outside', name: outside.join(', ') };
  return { kind: repaired ? 'repaired' : 'model' };
}

/** The values of the form, by param, each with its source. What a person has typed counts. */
export function collectRunValues(options: RunValuesOptions): Readonly<Record<string, RunValue>> {
  const { fields, run, typed, investigation, onlyRepo } = options;
  const runValue = ({ param }: JobFormField): RunValue => {
    const own = typed[param];
    if (own !== undefined) return { text: own, source: own === '' ? null : { kind: 'you' } };
    const proposedValue = run?.params[param];
    const text =
      typeof proposedValue === 'string' ? proposedValue : (proposedValue?.join(', ') ?? '');
    if (run && text !== '')
      return { text, source: investigation ? findModelSource(text, run, investigation) : null };
    // Another repository than the model's, which was taken out, would not be what it has proposed.
    if (run?.removed.some(({ name, value }) => name === param && value !== null))
      return { text: '', source: null };
    if (param === 'repoSlug' && investigation?.repo)
      return { text: investigation.repo, source: { kind: 'chat' } };
    if (param === 'repoSlug' && onlyRepo !== null)
      return { text: onlyRepo, source: { kind: 'only repository' } };
    if (param === 'description' && investigation)
      return { text: investigation.title, source: { kind: 'chat' } };
    return { text: '', source: null };
  };
  return Object.fromEntries(fields.map((field) => [field.param, runValue(field)]));
}

export function describeValueSource(source: ValueSource): string {
  switch (source.kind) {
    case 'you':
      return 'from you';
    case 'model':
      return 'from the model';
    case 'repaired':
      return 'from the model, repaired';
    case 'chat':
      return 'from this chat';
    case 'only repository':
      return 'the only repository';
    case 'ticket':
      return `from ticket ${source.name}`;
    case 'outside':
      return `from the model, after text from outside: ${source.name}`;
  }
}
