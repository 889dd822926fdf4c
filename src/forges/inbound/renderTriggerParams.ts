import { joinIntoOneLine } from '../../base/text/joinIntoOneLine.ts';
import { shorten } from '../../base/text/clip.ts';
import { TRIGGER_PLACEHOLDER, type TriggerParams } from '../../contract/schema/forge/trigger.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';

const MAX_TEXT_CHARS = 4_000;
const MAX_LINE_CHARS = 300;

const toTemplateLine = (text: string): string => shorten(joinIntoOneLine(text), MAX_LINE_CHARS);

/** What stands for each placeholder. */
const VALUES: Readonly<Record<string, (event: DeliveredEvent) => string>> = {
  title: ({ title }) => toTemplateLine(title),
  text: ({ text }) => shorten(text.trim(), MAX_TEXT_CHARS),
  url: ({ url }) => toTemplateLine(url),
  ticket: ({ ref }) => toTemplateLine(ref ?? ''),
  repo: ({ repo }) => toTemplateLine(repo),
  number: ({ number }) => (number === null ? '' : String(number)),
  author: ({ author }) => toTemplateLine(author),
  label: ({ newLabels, labels }) => toTemplateLine(newLabels[0] ?? labels[0] ?? ''),
  labels: ({ labels }) => toTemplateLine(labels.join(', ')),
  event: ({ event }) => event,
};

/**
 * The params of a job, with the event's values in their texts. Values are put in once and never
 * looked at again, so that a title cannot bring in another value; each is cut to a length.
 */
export const renderTriggerParams = (
  params: TriggerParams,
  event: DeliveredEvent,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one) => fillPlaceholders(one, event))
        : typeof value === 'string'
          ? fillPlaceholders(value, event)
          : value,
    ]),
  );

const fillPlaceholders = (text: string, event: DeliveredEvent): string =>
  text.replace(TRIGGER_PLACEHOLDER, (whole, key: string) =>
    Object.hasOwn(VALUES, key) ? (VALUES[key]?.(event) ?? '') : whole,
  );
