import type { ChangedFiles } from '../../schema/decision.ts';
import type { DigestInput } from './digestInput.ts';
import { lineOf } from './sections.ts';

const MINUTE_MS = 60_000;

/** What a change of a file is about, by its path; the first that fits. */
const KINDS: readonly (readonly [kind: string, path: RegExp])[] = [
  ['CI', /^(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci|\.circleci\/|bitbucket-pipelines)/],
  ['svc', /^\.svc\//],
  ['hook', /^(?:\.husky|\.githooks)\//],
  [
    'lock file',
    /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock)$/,
  ],
  ['test', /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.[a-z]+$|_test\.go$/],
];

const kindOf = (path: string): string => KINDS.find(([, test]) => test.test(path))?.[0] ?? 'other';

const one = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function changeLines(changed: ChangedFiles | null): string[] {
  if (changed === null) return ['It is not known which files differ from the base.'];
  const { count, added, removed, files } = changed;
  if (count === 0) return ['No file differs from the base.'];
  const rest = count - files.length;
  return [
    `${one(count, 'file')} ${count === 1 ? 'differs' : 'differ'} from the base, +${added} -${removed} lines.`,
    ...files.map((file) => `${file.path} (${kindOf(file.path)}) +${file.added} -${file.removed}`),
    ...(rest > 0 ? [`and ${one(rest, 'more file')}`] : []),
  ];
}

const closed = ({ items }: DigestInput): number =>
  items.filter(({ status }) => status === 'complete' || status === 'escalated').length;

function itemLines(input: DigestInput): string[] {
  const { items, itemUpdates } = input;
  if (items.length === 0) return [];
  return [
    `Work items: ${closed(input)} of ${items.length} closed; changed ${one(itemUpdates, 'time')} in this phase.`,
    ...items.map(
      ({ id, title, status, loopCount }) =>
        `${id} ${status}${loopCount > 0 ? `, sent back ${loopCount} times` : ''}: ${title}`,
    ),
  ];
}

/** What svc has seen of the visit itself; nothing of it is what the agent says of its work. */
export function factLines(input: DigestInput): string[] {
  const { sessions, tookMs, tokens, artefacts, prs, gateBlocks, laps, asked, failing } = input;
  const used = tokens === null ? '' : `, ${tokens} tokens`;
  return [
    `${one(sessions, 'session')}, ${one(Math.round(tookMs / MINUTE_MS), 'minute')}${used}.`,
    ...changeLines(input.changed),
    ...artefacts.map(({ kind, title }) => `Artefact ${kind}: ${title}`),
    ...itemLines(input),
    ...prs.map(({ prId, state }) => `Pull request ${prId} is ${state}.`),
    ...(failing === null
      ? []
      : [
          failing.count === 0
            ? 'The last run of tests passed.'
            : `${one(failing.count, 'test')} failed in the last run, the first is ${failing.first}.`,
        ]),
    ...(gateBlocks > 0 ? [`The completion gate has blocked ${one(gateBlocks, 'time')}.`] : []),
    ...(laps > 0 ? [`${one(laps, 'lap')} without progress.`] : []),
    ...(asked.length > 0 ? [`The agent asked for ${asked.join(', ')}.`] : []),
  ].map(lineOf);
}

/** The numbers behind the facts, for deciders that compare numbers. */
export function countsOf(input: DigestInput, repeatedErrors: number): Record<string, number> {
  const { calls, changed, artefacts, items, itemUpdates, people } = input;
  return {
    sessions: input.sessions,
    minutes: Math.round(input.tookMs / MINUTE_MS),
    calls: calls.length,
    failedCalls: calls.filter(({ ok }) => !ok).length,
    repeatedErrors,
    changedFiles: changed?.count ?? 0,
    artefacts: artefacts.length,
    itemsOpen: items.length - closed(input),
    itemsClosed: closed(input),
    itemUpdates,
    gateBlocks: input.gateBlocks,
    laps: input.laps,
    failingTests: input.failing?.count ?? 0,
    messages: people.length,
  };
}
