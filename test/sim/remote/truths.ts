import { hasMark, isMarked } from '../../../src/git/marks.ts';
import type { WriteRow } from '../../../src/providers/account/accountWriter.ts';
import type { ProviderEvent } from '../../../src/contract/schema/forge/pr.ts';
import type { ForgeStorm } from './storm.ts';

/**
 * A sentence that is true of what the forge and the runner know of each other; the function says
 * what makes it false.
 */
interface Truth {
  sentence: string;
  broken(storm: ForgeStorm): string[];
}

const readJournal = ({ world }: ForgeStorm, jobId: string) =>
  world.store.durable.journal(jobId, 0, 1_000_000);
const listJobIds = (storm: ForgeStorm): string[] => [...new Set(storm.jobOf.values())];

/** Events of the forge in a job's journal, oldest first. */
export const heardBy = (storm: ForgeStorm, jobId: string): ProviderEvent[] =>
  readJournal(storm, jobId).flatMap(({ event }) =>
    event.type === 'forge.event' ? [event.event as ProviderEvent] : [],
  );

const listWrites = (storm: ForgeStorm): WriteRow[] => storm.world.store.rows.all('forge_writes');

/** In which list of its forge an event is: comments in the code are comments. */
const getEventList = (externalId: string, kind: string): string =>
  /(issue|review|thread|note)-\d+$/.exec(externalId)?.[1] ??
  (kind === 'review_thread' ? 'commented' : kind);

/** How often a write of ours is at the forge. */
function standing({ forge }: ForgeStorm, { operation_id: id, repo, number }: WriteRow): number {
  const texts = forge
    .prs()
    .filter((pr) => pr.repo === repo && (number === null || pr.number === number))
    .flatMap(({ body, said }) => (number === null ? [body, ...said] : said));
  return texts.filter((text) => hasMark(text, id)).length;
}

/** The job had ended before it was known that a write of it is undecided; its log reports it. */
const reportedTooLate = (storm: ForgeStorm, jobId: string): boolean =>
  readJournal(storm, jobId).every(({ event, path, effects }) => {
    if (event.type !== 'forge.wrote' || Object(event.result).code !== 'undecided') return true;
    return path.at(-1) === 'ended.complete' && effects.some(({ type }) => type === 'frame.add');
  });

/** True at the end, when nothing is under way. */
export const TRUTHS: readonly Truth[] = [
  {
    sentence:
      'every event reaches the journal of its job exactly once; one that ended meanwhile has heard none twice',
    broken: (storm) =>
      listJobIds(storm).flatMap((jobId) => {
        const times = new Map<string, number>();
        for (const { externalId } of heardBy(storm, jobId))
          times.set(externalId, (times.get(externalId) ?? 0) + 1);
        const own = storm.happenings.filter(({ head }) => storm.jobOf.get(head) === jobId);
        const lost = hasEndedEarly(storm, jobId)
          ? []
          : own.filter(({ externalId }) => !times.has(externalId));
        const twice = [...times].filter(([, n]) => n > 1);
        return [
          ...lost
            .slice(0, 3)
            .map(({ externalId }) => `${jobId} has not heard ${externalId} (${lost.length} lost)`),
          ...twice.map(([externalId, n]) => `${jobId} has heard ${externalId} ${n} times`),
        ];
      }),
  },
  {
    sentence: 'the events of a pull request are heard in the order in which they happened',
    broken: (storm) =>
      listJobIds(storm).flatMap((jobId) => {
        const known = new Map(storm.happenings.map((one) => [one.externalId, one]));
        const last = new Map<string, number>();
        return heardBy(storm, jobId).flatMap(({ externalId, prId }) => {
          const one = known.get(externalId);
          if (!one) return [];
          // Within a second the forge has no order but that within each of its lists.
          const list = `${prId} ${getEventList(externalId, one.kind)}`;
          const wrong =
            (storm.forge.readsAtOnce && (last.get(prId) ?? 0) > one.second) ||
            (last.get(list) ?? 0) > one.serial;
          last.set(prId, one.second).set(list, one.serial);
          return wrong ? [`${jobId} heard ${externalId} after a later one`] : [];
        });
      }),
  },
  {
    sentence: 'no job hears what programs, outsiders and svc itself have said',
    broken: (storm) =>
      listJobIds(storm).flatMap((jobId) =>
        heardBy(storm, jobId)
          .filter(({ author }) => ['outsider', 'ci', 'ci[bot]', 'svc-robot'].includes(author))
          .map(({ externalId, author }) => `${jobId} heard ${externalId} of ${author}`),
      ),
  },
  {
    sentence: 'nothing is written twice: no text, no pull request of a branch',
    broken: (storm) => {
      const prs = storm.forge.prs();
      const texts = prs.flatMap(({ body, said }) => [body, ...said]);
      const marks = texts.filter(isMarked).map((text) => text.trimEnd().split('\n').at(-1) ?? '');
      const heads = prs.map(({ head }) => head);
      return [...marks, ...heads].filter((one, n, all) => all.indexOf(one) !== n);
    },
  },
  {
    sentence:
      'what is recorded as done is at the forge once, what is refused not at all, and nothing is left open',
    broken: (storm) =>
      listWrites(storm).flatMap((row) => {
        const { operation_id: id, operation, state, result } = row;
        const times = standing(storm, row);
        // An existing pull request, and an approval that was given, are answers too.
        const existed = state === 'done' && JSON.parse(result).result?.existing === true;
        const right = {
          done: existed ? times <= 1 : times === 1,
          refused: times === 0,
          undecided: times <= 1,
          sent: false,
        }[state];
        return right ? [] : [`${operation} ${id} is ${state} and found ${times} times`];
      }),
  },
  {
    sentence: 'the job of an undecided write escalates and reports it; no other job ends badly',
    broken: (storm) => {
      const open = new Set(
        listWrites(storm).flatMap(({ state, job_id: id }) => (state === 'undecided' ? [id] : [])),
      );
      const undecided = new Set([...open].filter((id) => !reportedTooLate(storm, id)));
      return listJobIds(storm).flatMap((jobId) => {
        const job = storm.world.life?.runner.job(jobId);
        const escalated =
          job?.status === 'escalated' && /^It is unknown whether/.test(job.escalationMessage ?? '');
        // The kernel gave it up without looking whether it had gone out: a person has to look all
        // the same.
        const unlooked =
          escalated && /restarted 5 times without progress/.test(job.escalationMessage ?? '');
        if (
          (undecided.has(jobId) === escalated || unlooked) &&
          (escalated || job?.status === 'complete')
        )
          return [];
        return [
          `${jobId} is ${job?.status} (${job?.escalationMessage}); undecided writes: ${undecided.has(jobId)}`,
        ];
      });
    },
  },
  {
    sentence: 'every write that an agent asked for is answered once',
    broken: (storm) =>
      listJobIds(storm).flatMap((jobId) => {
        const rows = readJournal(storm, jobId);
        const listEventKeys = (...types: string[]) =>
          rows
            .flatMap(({ event }) =>
              types.includes(event.type) && typeof event.key === 'string' ? [event.key] : [],
            )
            .toSorted();
        const [requestKeys, answerKeys] = [
          listEventKeys('tool.forge_write'),
          listEventKeys('forge.wrote', 'effect.givenUp'),
        ];
        return JSON.stringify(requestKeys) === JSON.stringify(answerKeys)
          ? []
          : [`${jobId} asked ${requestKeys}, was answered ${answerKeys}`];
      }),
  },
  {
    sentence: 'no request goes out while the forge has said that it wants none',
    broken: (storm) =>
      storm.overstepped
        .filter(({ early }) => early > 0)
        .map(({ life, early }) => `life ${life}: ${early} requests`),
  },
];

/** It ended before its pull requests were merged, so that no job hears what happened later. */
const hasEndedEarly = (storm: ForgeStorm, jobId: string): boolean =>
  storm.forge.prs().some((pr) => storm.jobOf.get(pr.head) === jobId && pr.isOpen);
