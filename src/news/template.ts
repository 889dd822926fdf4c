import { shorten } from '../domain/clip.ts';
import { TRIGGER_PLACEHOLDER, type TriggerParams } from '../schema/trigger.ts';
import type { HookEvent } from '../contract/hookEvent.ts';

/** Longest text that one placeholder becomes, characters. */
const MAX_TEXT_CHARS = 4_000;
const MAX_LINE_CHARS = 300;

const line = (text: string): string => shorten(text.replace(/\s+/g, ' ').trim(), MAX_LINE_CHARS);

/** What stands for each placeholder. */
const VALUES: Readonly<Record<string, (event: HookEvent) => string>> = {
  title: ({ title }) => line(title),
  text: ({ text }) => shorten(text.trim(), MAX_TEXT_CHARS),
  url: ({ url }) => line(url),
  ticket: ({ ref }) => line(ref ?? ''),
  repo: ({ repo }) => line(repo),
  number: ({ number }) => (number === null ? '' : String(number)),
  author: ({ author }) => line(author),
  label: ({ newLabels, labels }) => line(newLabels[0] ?? labels[0] ?? ''),
  labels: ({ labels }) => line(labels.join(', ')),
  event: ({ event }) => event,
};

/**
 * The params of a job, with the event's values in their texts. Values are put in once and never
 * looked at again, so that a title cannot bring in another value; each is cut to a length.
 */
export const renderedParams = (params: TriggerParams, event: HookEvent): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one) => filled(one, event))
        : typeof value === 'string'
          ? filled(value, event)
          : value,
    ]),
  );

const filled = (text: string, event: HookEvent): string =>
  text.replace(TRIGGER_PLACEHOLDER, (whole, key: string) =>
    Object.hasOwn(VALUES, key) ? (VALUES[key]?.(event) ?? '') : whole,
  );
