import type { Client } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/problem.ts';
import { followJob } from '../../src/client/stream.ts';
import type { LogFrame } from '../../src/schema/frames.ts';
import type { Job } from '../../src/schema/job.ts';
import type { DashboardStore, LogLine } from './dashboardStore.ts';

/** Between two looks at the list, ms. */
export const LIST_EVERY_MS = 2_000;
/** Jobs that the list shows. */
export const LIST_LENGTH = 100;
/** Frames are shown in batches, so that a long log does not redraw the page for every line, ms. */
const BATCH_MS = 100;
/** Wait after a look at a job that failed, ms. */
const LOOK_AGAIN_MS = 1_000;

const sentence = (error: unknown): string => {
  if (error instanceof ClientError && error.status === 401)
    return 'The runner asks for its token. Open the link that `svc start` prints.';
  return error instanceof Error ? error.message : String(error);
};

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Calls `run` at once and then every `everyMs` after it has ended, until aborted. */
async function repeat(everyMs: number, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await run();
    await pause(everyMs);
  }
}

/** Text that a person is asked to approve. */
async function shownOf(client: Client, job: Job): Promise<string | null> {
  const id = job.approval?.artefactId ?? null;
  return id === null ? null : client.artefact(job.id, id);
}

/** The dashboard's traffic with the runner: it reads, follows, sends commands, and tells the store what came of it. */
export function createDashboard(client: Client, store: DashboardStore) {
  const failed = (error: unknown) => store.trigger.failed({ problem: sentence(error) });

  async function list(): Promise<void> {
    try {
      store.trigger.listed(await client.jobs({ limit: LIST_LENGTH }));
    } catch (error) {
      failed(error);
    }
  }

  /** False when the runner did not give the job. */
  async function look(jobId: string): Promise<boolean> {
    try {
      const [job, why] = await Promise.all([client.job(jobId), client.why(jobId)]);
      store.trigger.looked({ job, why, shown: await shownOf(client, job) });
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  }

  /** Shows the log as it comes, and looks at the job again whenever something else than a log line has come. */
  async function follow(jobId: string, signal: AbortSignal): Promise<void> {
    let lines: LogLine[] = [];
    let changed = true;
    const flush = async () => {
      if (lines.length > 0) store.trigger.logged({ jobId, lines });
      lines = [];
      if (!changed) return;
      changed = false;
      if (await look(jobId)) return;
      changed = true;
      await pause(LOOK_AGAIN_MS);
    };
    const following = followJob({
      client,
      jobId,
      after: 0,
      signal,
      onFrame({ n, kind, data }) {
        if (kind === 'log') lines.push({ ...(data as LogFrame), n });
        else changed = true;
      },
      onLost() {
        store.trigger.failed({ problem: 'The connection to the runner is lost; trying again.' });
        changed = true;
      },
    });
    const over = new AbortController();
    const showing = repeat(BATCH_MS, AbortSignal.any([signal, over.signal]), flush);
    try {
      await following;
    } catch (error) {
      failed(error);
    } finally {
      over.abort();
      await showing;
      changed = true;
      if (!signal.aborted) await flush();
    }
  }

  let page = new AbortController();
  return {
    /** Shows a job, or the list for null; what was shown before is let go of. */
    open(jobId: string | null): void {
      page.abort();
      page = new AbortController();
      store.trigger.opened({ jobId });
      void (jobId === null ? repeat(LIST_EVERY_MS, page.signal, list) : follow(jobId, page.signal));
    },
    /** Sends a command about the opened job; true when the runner took it. */
    async command(says: string, send: (client: Client) => Promise<unknown>): Promise<boolean> {
      const { jobId } = store.getSnapshot().context;
      try {
        await send(client);
        store.trigger.done({ notice: says });
        if (jobId !== null) await look(jobId);
        return true;
      } catch (error) {
        failed(error);
        return false;
      }
    },
  };
}

export type DashboardActions = ReturnType<typeof createDashboard>;
