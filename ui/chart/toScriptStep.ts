import type { ChartArrow, ChartNode } from '../../src/contract/schema/workflow/machine.ts';

/** What happens in a simulation by the event of an arrow and, where both have one name, its guard. */
const ACTS: Readonly<Record<string, string>> = {
  'job.resume': 'approve',
  'job.resume approved': 'approve',
  'job.resume approvalFits': 'approve',
  'job.resume rejected': 'reject',
  'job.message': 'message: Please look again.',
  'forge.event': 'event: changes_requested',
  'forge.event merged': 'event: merged',
  'forge.event news': 'event: changes_requested',
  'forge.event wakes': 'event: changes_requested',
  'tool.escalate': 'escalate: I need a decision.',
  'session.ended': 'end',
  'session.ended failed': 'end: error',
};

/** A name as YAML: quoted where it could be read as something else. */
const toYamlName = (name: string): string =>
  /^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name);

/**
 * The step of a simulation script that makes a job take an arrow of its workflow, in one line of YAML
 * and only in the phase where the arrow begins; null where no step does.
 */
export function toScriptStep(
  { event, guard, targets }: Pick<ChartArrow, 'event' | 'guard' | 'targets'>,
  { name }: Pick<ChartNode, 'name'>,
): string | null {
  const [target] = targets;
  const act =
    event === 'tool.goto_phase' && target !== undefined
      ? `goto: ${toYamlName(target)}`
      : (ACTS[`${event} ${guard?.name}`] ?? ACTS[event]);
  return act === undefined ? null : `- { in: ${toYamlName(name)}, ${act} }`;
}
