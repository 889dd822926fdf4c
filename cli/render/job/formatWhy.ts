import { capitalizeFirst } from '../../../src/base/text/capitalizeFirst.ts';
import { toIsoTime } from '../../../src/base/time/toIsoTime.ts';
import { removeQuotedOutput } from '../../../src/base/output/chooseLastLines.ts';
import { describeStates } from '../../../src/base/jobs/describeStates.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { WhyReply } from '../../../src/contract/schema/api/replies.ts';
import type { Io } from '../../io.ts';
import { formatLastOutput } from './formatLastOutput.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { unchangedText } from './unchangedText.ts';
import { type CommandLine, waitCommands } from './waitCommands.ts';
import { formatTimeWithAgo } from '../text/formatTimeWithAgo.ts';

type WayOut = WhyReply['waysOut'][number];

/** How a person sends an event, and what it does. `<job>` is the id. */
const COMMANDS = {
  'job.resume': ['svc resume <job>', 'continue'],
  'job.message': ['svc message <job> "..."', 'send a message; the job continues with it'],
  'job.pause': ['svc pause <job>', 'pause'],
  'job.rerun': ['svc rerun <job> <phase>', 'run a phase again'],
  'job.cancel': ['svc cancel <job>', 'end it for good'],
} as const satisfies Record<string, CommandLine>;

const DECISIONS: readonly CommandLine[] = [
  ['svc resume <job> --event approve', 'approve'],
  ['svc resume <job> --event reject', 'reject'],
];

/** While a budget keeps it: a resume alone is refused. */
const RAISE = ['svc budget raise --job <job> …', 'raise the budget; it continues'] as const;

/** While a rule keeps it that a person can allow. */
const WITHOUT = ['svc resume <job>', 'continue without it'] as const;

const createAllowLine = (rule: string): CommandLine => [
  `svc guardrail allow <job> --rule ${rule}`,
  'allow exactly this; the job continues',
];

const createAllowAnyLine = (rule: string): CommandLine => [
  `svc guardrail allow <job> --rule ${rule} --any-size`,
  'allow any size in this job; the job continues',
];

/** What else moves a job. Other events are the answers to svc's own acts. */
const OTHERS: Readonly<Record<string, string>> = {
  'forge.event': 'an event of a pull request or a ticket that it waits for',
  'slot.granted': 'its turn in the queue',
  'session.ended': 'the end of the running session',
  'quota.reset': 'the end of the wait for the quota',
  'budget.renewed': 'a raise of the budget, or its next day or week',
  'outage.over': 'the next attempt to reach it',
  'subRuns.settled': 'the end of its sub-runs',
  'subRuns.goOn': 'the continuation of its sub-runs',
  'subRuns.hindered': 'the next attempt to create jobs of its sub-runs',
};

/** States in which what a job waits for says more than the reason that it was parked with. */
const SAYS_ITSELF: ReadonlySet<string> = new Set([
  'parked.quota',
  'parked.event',
  'parked.approval',
]);

const ACTS: Readonly<Record<string, string>> = {
  'phase.prepare': 'preparing the workspace of the phase',
  'session.open': 'the agent',
  'session.stop': 'ending the session',
  'message.offer': 'passing a message to the agent',
  'forge.write': 'a write to the forge',
  stop: 'limit for ending the session',
  quota: 'end of the wait for the quota',
  budget: 'next window of the budget',
  outage: 'next attempt',
};

const formatBullets = (title: string, lines: readonly string[], io: Pick<Io, 'color'>): string =>
  lines.length === 0
    ? ''
    : `\n${io.color.bold(title)}\n${lines.map((line) => `  ${line}\n`).join('')}`;

const isCommand = (event: string): event is keyof typeof COMMANDS => event in COMMANDS;
const isOpenWayOut = ({ open }: WayOut): boolean => open !== false;
const uniqueLines = (lines: readonly string[]): string[] => [...new Set(lines)];

function formatCommandColumn(commands: readonly CommandLine[], id: string): string[] {
  const shownCommands = commands.map(
    ([command, does]) => [command.replace('<job>', id), does] as const,
  );
  const width = Math.max(0, ...shownCommands.map(([command]) => command.length));
  return shownCommands.map(([command, does]) =>
    toPrintableLine(`${command.padEnd(width)}  ${does}`),
  );
}

const describeClosedWayOut = ({ event, guards }: WayOut, id: string): string => {
  const command = isCommand(event) ? COMMANDS[event][0] : event;
  const no = guards.filter(({ value }) => value === false).map(({ says, name }) => says || name);
  const why = no.length === 0 ? '' : `: only if ${no.join(' and ')}`;
  return toPrintableLine(`${command.replace('<job>', id)}${why}`);
};

/** Why it is parked, unless what it waits for already tells. */
function formatParkReason({ reason, state, waitsFor, lastOutput }: WhyReply): string {
  // A runner before 0.3 does not report it.
  if (!reason || state.some((path) => SAYS_ITSELF.has(path))) return '';
  if (waitsFor.some((words) => words.includes(reason))) return '';
  const reasonText = lastOutput?.lines.length ? removeQuotedOutput(reason) : reason;
  return `${toPrintableLine(capitalizeFirst(reasonText))}\n`;
}

/** A call that a rule refused: what, when, and what its agent was to do instead. */
function describeRefusedCall(
  { tool, phase, at, times, message }: NonNullable<WhyReply['refused']>[number],
  now: number,
): string {
  const what = tool === '' ? 'the end of the phase' : tool;
  const often = times > 1 ? `, ${times} times, last` : ',';
  return toPrintableLine(
    `${what} in ${phase}${often} ${formatTimeWithAgo(toIsoTime(at), now)}: ${message}`,
  );
}

/**
 * Where the job is, since when, what it waits for, and what people and the world can do about it.
 * The JSON has the chart's own names. `job` adds the commands that end this wait, and what a
 * complete job lacks; without it only commands that every job takes are listed.
 */
export function formatWhy(
  why: WhyReply,
  io: Pick<Io, 'color' | 'now'>,
  job: Job | null = null,
): string {
  const now = io.now();
  const { id } = why;
  const open = why.waysOut.filter(isOpenWayOut);
  const moving = open.filter(({ target }) => target !== null);
  const can = (event: string) => moving.some((way) => way.event === event);
  const { guardrail } = why;
  const resumes = why.state.includes('parked.approval')
    ? DECISIONS
    : guardrail?.allowable
      ? [
          createAllowLine(guardrail.rule),
          ...(guardrail.anySize ? [createAllowAnyLine(guardrail.rule)] : []),
          WITHOUT,
        ]
      : [why.state.includes('parked.budget') ? RAISE : COMMANDS['job.resume']];
  const commands = Object.entries(COMMANDS)
    .filter(([event]) => can(event))
    .flatMap(([event, entry]) => (event === 'job.resume' ? resumes : [entry]));
  // A closed transition is left out if another one of the same event is open: only their order in
  // the chart differs.
  const closedWays = why.waysOut.filter(
    (way) =>
      !isOpenWayOut(way) && way.event in COMMANDS && !open.some(({ event }) => event === way.event),
  );
  return [
    `${toPrintableLine(id)} ${io.color.bold(toPrintableLine(describeStates(why.state)))}, since ${formatTimeWithAgo(toIsoTime(why.since), now)}\n`,
    formatParkReason(why),
    job ? unchangedText(job) : '',
    formatBullets('Last output', formatLastOutput(why.lastOutput ?? {}, io), io),
    formatBullets(
      'An earlier change was allowed; this one is different',
      guardrail?.allowedBefore
        ? [
            toPrintableLine(
              `${formatTimeWithAgo(guardrail.allowedBefore.at, now)}: ${guardrail.allowedBefore.message}`,
            ),
          ]
        : [],
      io,
    ),
    formatBullets('It waits', why.waitsFor.map(toPrintableLine), io),
    formatBullets(
      'Running now',
      why.pendingEffects.map(({ type, attempt }) =>
        toPrintableLine(`${ACTS[type] ?? type}${attempt > 1 ? `, attempt ${attempt}` : ''}`),
      ),
      io,
    ),
    formatBullets(
      'Timers',
      why.timers.map(({ name, due }) =>
        toPrintableLine(`${ACTS[name] ?? name}, due ${formatTimeWithAgo(toIsoTime(due), now)}`),
      ),
      io,
    ),
    formatBullets(
      'What you can do',
      formatCommandColumn([...(job ? waitCommands(job) : []), ...commands], id),
      io,
    ),
    formatBullets(
      'Blocked by rules',
      (why.refused ?? []).map((call) => describeRefusedCall(call, now)),
      io,
    ),
    formatBullets(
      'Other events it waits for',
      uniqueLines(moving.flatMap(({ event }) => OTHERS[event] ?? [])),
      io,
    ),
    formatBullets(
      'Not possible now',
      uniqueLines(closedWays.map((way) => describeClosedWayOut(way, id))),
      io,
    ),
  ].join('');
}
