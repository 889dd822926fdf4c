/** `double`: a number that may have a fraction, also where this one has none. */
export type AttributeValue = string | number | boolean | { double: number };

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A span that has ended. Spans name each other by keys, from which their ids follow. */
export interface TraceSpan {
  /** Unique within the trace, and the same whenever the span is built again. */
  key: string;
  /** Null: the root. */
  parent: string | null;
  name: string;
  kind: 'internal' | 'client';
  /** Epoch ms. */
  from: number;
  to: number;
  attributes: Attributes;
  /** A short word for what went wrong; null = nothing did. */
  error: string | null;
  /** What happened within it. */
  events: readonly { name: string; at: number }[];
  /** The job whose trace has caused this one; null = none. */
  linkedJob: string | null;
}

/** The part of a span that most kinds leave as it is. */
export const PLAIN_SPAN = { kind: 'internal', error: null, events: [], linkedJob: null } as const;

/** Attributes without those that are not known. */
export const pickKnownAttributes = (
  attributes: Readonly<Record<string, AttributeValue | null | undefined>>,
): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value] as const],
    ),
  );

/** The first span of a job, which is over when the job ends for the first time. */
export const ROOT_KEY = 'job';
export const toVisitKey = (visit: number): string => `visit/${visit}`;
export const toSessionKey = (visit: number, session: number): string =>
  `session/${visit}.${session}`;
