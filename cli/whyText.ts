import type { WhyReply } from '../src/schema/replies.ts';
import type { Io } from './io.ts';
import { printableLine } from './printable.ts';
import { when } from './when.ts';

type WayOut = WhyReply['waysOut'][number];

const bullets = (title: string, lines: readonly string[], io: Pick<Io, 'color'>): string =>
  lines.length === 0 ? '' : `\n${io.color.bold(title)}\n${lines.map((line) => `  ${line}\n`).join('')}`;

const isOpen = ({ open }: WayOut): boolean => open !== false;

function wayOutText({ event, from, target, open, guards }: WayOut): string {
  const to = target === null ? 'stays where it is' : target;
  const condition = open === 'depends' ? ', if the event fits' : '';
  const no = guards.filter(({ value }) => value === false).map(({ says, name }) => says || name);
  return printableLine(
    `${event} (by ${from}) -> ${to}${condition}${no.length === 0 ? '' : `: not now, because this is false: ${no.join('; ')}`}`,
  );
}

/** Where the job is, since when, what it waits for, who can move it, and which guards say no. */
export function whyText(why: WhyReply, io: Pick<Io, 'color' | 'now'>): string {
  const now = io.now();
  const iso = (ms: number) => new Date(ms).toISOString();
  const effects = why.pendingEffects.map(({ type, attempt }) =>
    printableLine(`${type}${attempt > 1 ? `, attempt ${attempt}` : ''}`),
  );
  return [
    `${printableLine(why.id)} is in ${io.color.bold(printableLine(why.state.join(', ')))} since ${when(iso(why.since), now)}\n`,
    bullets('It waits for', why.waitsFor.map(printableLine), io),
    bullets('Under way', effects, io),
    bullets(
      'Timers',
      why.timers.map(({ name, due }) => printableLine(`${name}, due ${when(iso(due), now)}`)),
      io,
    ),
    bullets('What can move it', why.waysOut.filter(isOpen).map(wayOutText), io),
    bullets('What cannot move it now', why.waysOut.filter((way) => !isOpen(way)).map(wayOutText), io),
  ].join('');
}
