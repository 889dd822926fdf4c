import { formatCount } from '../../../base/text/formatCount.ts';
import type { ChangedFiles } from '../../../contract/schema/policy/decision.ts';
import type { DigestInput } from './digestInput.ts';
import { toDigestLine } from './sections.ts';

const MINUTE_MS = 60_000;

/** The subject of a changed file by its path; the first match counts. */
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

const classifyChangedPath = (path: string): string =>
  KINDS.find(([, test]) => test.test(path))?.[0] ?? 'other';

function listChangeLines(changedFiles: ChangedFiles | null): string[] {
  if (changedFiles === null) return ['It is not known which files differ from the base.'];
  const { count, added, removed, files } = changedFiles;
  if (count === 0) return ['No file differs from the base.'];
  const rest = count - files.length;
  return [
    `${formatCount(count, 'file')} ${count === 1 ? 'differs' : 'differ'} from the base, +${added} -${removed} lines.`,
    ...files.map(
      (file) => `${file.path} (${classifyChangedPath(file.path)}) +${file.added} -${file.removed}`,
    ),
    ...(rest > 0 ? [`and ${formatCount(rest, 'more file')}`] : []),
  ];
}

const countClosedItems = ({ items }: DigestInput): number =>
  items.filter(({ status }) => status === 'complete' || status === 'escalated').length;

function listItemLines(input: DigestInput): string[] {
  const { items, itemUpdates } = input;
  if (items.length === 0) return [];
  return [
    `Work items: ${countClosedItems(input)} of ${items.length} closed; changed ${formatCount(itemUpdates, 'time')} in this phase.`,
    ...items.map(
      ({ id, title, status, loopCount }) =>
        `${id} ${status}${loopCount > 0 ? `, sent back ${loopCount} times` : ''}: ${title}`,
    ),
  ];
}

export function listFactLines(input: DigestInput): string[] {
  const { sessions, tookMs, tokens, artefacts, prs, gateBlocks, laps, asked, failing } = input;
  const tokenNote = tokens === null ? '' : `, ${tokens} tokens`;
  return [
    `${formatCount(sessions, 'session')}, ${formatCount(Math.round(tookMs / MINUTE_MS), 'minute')}${tokenNote}.`,
    ...listChangeLines(input.changed),
    ...artefacts.map(({ kind, title }) => `Artefact ${kind}: ${title}`),
    ...listItemLines(input),
    ...prs.map(({ prId, state }) => `Pull request ${prId} is ${state}.`),
    ...(failing === null
      ? []
      : [
          failing.count === 0
            ? 'The last run of tests passed.'
            : `${formatCount(failing.count, 'test')} failed in the last run, the first is ${failing.first}.`,
        ]),
    ...(gateBlocks > 0
      ? [`The completion gate has blocked ${formatCount(gateBlocks, 'time')}.`]
      : []),
    ...(laps > 0 ? [`${formatCount(laps, 'lap')} without progress.`] : []),
    ...(asked.length > 0 ? [`The agent asked for ${asked.join(', ')}.`] : []),
  ].map(toDigestLine);
}

/** The numbers behind the facts, for deciders that compare numbers. */
export function countDigestFacts(
  input: DigestInput,
  repeatedErrors: number,
): Record<string, number> {
  const { calls, changed, artefacts, items, itemUpdates, people } = input;
  return {
    sessions: input.sessions,
    minutes: Math.round(input.tookMs / MINUTE_MS),
    calls: calls.length,
    failedCalls: calls.filter(({ ok }) => !ok).length,
    repeatedErrors,
    changedFiles: changed?.count ?? 0,
    artefacts: artefacts.length,
    itemsOpen: items.length - countClosedItems(input),
    itemsClosed: countClosedItems(input),
    itemUpdates,
    gateBlocks: input.gateBlocks,
    laps: input.laps,
    failingTests: input.failing?.count ?? 0,
    messages: people.length,
  };
}
