import { existsSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { toAsideName } from '../../../jobs/workspace/cleanup/jobFolder.ts';
import type { JournalRow } from '../../../kernel/writer.ts';
import { Database } from '../../../kernel/sqlite/database.ts';
import type { FileStanding } from '../../../kernel/sqlite/log/fileStanding.ts';
import type { Start } from '../startOptions.ts';
import { readArrival, saveArrival } from './arrival.ts';

type ArrivalParts = Pick<Start, 'clock' | 'ids'> & {
  settings: Pick<Settings, 'home'> & { paths: Pick<Settings['paths'], 'stateDb' | 'workingDir'> };
};

const listFolders = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};

/**
 * Records that another machine has worked on the home, and what this disk knew of the jobs that have a folder on it.
 * `file`: the state of this disk; null = it has none, so it is not known whether their checkouts are the newest.
 */
export async function noteArrival(
  { settings, clock, ids }: ArrivalParts,
  file: FileStanding | null,
): Promise<void> {
  const { home, paths } = settings;
  const folders = listFolders(paths.workingDir);
  const knownLengths = file === null ? {} : readJournalLengths(paths.stateDb, folders);
  // A start that was killed before it looked at them knew less, and that counts.
  const jobs = { ...knownLengths, ...readArrival(home)?.jobs };
  await saveArrival(home, { at: clock.now(), jobs }, ids);
}

function readJournalLengths(stateDb: string, jobs: readonly string[]): Record<string, number> {
  const db = new Database(stateDb);
  try {
    return Object.fromEntries(
      jobs.flatMap((id) => {
        const row = db.get('SELECT seq FROM actors WHERE id = ?', id);
        return row === undefined ? [] : [[id, Number(row.seq)] as const];
      }),
    );
  } finally {
    db.close();
  }
}

/** Effects that use the checkout. */
const WORK: ReadonlySet<unknown> = new Set(['phase.prepare', 'session.open']);

/** Whether the other machine has prepared a phase of the job or had it in a session. */
const isWork = ({ event }: Pick<JournalRow, 'event'>): boolean =>
  event.type === 'phase.prepared' ||
  event.type === 'session.ended' ||
  (event.type === 'kernel.recovered' && 'effect' in event && WORK.has(event.effect));

interface StaleParts extends Pick<Start, 'ids' | 'log'> {
  settings: { home: string; paths: Pick<Settings['paths'], 'workingDir'> };
}

/**
 * Puts the checkouts aside that were the newest before another machine continued their jobs: a job that used one again
 * would lack what it has done since. Their overlay and sessions go, so that they are made again as on a machine that
 * never had the job; a cleanup saves what is in the checkouts when the job has ended. Before the kernel is started. May
 * be repeated.
 */
export async function putStaleCheckoutsAside(
  { settings, ids, log }: StaleParts,
  store: { durable: { journal(actor: string, after: number, limit: number): JournalRow[] } },
): Promise<void> {
  const { home, paths } = settings;
  const arrival = readArrival(home);
  if (arrival === null) return;
  for (const [job, length] of Object.entries(arrival.jobs)) {
    if (!store.durable.journal(job, length, Number.MAX_SAFE_INTEGER).some(isWork)) continue;
    const jobDir = join(paths.workingDir, job);
    for (const name of listFolders(jobDir)) {
      if (name.startsWith('.') || !existsSync(join(jobDir, name, '.git'))) continue;
      const aside = join(jobDir, toAsideName(name, ids.next()));
      await rename(join(jobDir, name), aside);
      log.warn(
        { job, aside },
        'another machine has worked on this job since: its checkout here is not the newest and was put aside',
      );
    }
    for (const name of ['_intelligence', '_sessions'])
      await rm(join(jobDir, name), { recursive: true, force: true });
  }
  if (Object.keys(arrival.jobs).length > 0) await saveArrival(home, { ...arrival, jobs: {} }, ids);
}
