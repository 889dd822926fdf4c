import { iso } from '../../src/domain/isoTime.ts';
import type { WhyReply } from '../../src/schema/replies.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';
import { when } from './when.ts';

type WayOut = WhyReply['waysOut'][number];

const bullets = (title: string, lines: readonly string[], io: Pick<Io, 'color'>): string =>
  lines.length === 0
    ? ''
    : `\n${io.color.bold(title)}\n${lines.map((line) => `  ${line}\n`).join('')}`;

const isOpen = ({ open }: WayOut): boolean => open !== false;

function wayOutText({ event, from, target, open }: WayOut): string {
  return printableLine(
    `${event} (by ${from}) -> ${target}${open === 'depends' ? ', if the event fits' : ''}`,
  );
}

const blockedText = ({ event, from, guards }: WayOut): string => {
  const no = guards.filter(({ value }) => value === false).map(({ says, name }) => says || name);
  return printableLine(
    `${event} (by ${from})${no.length === 0 ? '' : `: it is not so that ${no.join('; ')}`}`,
  );
};

const each = (lines: readonly string[]): string[] => [...new Set(lines)];

/** Where the job is, since when, what it waits for, who can move it, and which guards say no. */
export function whyText(why: WhyReply, io: Pick<Io, 'color' | 'now'>): string {
  const now = io.now();
  const open = why.waysOut.filter(isOpen);
  const staying = each(
    open.filter(({ target }) => target === null).map(({ event }) => printableLine(event)),
  );
  // A way that is closed while another one of the same event is open is only the order of the
  // chart's arrows.
  const closed = why.waysOut.filter(
    (way) => !isOpen(way) && !open.some(({ event }) => event === way.event),
  );
  return [
    `${printableLine(why.id)} is in ${io.color.bold(printableLine(why.state.join(', ')))} since ${when(iso(why.since), now)}\n`,
    bullets('It waits', why.waitsFor.map(printableLine), io),
    bullets(
      'Under way',
      why.pendingEffects.map(({ type, attempt }) =>
        printableLine(`${type}${attempt > 1 ? `, attempt ${attempt}` : ''}`),
      ),
      io,
    ),
    bullets(
      'Timers',
      why.timers.map(({ name, due }) => printableLine(`${name}, due ${when(iso(due), now)}`)),
      io,
    ),
    bullets(
      'What can move it',
      each(open.filter(({ target }) => target !== null).map(wayOutText)),
      io,
    ),
    bullets('Accepted without a transition', staying.length === 0 ? [] : [staying.join(', ')], io),
    bullets('What cannot happen now', each(closed.map(blockedText)), io),
  ].join('');
}
