import type { Evidence } from '../../../src/schema/evidence.ts';
import type { Investigation } from '../../../src/schema/intake.ts';
import type { Field } from '../../jobs/newJob/newJobRequest.ts';

/** A run as the model has proposed it; the runner has taken out what a model must not decide. */
export interface ProposedRun {
  workflowPath: string | null;
  params: Readonly<Record<string, string | readonly string[]>>;
  /** Names of what was taken out. */
  removed: readonly string[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** The proposed run of a conversation; null = none. */
export function proposedRunOf({ run }: Pick<Investigation, 'run'>): ProposedRun | null {
  if (run === null) return null;
  const { workflowPath, params, removed } = run;
  const kept = Object.entries(isRecord(params) ? params : {}).flatMap(
    ([name, value]): [string, string | string[]][] =>
      typeof value === 'string'
        ? [[name, value]]
        : Array.isArray(value)
          ? [[name, textsOf(value)]]
          : [],
  );
  return {
    workflowPath: typeof workflowPath === 'string' ? workflowPath : null,
    params: Object.fromEntries(kept),
    removed: textsOf(removed),
  };
}

/** Where a value of the form comes from. */
export type ValueSource =
  | { kind: 'you' | 'model' | 'chat' | 'only repository' }
  | { kind: 'ticket' | 'outside'; name: string };

export interface RunValue {
  text: string;
  /** Null: there is no value. */
  source: ValueSource | null;
}

interface ValuesOf {
  fields: readonly Field[];
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
const ticketIn = (text: string, evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.find(({ tool, target, ok }) => ok && TICKET_TOOLS.has(tool) && target === text);

function sourceOfModel(
  text: string,
  { outside, evidence }: Pick<Investigation, 'outside' | 'evidence'>,
): ValueSource {
  const ticket = ticketIn(text, evidence);
  if (ticket) return { kind: ticket.trust === 'own' ? 'ticket' : 'outside', name: text };
  // What the model has read from outside may be in any of its words.
  return outside.length === 0 ? { kind: 'model' } : { kind: 'outside', name: outside.join(', ') };
}

/** The values of the form, by param, each with its source. What a person has typed counts. */
export function runValues(options: ValuesOf): Readonly<Record<string, RunValue>> {
  const { fields, run, typed, investigation, onlyRepo } = options;
  const runValue = ({ param }: Field): RunValue => {
    const own = typed[param];
    if (own !== undefined) return { text: own, source: own === '' ? null : { kind: 'you' } };
    const proposed = run?.params[param];
    const text = typeof proposed === 'string' ? proposed : (proposed?.join(', ') ?? '');
    if (text !== '')
      return { text, source: investigation ? sourceOfModel(text, investigation) : null };
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

/** A source in words. */
export function sourceText(source: ValueSource): string {
  switch (source.kind) {
    case 'you':
      return 'from you';
    case 'model':
      return 'from the model';
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
