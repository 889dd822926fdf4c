import Type from 'typebox';

/** Params as a rule writes them. */
export type TriggerParams = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A rule of the configuration: which webhook makes which job. */
export interface TriggerRule {
  id: string;
  enabled: boolean;
  /** Who sends the webhook: a plugin id. */
  plugin: string;
  /** Names such as `issue.labeled`; one of them has to fit. */
  events: readonly string[];
  /**
   * Repositories (`owner/name`) or projects of a tracker (`SHOP`); empty = all that the webhook is
   * sent for.
   */
  repos: readonly string[];
  /** Empty = any. For `….labeled` the label that was just set, else any of its labels. */
  labels: readonly string[];
  /** Title or text must contain it, in any case; empty = anything. */
  text: string;
  /** Empty = members of the repository or organisation; `*` = everybody; else these alone. */
  authors: readonly string[];
  workflow: string;
  type: string;
  /** Texts with placeholders such as `{{title}}`. */
  params: TriggerParams;
  /** Most jobs in an hour. */
  perHour: number;
  /** Whether a ticket may get another job: when the one before has ended, or always. */
  repeat: 'when-ended' | 'always';
}

/** A rule as GET /triggers shows it. Counts of refusals are those since the runner started. */
export const TriggerView = Type.Object({
  id: Type.String(),
  enabled: Type.Boolean(),
  plugin: Type.String(),
  events: Type.Array(Type.String()),
  workflow: Type.String(),
  perHour: Type.Integer(),
  /** Jobs made within the last hour, at most `perHour` are counted. */
  madeThisHour: Type.Integer(),
  /** Deliveries that fitted and made no job. */
  refused: Type.Integer(),
  /** Why the newest of them made none; null = there was none. */
  lastRefusal: Type.Union([Type.String(), Type.Null()]),
});
export type TriggerView = Type.Static<typeof TriggerView>;
export const TriggerList = Type.Array(TriggerView);

/** What a rule's params may hold between double braces. */
export const TRIGGER_PLACEHOLDERS: readonly string[] = [
  'title',
  'text',
  'url',
  'ticket',
  'repo',
  'number',
  'author',
  'label',
  'labels',
  'event',
];

/** A placeholder of a text; its name is the first group. */
export const TRIGGER_PLACEHOLDER = /\{\{\s*([A-Za-z]+)\s*\}\}/g;

/** Names between double braces, known or not. */
export const listTriggerPlaceholders = (text: string): string[] =>
  [...text.matchAll(TRIGGER_PLACEHOLDER)].map(([, name = '']) => name);
