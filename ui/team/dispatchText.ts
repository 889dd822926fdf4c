import type { Dispatch } from '../../src/contract/schema/cloud/dispatch.ts';

const REASONS: Readonly<Record<string, string>> = {
  'no-runner': 'No runner of the team is connected.',
  'no-slot': 'Every runner that could take it is busy.',
  'not-accepted': 'No connected runner takes jobs of this person.',
  'runner-too-old': 'The runners that could take it run a version of svc that is too old.',
  'person-limit': 'This person already has as many jobs running as the team allows.',
};

const NAMED: Readonly<Record<string, (name: string) => string>> = {
  'no-label': (name) => `No connected runner has the label ${name}.`,
  'no-forge': (name) => `No connected runner has the forge ${name}.`,
  'no-executor': (name) => `No connected runner has the executor ${name}.`,
};

/** Why a dispatch is where it is, as a sentence. */
export function describeReason({ reason }: Pick<Dispatch, 'reason'>): string {
  const [code = '', ...rest] = reason.split(':');
  const namedReason = rest.length > 0 ? NAMED[code] : undefined;
  if (namedReason !== undefined) return namedReason(rest.join(':'));
  const reasonText = REASONS[reason];
  if (reasonText !== undefined) return reasonText;
  const text = reason.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, (at) =>
    new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
  );
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

export const STATE_TEXT: Readonly<Record<Dispatch['state'], { tone: string; says: string }>> = {
  waiting: { tone: 'needs-you', says: 'Waiting' },
  sent: { tone: 'working', says: 'Sent' },
  placed: { tone: 'good', says: 'Placed' },
  refused: { tone: 'bad', says: 'Refused' },
  expired: { tone: 'over', says: 'Expired' },
  cancelled: { tone: 'over', says: 'Cancelled' },
};

/** Parts of a typed list of labels. */
export const parseLabels = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter(Boolean)),
];
