type AskedEvent = { type: string; [member: string]: unknown };

/**
 * What people call the chart's events, and the members that an event must have where the question
 * leaves them out.
 */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  resume: { eventKey: 'approve' },
  cancel: { reason: null },
  pause: {},
  message: { id: 'what-if', author: 'developer', text: '' },
  rerun: { phase: '' },
};

/**
 * The chart's event that a person asks about: `cancel` and `job.cancel` mean the same, and a member
 * that the person does not care about gets a value, since a guard reads it. Every other event stays
 * as it is.
 */
export function toChartEvent(event: AskedEvent): AskedEvent {
  const name = event.type.replace(/^job\./, '');
  const defaults = Object.hasOwn(DEFAULTS, name) ? DEFAULTS[name] : undefined;
  return defaults ? { ...defaults, ...event, type: `job.${name}` } : event;
}
