import type { DraftFacts, EventDraft } from './eventDraft.ts';

export interface EventField {
  /** Dotted, such as `event.kind`. */
  path: string;
  label: string;
  /** A choice where `choices` has entries, else a text. */
  choices: readonly { value: string; says: string }[];
  text: string;
}

const ANSWERS = [
  { value: 'approve', says: 'Approve' },
  { value: 'reject', says: 'Reject' },
  { value: 'manual-resume', says: 'Resume' },
];

const NEWS = [
  { value: 'merged', says: 'It is merged' },
  { value: 'closed', says: 'It is closed without a merge' },
  { value: 'reopened', says: 'It is opened again' },
  { value: 'approved', says: 'It is approved' },
  { value: 'changes_requested', says: 'Changes are requested' },
  { value: 'commented', says: 'A comment is written' },
  { value: 'check_failed', says: 'A check fails' },
  { value: 'check_passed', says: 'All checks pass' },
];

const LABELS: Readonly<Record<string, string>> = {
  eventKey: 'Your answer',
  text: 'Your message',
  author: 'From',
  reason: 'Reason',
  phase: 'Phase',
  'event.kind': 'What happens',
  'event.prId': 'Pull request',
  'event.author': 'By',
  'event.text': 'Text',
};

const readEventMember = (event: EventDraft, path: string): unknown => {
  const [first = '', second] = path.split('.');
  const outer = event[first];
  return second === undefined ? outer : (Object(outer) as Record<string, unknown>)[second];
};

/** The fields of an event that a person fills in; identifiers stay as drafted. */
export function listEventFields(
  event: EventDraft,
  { phases = [], prs = [] }: DraftFacts,
): EventField[] {
  const choices: Readonly<Record<string, EventField['choices']>> = {
    eventKey: ANSWERS,
    phase: phases.map((phase) => ({ value: phase, says: phase })),
    'event.kind': NEWS,
    'event.prId': prs.map(({ prId, repo, number }) => ({ value: prId, says: `${repo}#${number}` })),
  };
  return Object.entries(LABELS).flatMap(([path, label]) => {
    const value = readEventMember(event, path);
    if (value === undefined) return [];
    const knownChoices = choices[path] ?? [];
    if (path === 'event.prId' && knownChoices.length < 2) return [];
    return [{ path, label, choices: knownChoices, text: typeof value === 'string' ? value : '' }];
  });
}

/** The event with another text in one field; an empty reason is removed. */
export function withEventField(
  event: EventDraft,
  path: string,
  text: string,
  { prs = [] }: DraftFacts,
): EventDraft {
  if (path === 'event.prId') {
    const pr = prs.find(({ prId }) => prId === text);
    return pr ? { ...event, event: { ...Object(event.event), ...pr } } : event;
  }
  const value = path === 'reason' && text.trim() === '' ? null : text;
  const [first = '', second] = path.split('.');
  if (second === undefined) return { ...event, [first]: value };
  return { ...event, [first]: { ...Object(event[first]), [second]: value } };
}
